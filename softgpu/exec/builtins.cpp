// SPDX-License-Identifier: Apache-2.0
#include "softgpu/exec/builtins.hpp"

#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>

#include "softgpu/context.hpp"
#include "softgpu/exec/control.hpp"

namespace weft::softgpu::exec {
namespace {

constexpr std::size_t longest_string = 1 << 20;
constexpr int most_arguments = 32;  // of a printf, as on hardware

struct Output {
  std::mutex mutex;
  std::string text;
};
Output& output() {
  static auto* const one = new Output;
  return *one;
}

template <typename F>
void for_lanes(std::uint32_t mask, F f) {
  for (; mask; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

/// An argument of the call, of this lane.
template <typename T>
T argument(const Warp& w, const Extra& extra, unsigned lane, std::size_t index) {
  T value{};
  const std::uint64_t* triple = extra.numbers.data() + 3 * index;
  std::memcpy(&value, w.frame->local_of(lane) + triple[0], std::min<std::size_t>(sizeof value, triple[2]));
  return value;
}
template <typename T>
void set_result(const Warp& w, const Op& op, const Extra& extra, unsigned lane, T value) {
  const std::uint64_t* triple = extra.numbers.data() + 3 * op.c;
  std::memcpy(w.frame->local_of(lane) + triple[0], &value, std::min<std::size_t>(sizeof value, triple[2]));
}

bool readable(Warp& w, std::uint64_t low, std::uint64_t high) {
  if (w.ranges->known(low, high) || w.ranges->search(low, high)) return true;
  for (const Frame* frame = w.frame; frame; frame = frame->caller) {
    const auto first = reinterpret_cast<std::uint64_t>(frame->local.get());
    if (low >= first && high <= first + std::uint64_t{frame->code->local_bytes} * lanes_per_warp) return true;
  }
  const auto shared = reinterpret_cast<std::uint64_t>(w.block->shared);
  return low >= shared && high <= shared + w.grid->shared_bytes;
}

/// The text at an address; false where the kernel must not read it.
bool string_at(Warp& w, std::uint64_t address, std::string* text) {
  text->clear();
  for (std::uint64_t at = address; text->size() < longest_string; ++at) {
    if (!readable(w, at, at + 1)) return false;
    const char c = *reinterpret_cast<const char*>(at);
    if (!c) return true;
    text->push_back(c);
  }
  return true;
}

/// Formats as the host's printf would, with the arguments from a kernel's buffer, where each is aligned to its size.
class Formatter {
 public:
  Formatter(Warp& w, std::uint64_t arguments) : w_(w), at_(arguments) {}

  bool run(const std::string& format, std::string* into) {
    for (std::size_t i = 0; i < format.size();) {
      if (format[i] != '%') {
        into->push_back(format[i++]);
        continue;
      }
      std::size_t end = format.find_first_not_of("-+ #0123456789.*hlLqjzt", i + 1);
      if (end == std::string::npos) {
        into->append(format, i);
        return true;
      }
      if (!conversion(format.substr(i, end - i), format[end], into)) return false;
      i = end + 1;
    }
    return true;
  }

 private:
  template <typename T>
  bool take(T* value) {
    if (at_ % sizeof(T)) at_ += sizeof(T) - at_ % sizeof(T);
    if (!readable(w_, at_, at_ + sizeof(T)) || ++taken_ > most_arguments) return false;
    std::memcpy(value, reinterpret_cast<const void*>(at_), sizeof(T));
    at_ += sizeof(T);
    return true;
  }

  template <typename T>
  static void print(const std::string& spec, T value, std::string* into) {
    const int length = std::snprintf(nullptr, 0, spec.c_str(), value);
    if (length <= 0 || static_cast<std::size_t>(length) > longest_string) return;
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    std::snprintf(text.data(), text.size(), spec.c_str(), value);
    text.pop_back();
    *into += text;
  }

  bool conversion(std::string spec, char kind, std::string* into) {
    for (std::size_t star; (star = spec.find('*')) != std::string::npos;) {
      std::int32_t width = 0;
      if (!take(&width)) return false;
      spec.replace(star, 1, std::to_string(std::min(width, 4096)));
    }
    const bool is_long = spec.find_first_of("lqjzt") != std::string::npos, is_half = spec.find('h') != std::string::npos;
    const bool is_char = spec.find("hh") != std::string::npos;
    std::erase_if(spec, [](char c) { return std::strchr("hlLqjzt", c); });
    switch (kind) {
      case '%': into->push_back('%'); return true;
      case 'd': case 'i': {
        if (is_long) {
          std::int64_t v;
          if (!take(&v)) return false;
          print(spec + "l" + kind, v, into);
        } else {
          std::int32_t v;
          if (!take(&v)) return false;
          print(spec + kind, is_char ? static_cast<signed char>(v) : is_half ? static_cast<short>(v) : v, into);
        }
        return true;
      }
      case 'u': case 'x': case 'X': case 'o': {
        if (is_long) {
          std::uint64_t v;
          if (!take(&v)) return false;
          print(spec + "l" + kind, v, into);
        } else {
          std::uint32_t v;
          if (!take(&v)) return false;
          print(spec + kind, is_char ? v & 0xff : is_half ? v & 0xffff : v, into);
        }
        return true;
      }
      case 'c': {
        std::int32_t v;
        if (!take(&v)) return false;
        print(spec + kind, v, into);
        return true;
      }
      case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A': {
        double v;
        if (!take(&v)) return false;
        print(spec + kind, v, into);
        return true;
      }
      case 'p': {
        void* v;
        if (!take(&v)) return false;
        print(spec + kind, v, into);
        return true;
      }
      case 's': {
        std::uint64_t v;
        std::string text;
        if (!take(&v)) return false;
        if (v && !string_at(w_, v, &text)) return false;
        print(spec + kind, v ? text.c_str() : "(null)", into);
        return true;
      }
      default: *into += spec + kind; return true;
    }
  }

  Warp& w_;
  std::uint64_t at_;
  int taken_ = 0;
};

/// vprintf(format, arguments): the number of arguments, or -1 where the buffer is full.
void vprintf(Warp& w, const Op& op, const Extra& extra) {
  std::string all;
  bool fine = true;
  unsigned bad = 0;
  for_lanes(w.active, [&](unsigned l) {
    std::string format, text;
    if (!fine) return;
    if (!string_at(w, argument<std::uint64_t>(w, extra, l, 0), &format) || !Formatter(w, argument<std::uint64_t>(w, extra, l, 1)).run(format, &text)) {
      fine = false;
      bad = l;
      return;
    }
    all += text;
  });
  if (!fine) return fault(w, op, CUDA_ERROR_ILLEGAL_ADDRESS, bad, "printf with arguments that can't be read");
  bool room;
  {
    std::lock_guard lock(output().mutex);
    room = output().text.size() + all.size() <= w.grid->printf_bytes;
    if (room) output().text += all;
  }
  for_lanes(w.active, [&](unsigned l) { set_result<std::int32_t>(w, op, extra, l, room ? 1 : -1); });
}

/// The device's heap: allocations like those of the host, as many as cudaLimitMallocHeapSize allows.
void device_malloc(Warp& w, const Op& op, const Extra& extra) {
  for_lanes(w.active, [&](unsigned l) {
    const auto bytes = argument<std::uint64_t>(w, extra, l, 0);
    Lock lock(driver_mutex());
    Context& context = *w.grid->context;
    std::uint64_t address = 0;
    if (bytes && context.heap_bytes <= w.grid->heap_bytes && bytes <= w.grid->heap_bytes - context.heap_bytes)
      address = Driver::get()->memory.allocate(context.device->ordinal, bytes, Allocation::Kind::device, &context);
    if (address) {
      context.heap_bytes += bytes;
      context.heap[address] = bytes;
    }
    set_result(w, op, extra, l, address);
  });
}
void device_free(Warp& w, const Op& op, const Extra& extra) {
  for_lanes(w.active, [&](unsigned l) {
    const auto address = argument<std::uint64_t>(w, extra, l, 0);
    if (!address || !w.running) return;
    {
      Lock lock(driver_mutex());
      Context& context = *w.grid->context;
      if (auto found = context.heap.find(address); found != context.heap.end()) {
        context.heap_bytes -= found->second;
        context.heap.erase(found);
        Driver::get()->memory.free(address);
        w.ranges->clear();
        return;
      }
    }
    fault(w, op, CUDA_ERROR_ILLEGAL_ADDRESS, l, "free of what malloc did not give");
  });
}

/// __assertfail(message, file, line, function, size of a character)
void assert_fail(Warp& w, const Op& op, const Extra& extra) {
  for_lanes(w.active, [&](unsigned l) {
    std::string message, file, function;
    string_at(w, argument<std::uint64_t>(w, extra, l, 0), &message);
    string_at(w, argument<std::uint64_t>(w, extra, l, 1), &file);
    string_at(w, argument<std::uint64_t>(w, extra, l, 3), &function);
    std::uint32_t thread[3];
    thread_index(w, l, thread);
    const std::uint32_t* block = w.block->index;
    std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file.c_str(), argument<std::uint32_t>(w, extra, l, 2), function.c_str(), block[0],
                 block[1], block[2], thread[0], thread[1], thread[2], message.c_str());
  });
  int none_yet = 0;
  w.grid->failure.compare_exchange_strong(none_yet, CUDA_ERROR_ASSERT);
  w.running = false;
  static_cast<void>(op);
}

}  // namespace

Builtin builtin_named(std::string_view name) {
  if (name == "vprintf") return &vprintf;
  if (name == "malloc") return &device_malloc;
  if (name == "free") return &device_free;
  if (name == "__assertfail") return &assert_fail;
  return nullptr;
}

void flush_printf() {
  std::string text;
  {
    std::lock_guard lock(output().mutex);
    text.swap(output().text);
  }
  if (text.empty()) return;
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace weft::softgpu::exec
