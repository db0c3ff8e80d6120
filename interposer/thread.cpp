// SPDX-License-Identifier: Apache-2.0
#include "interposer/thread.hpp"

#include <pthread.h>

#include <span>

#include "abi/ops.hpp"
#include "interposer/client.hpp"
#include "interposer/objects.hpp"

namespace weft::interposer {
namespace {

pthread_key_t make_key() {
  pthread_key_t key;
  pthread_key_create(&key, [](void* thread) { delete static_cast<Thread*>(thread); });
  return key;
}

// The stream behind CU_STREAM_PER_THREAD: an ordinary blocking stream, as the real per-thread stream synchronises with the legacy one.
CUstream make_default_stream(Thread& thread) {
  Client* client = Client::get();
  CUstream handle = objects().streams.insert();
  if (!client || !handle) return handle;
  Stream* stream = objects().streams.find(handle);
  stream->context = thread.current();
  stream->id = abi::from_cuda(handle).index() + 3;
  struct {
    std::uint64_t handle;
    std::uint32_t flags;
    std::int32_t priority;
  } body{abi::from_cuda(handle).bits, CU_STREAM_DEFAULT, 0};
  client->post(static_cast<std::uint16_t>(abi::Op::cuStreamCreateWithPriority), thread.current(), std::as_bytes(std::span(&body, 1)));
  return handle;
}

}  // namespace

Thread& this_thread() {
  static const pthread_key_t key = make_key();  // frees at the thread's end
  static thread_local Thread* mine = nullptr;
  if (!mine) [[unlikely]] {
    mine = new Thread;
    pthread_setspecific(key, mine);
  }
  return *mine;
}

CUstream resolve_stream(CUstream stream) {
  Thread& thread = this_thread();
  const bool is_default = stream == nullptr && thread.per_thread_default > 0;
  if (!is_default && stream != CU_STREAM_PER_THREAD) return stream;
  CUstream& mine = thread.default_streams[thread.current()];
  if (!objects().streams.find(mine)) mine = make_default_stream(thread);
  return mine;
}

Objects& objects() {
  static Objects* const all = new Objects;
  return *all;
}

}  // namespace weft::interposer
