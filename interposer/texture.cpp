// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects: descriptions with handles in them; the objects themselves are the server's numbers, as kernels get them by value.
#include "interposer/command.hpp"
#include "interposer/copy.hpp"

using namespace weft::interposer;
using weft::abi::Op;

namespace {

template <typename T>
void optional(Command& command, const T* description) {
  command.present(description);
  command.value(description ? *description : T{});
}

}  // namespace

extern "C" {

CUresult cuTexObjectCreate(CUtexObject* pTexObject, const CUDA_RESOURCE_DESC* pResDesc, const CUDA_TEXTURE_DESC* pTexDesc,
                           const CUDA_RESOURCE_VIEW_DESC* pResViewDesc) {
  if (!pTexObject || !pResDesc) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuTexObjectCreate);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.value(*pResDesc);
  optional(command, pTexDesc);
  optional(command, pResViewDesc);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  *pTexObject = command.result<std::uint64_t>();
  return command.complete();
}

CUresult cuSurfObjectCreate(CUsurfObject* pSurfObject, const CUDA_RESOURCE_DESC* pResDesc) {
  if (!pSurfObject || !pResDesc) return CUDA_ERROR_INVALID_VALUE;
  Command command(Op::cuSurfObjectCreate);
  if (CUresult result = command.ready(); result != CUDA_SUCCESS) return result;
  command.value(*pResDesc);
  if (CUresult result = command.call(); result != CUDA_SUCCESS) return result;
  *pSurfObject = command.result<std::uint64_t>();
  return command.complete();
}

}  // extern "C"
