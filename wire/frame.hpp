// SPDX-License-Identifier: Apache-2.0
// What a message looks like: a fixed header, then the operation's arguments. Start here for wire/.
//
// Little-endian, as every machine with an NVIDIA GPU is. Both ends number what they send; each header also acknowledges, cumulatively, the last number
// that the sender of it has dealt with, so that a lost connection to a living peer can be resumed by sending again what was not acknowledged.
#pragma once

#include <cstdint>
#include <type_traits>

namespace weft::wire {

inline constexpr std::uint8_t frame_version = 1;

enum class FrameFlags : std::uint8_t {
  none = 0,
  wants_reply = 1,  // the sender waits: answer with a reply whose `reply_to` is this frame's number
  reply = 2,        // body: i32 CUresult, i32 CUresult of an earlier asynchronous operation (reported once), then the results
};

struct FrameHeader {
  std::uint8_t version = frame_version;
  FrameFlags flags = FrameFlags::none;
  std::uint16_t op = 0;          // abi op number (abi/cuda_api.h), or wire::ControlOp from 0xf000
  std::uint32_t length = 0;      // bytes after the header
  std::uint64_t context = 0;     // the calling thread's current context (a client's handle; 0: none)
  std::uint64_t sequence = 0;    // of the sender, from 1
  std::uint64_t acknowledged = 0;  // the receiver's last sequence number dealt with; in a reply: the request's
};
static_assert(sizeof(FrameHeader) == 32 && std::is_trivially_copyable_v<FrameHeader>);

/// Operations that are not functions of the CUDA driver API.
enum class ControlOp : std::uint16_t {
  first = 0xf000,
  output = 0xf000,          // worker to client: i32 fd (1 or 2), bytes that the device printed
  host_function = 0xf001,   // worker to client: u64 token; run it, then host_function_done
  host_function_done = 0xf002,  // client to worker: u64 token
  image_query = 0xf003,     // client to worker, sync: is this module image in the cache? else where to put it
  image_ready = 0xf004,     // client to worker: the image has been put
  staging_wait = 0xf005,    // client to worker, sync: when is staging slot n free again?
  goodbye = 0xf006,         // client to worker, sync: everything before it is done; the worker may go
  fatal = 0xf007,           // worker to client: string; the session can't go on and this is why
  snapshot = 0xf008,        // worker to client: the first message, abi::Snapshot
};

}  // namespace weft::wire
