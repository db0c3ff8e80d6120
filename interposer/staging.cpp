// SPDX-License-Identifier: Apache-2.0
#include "interposer/staging.hpp"

#include <deque>
#include <mutex>

namespace weft::interposer {
namespace {

struct Piece {
  std::uint64_t ticket, end;  // the ring is free up to `end` once the ticket is done
};

std::mutex ring_mutex;
std::uint64_t head = 0;  // next free byte, counted for ever
std::uint64_t tail = 0;  // first byte that may still be read
std::uint64_t last_ticket = 0;
std::deque<Piece> pieces;

/// Waits until the oldest piece has been read; frees all that have.
CUresult free_oldest() {
  wire::Reader reply{{}};
  const std::uint64_t oldest = pieces.front().ticket;
  CUresult result = Client::get()->call(static_cast<std::uint16_t>(wire::ControlOp::staging_wait), nullptr, std::as_bytes(std::span(&oldest, 1)), reply);
  const auto done = reply.value<std::uint64_t>();
  if (!reply.ok() || done < oldest) return result != CUDA_SUCCESS ? result : CUDA_ERROR_UNKNOWN;
  while (!pieces.empty() && pieces.front().ticket <= done) {
    tail = pieces.front().end;
    pieces.pop_front();
  }
  return CUDA_SUCCESS;
}

}  // namespace

StagingLock::StagingLock() { ring_mutex.lock(); }
StagingLock::~StagingLock() { ring_mutex.unlock(); }

CUresult StagingLock::stage(Bytes bytes, Staged* staged) {
  Client* client = Client::get();
  const std::uint64_t size = client->snapshot().staging_size;
  if (bytes.size() > size) return CUDA_ERROR_INVALID_VALUE;
  std::uint64_t start = head;
  if (start % size + bytes.size() > size) start = (start / size + 1) * size;  // a piece never wraps
  while (start + bytes.size() - tail > size && !pieces.empty())
    if (CUresult result = free_oldest(); result != CUDA_SUCCESS) return result;
  if (pieces.empty()) tail = start;
  head = start + bytes.size();
  *staged = {start % size, ++last_ticket};
  pieces.push_back({staged->ticket, head});
  return client->put(bytes, client->snapshot().staging_key, staged->offset);
}

}  // namespace weft::interposer
