// SPDX-License-Identifier: Apache-2.0
#include "abi/export_tables.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "abi/context_local_storage.hpp"
#include "abi/driver_hooks.hpp"
#include "abi/self_test.hpp"
#include "base/log.hpp"

namespace weft::abi {
namespace {

template <std::size_t Slots>
using Table = std::array<void*, Slots>;

template <typename Function>
void* slot(Function* function) {
  return reinterpret_cast<void*>(function);
}

/// A slot that no runtime was seen to call.
CUresult unknown_slot() {
  log::debug("a slot of an export table was called that has no known meaning");
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult nothing() { return CUDA_SUCCESS; }

/// All slots unknown but the first, which holds the table's size in bytes.
template <std::size_t Slots>
Table<Slots> blank() {
  Table<Slots> table;
  table.fill(slot(&unknown_slot));
  table[0] = reinterpret_cast<void*>(sizeof table);
  return table;
}

// --- 6bd5fb6c: the runtime's own entry to primary contexts and modules

CUresult get_primary_context(CUcontext* context, CUdevice device) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  return primary_context_handle(device, context);
}

CUresult load_module(CUmodule* module, const void* image) { return ::cuModuleLoadData(module, image); }
CUresult load_module_from(CUmodule* module, const void* image, void*, void*, void*) { return ::cuModuleLoadData(module, image); }
CUresult load_module_of(const void* image, CUmodule* module, void*, void*, void*) { return ::cuModuleLoadData(module, image); }

const Table<13>& runtime_interface() {
  static const Table<13> table = [] {
    Table<13> t = blank<13>();
    t[1] = slot(&load_module);
    t[2] = slot(&get_primary_context);
    t[6] = slot(&load_module_from);
    t[7] = slot(&nothing);
    t[8] = slot(&load_module_of);
    t[12] = slot(&nothing);
    return t;
  }();
  return table;
}

// --- a094798c: hooks of tools; two zeroed areas that the runtime looks at

CUresult tool_words(void** words, std::size_t* count) {
  static std::uint32_t zeroed[1024];
  if (words) *words = zeroed;
  if (count) *count = std::size(zeroed);
  return CUDA_SUCCESS;
}

CUresult tool_flags(void** flags, std::size_t* count) {
  static std::uint32_t zeroed[14];
  if (flags) *flags = zeroed;
  if (count) *count = std::size(zeroed);
  return CUDA_SUCCESS;
}

const Table<7>& tool_hooks() {
  static const Table<7> table = [] {
    Table<7> t = blank<7>();
    t[1] = slot(&nothing);
    t[2] = slot(&tool_words);
    t[4] = slot(&nothing);
    t[6] = slot(&tool_flags);
    return t;
  }();
  return table;
}

// --- 42d85a81: the context current in this thread

CUresult tools_current_context(CUcontext* context) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  *context = nullptr;
  ::cuCtxGetCurrent(context);
  return CUDA_SUCCESS;
}

const Table<3>& tools_thread() {
  static const Table<3> table = [] {
    Table<3> t = blank<3>();
    t[2] = slot(&tools_current_context);
    return t;
  }();
  return table;
}

// --- c693336e: context-local storage; no size, null at the end

const Table<4>& context_storage() {
  static const Table<4> table{slot(&context_storage_put), slot(&context_storage_delete), slot(&context_storage_get), nullptr};
  return table;
}

// --- 263e8860: checks of a context

CUresult context_check(CUcontext, std::uint32_t* result, const void**) {
  if (result) *result = 0;
  return CUDA_SUCCESS;
}

std::uint32_t context_check_done() { return 0; }

const Table<15>& context_checks() {
  static const Table<15> table = [] {
    Table<15> t = blank<15>();
    t[2] = slot(&context_check);
    t[3] = slot(&context_check_done);
    return t;
  }();
  return table;
}

// --- d4082055: the self-test

const Table<3>& self_test() {
  static const Table<3> table = [] {
    Table<3> t = blank<3>();
    t[1] = slot(&answer_self_test);
    return t;
  }();
  return table;
}

// --- 21318c60: ids of contexts

CUresult context_id(CUcontext context, unsigned long long* id) { return ::cuCtxGetId(context, id); }

const Table<93>& context_tools() {
  static const Table<93> table = [] {
    Table<93> t = blank<93>();
    t[4] = slot(&context_id);
    return t;
  }();
  return table;
}

// --- 6e163fbe: the functions of a module

struct Visit {
  void (*callback)(void*, CUfunction, std::uint64_t);
  void* user;
};

std::uint32_t visit_functions(CUcontext, CUmodule module, void (*callback)(void*, CUfunction, std::uint64_t), void* user) {
  Visit visit{callback, user};
  auto forward = [](void* data, CUfunction function) {
    const auto* to = static_cast<const Visit*>(data);
    to->callback(to->user, function, 0);
  };
  for_each_function(module, forward, &visit);
  return 1;
}

const Table<99>& module_tools() {
  static const Table<99> table = [] {
    Table<99> t = blank<99>();
    t[7] = slot(&visit_functions);
    return t;
  }();
  return table;
}

using Uuid = std::array<std::uint8_t, 16>;

const void* table_of(const Uuid& id) {
  if (id == Uuid{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9}) return &runtime_interface();
  if (id == Uuid{0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74, 0x93, 0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a, 0x66}) return &tool_hooks();
  if (id == Uuid{0x42, 0xd8, 0x5a, 0x81, 0x23, 0xf6, 0xcb, 0x47, 0x82, 0x98, 0xf6, 0xe7, 0x8a, 0x3a, 0xec, 0xdc}) return &tools_thread();
  if (id == Uuid{0xc6, 0x93, 0x33, 0x6e, 0x11, 0x21, 0xdf, 0x11, 0xa8, 0xc3, 0x68, 0xf3, 0x55, 0xd8, 0x95, 0x93}) return &context_storage();
  if (id == Uuid{0x26, 0x3e, 0x88, 0x60, 0x7c, 0xd2, 0x61, 0x43, 0x92, 0xf6, 0xbb, 0xd5, 0x00, 0x6d, 0xfa, 0x7e}) return &context_checks();
  if (id == Uuid{0xd4, 0x08, 0x20, 0x55, 0xbd, 0xe6, 0x70, 0x4b, 0x8d, 0x34, 0xba, 0x12, 0x3c, 0x66, 0xe1, 0xf2}) return self_test_table();
  if (id == Uuid{0x21, 0x31, 0x8c, 0x60, 0x97, 0x14, 0x32, 0x48, 0x8c, 0xa6, 0x41, 0xff, 0x73, 0x24, 0xc8, 0xf2}) return &context_tools();
  if (id == Uuid{0x6e, 0x16, 0x3f, 0xbe, 0xb9, 0x58, 0x44, 0x4d, 0x83, 0x5c, 0xe1, 0x82, 0xaf, 0xf1, 0x99, 0x1e}) return &module_tools();
  return nullptr;
}

}  // namespace

const void* runtime_table() { return &runtime_interface(); }
const void* self_test_table() { return &self_test(); }
const void* self_test_function() { return self_test()[1]; }

CUresult find_export_table(const void** table, const CUuuid* id) {
  if (!table || !id) return CUDA_ERROR_INVALID_VALUE;
  Uuid bytes;
  std::memcpy(bytes.data(), id->bytes, bytes.size());
  *table = table_of(bytes);
  return *table ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

}  // namespace weft::abi
