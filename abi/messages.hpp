// SPDX-License-Identifier: Apache-2.0
// Bodies of the hand-written operations, as plain structs: what both ends of a `manual` function agree on. Handles are abi::Handle bits, addresses the
// server's own. A struct stands at the start of the body; what follows it is said at each.
#pragma once

#include <cstdint>

#include "abi/cuda.hpp"

namespace weft::abi {

inline constexpr int max_device_attribute = 160;   // CU_DEVICE_ATTRIBUTE_MAX of CUDA 13.0 is 146; newer drivers know a few more
inline constexpr int max_function_attribute = 24;  // CU_FUNC_ATTRIBUTE_MAX is 16
inline constexpr int max_limit = 16;               // CU_LIMIT_MAX is 11

/// Everything local calls need about one device.
struct DeviceSnapshot {
  char name[256];
  CUuuid uuid;
  char luid[8];
  std::uint32_t luid_mask;
  std::int32_t has_luid;
  std::uint64_t total_memory;
  char pci_bus_id[32];
  std::int32_t attributes[max_device_attribute];
  std::uint8_t has_attribute[max_device_attribute];
};

/// The first message of a worker (wire op ControlOp::snapshot): this header, then `device_count` DeviceSnapshots.
struct Snapshot {
  std::int32_t driver_version;
  std::uint32_t device_count;
  std::uint64_t window_base, window_size;   // every device address of this server lies in here; size 0: the driver did not obey
  std::int32_t least_priority, greatest_priority;
  std::int32_t module_loading_mode;
  std::uint32_t context_api_version;
  std::uint64_t limits[max_limit];          // of a fresh context
  std::uint64_t staging_key, staging_size;  // registered, pinned memory of the worker for payloads of copies to the device
};

/// Where the bytes of a host side are.
enum class HostSide : std::uint32_t {
  none,     // not a host side: device memory or an array
  payload,  // in the message, after everything else
  staging,  // in the worker's staging memory at `offset`
  mirror,   // at the same address as in the client: pinned memory that the worker mirrors
  reply,    // goes back inside the reply
  put,      // goes back by put into the client's memory `key` at `offset`, before the reply
};

/// op cuMemcpyHtoDAsync_v2: async. Then the payload where `from` is payload.
/// Staging: copies use the staging memory as a ring, in order; `ticket` counts them from 1 (ControlOp::staging_wait).
struct CopyToDevice {
  std::uint64_t destination, size, stream;
  HostSide from;
  std::uint32_t padding;
  std::uint64_t source;  // mirror: address; staging: offset
  std::uint64_t ticket;
};

/// op cuMemcpyDtoHAsync_v2. `to` reply or put: sync, answered when the bytes are there. `to` mirror: async; the worker puts the bytes into the client's
/// memory `key` before it answers any later call that lets the program know that the copy is done.
struct CopyFromDevice {
  std::uint64_t source, size, stream;
  HostSide to;
  std::uint32_t padding;
  std::uint64_t destination;  // mirror: address
  std::uint64_t key, offset;
};

/// op cuMemcpyDtoDAsync_v2: async.
struct CopyOnDevice {
  std::uint64_t destination, source, size, stream;
};

/// op cuMemcpyPeerAsync: async.
struct CopyPeer {
  std::uint64_t destination, destination_context, source, source_context, size, stream;
};

/// op cuMemcpy3DAsync_v2: every 2-D and 3-D copy and those of arrays. In `copy` memory types are HOST, DEVICE or ARRAY; array fields hold handle bits;
/// a host side that is not a mirror is packed (pitch = WidthInBytes, height = Height, no offsets). Async, or sync where `to` is reply or put.
struct CopyBox {
  CUDA_MEMCPY3D copy;
  std::uint64_t stream;
  HostSide from, to;
  std::uint64_t offset, ticket;      // of a staged source
  std::uint64_t key, key_offset;     // of a destination by put, or of the mirror's client side
};

/// op cuMemsetD2D8Async: every memset. async.
struct Memset {
  std::uint64_t destination, pitch, width, height, stream;  // width in elements
  std::uint32_t value, element_bytes;                       // 1, 2 or 4
};

/// op cuLaunchKernelEx: every launch. async. Then `attribute_count` CUlaunchAttributes (event handles as bits), then the parameters, laid out as the kernel
/// wants them.
struct Launch {
  std::uint64_t function, stream;
  std::uint32_t grid[3], block[3];
  std::uint32_t shared_bytes, attribute_count, parameter_bytes, cooperative;
};

/// A kernel or function as the client keeps it. Then the name (u32 length, bytes) and `parameter_count` x {u32 offset, u32 size}.
struct FunctionRecord {
  std::uint64_t handle, module, library;
  std::int32_t result;                 // of the look-up
  std::int32_t attributes[max_function_attribute];  // on the current context's device (device 0 where there is none)
  std::uint8_t has_attribute[max_function_attribute];
  std::uint32_t parameter_count;
};

/// op cuLibraryLoadData or cuModuleLoadDataEx: sync. Then, where `inline_bytes` > 0, the image; else it is in the cache under `hash` (ControlOp::image_query
/// came before). Then `option_count` x {i32 option, u64 value} of JIT options that are plain values.
struct LoadImage {
  std::uint64_t handle;  // minted by the client
  std::uint8_t hash[32];
  std::uint64_t image_bytes, inline_bytes;
  std::uint32_t option_count, library_option_count;
  std::uint64_t log_bytes, error_log_bytes;  // room in the program's JIT log buffers; the reply brings both as strings
};

/// ControlOp::image_query: sync. Answer: u64 key; 0: the image is there; else put it there, then send ControlOp::image_ready with this struct.
struct ImageQuery {
  std::uint8_t hash[32];
  std::uint64_t bytes;
};

/// op cuMemHostRegister_v2: sync. The worker maps and pins memory of its own at the same address. Answer: u64 key of the mirror, for put.
struct HostRegister {
  std::uint64_t address, size;
  std::uint32_t flags, managed;
  std::uint64_t client_key;  // of the client's own pages, for put by the worker
};

}  // namespace weft::abi
