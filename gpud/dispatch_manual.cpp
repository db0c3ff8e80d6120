// SPDX-License-Identifier: Apache-2.0
// Which function serves which hand-written operation.
#include "gpud/operations.hpp"

namespace weft::gpud {

bool dispatch_manual(Call& call) {
  using abi::Op;
  using wire::ControlOp;
  switch (static_cast<ControlOp>(call.op())) {
    case ControlOp::goodbye: goodbye(call); return true;
    case ControlOp::host_function_done: host_function_done(call); return true;
    case ControlOp::image_query: image_query(call); return true;
    case ControlOp::image_ready: image_ready(call); return true;
    case ControlOp::staging_wait: staging_wait(call); return true;
    default: break;
  }
  switch (static_cast<Op>(call.op())) {
    case Op::cuDevicePrimaryCtxRetain: cuDevicePrimaryCtxRetain(call); return true;
    case Op::cuDevicePrimaryCtxRelease_v2: cuDevicePrimaryCtxRelease_v2(call); return true;
    case Op::cuDevicePrimaryCtxReset_v2: cuDevicePrimaryCtxReset_v2(call); return true;
    case Op::cuDevicePrimaryCtxSetFlags_v2: cuDevicePrimaryCtxSetFlags_v2(call); return true;
    case Op::cuCtxCreate_v4: cuCtxCreate_v4(call); return true;
    case Op::cuCtxDestroy_v2: cuCtxDestroy_v2(call); return true;
    case Op::cuCtxSetLimit: cuCtxSetLimit(call); return true;
    case Op::cuCtxSynchronize: cuCtxSynchronize(call); return true;
    case Op::cuStreamSynchronize: cuStreamSynchronize(call); return true;
    case Op::cuStreamQuery: cuStreamQuery(call); return true;
    case Op::cuEventSynchronize: cuEventSynchronize(call); return true;
    case Op::cuEventQuery: cuEventQuery(call); return true;
    case Op::cuStreamCreateWithPriority: cuStreamCreateWithPriority(call); return true;
    case Op::cuStreamDestroy_v2: cuStreamDestroy_v2(call); return true;
    case Op::cuStreamWaitEvent: cuStreamWaitEvent(call); return true;
    case Op::cuEventCreate: cuEventCreate(call); return true;
    case Op::cuEventRecordWithFlags: cuEventRecordWithFlags(call); return true;
    case Op::cuEventDestroy_v2: cuEventDestroy_v2(call); return true;
    case Op::cuIpcOpenEventHandle: cuIpcOpenEventHandle(call); return true;
    case Op::cuLaunchHostFunc: cuLaunchHostFunc(call); return true;
    case Op::cuMemAlloc_v2: cuMemAlloc_v2(call); return true;
    case Op::cuMemAllocPitch_v2: cuMemAllocPitch_v2(call); return true;
    case Op::cuMemFree_v2: cuMemFree_v2(call); return true;
    case Op::cuMemAllocManaged: cuMemAllocManaged(call); return true;
    case Op::cuMemAllocAsync: cuMemAllocAsync(call); return true;
    case Op::cuMemAllocFromPoolAsync: cuMemAllocFromPoolAsync(call); return true;
    case Op::cuMemFreeAsync: cuMemFreeAsync(call); return true;
    case Op::cuMemGetAddressRange_v2: cuMemGetAddressRange_v2(call); return true;
    case Op::cuMemHostRegister_v2: cuMemHostRegister_v2(call); return true;
    case Op::cuMemHostUnregister: cuMemHostUnregister(call); return true;
    case Op::cuIpcOpenMemHandle_v2: cuIpcOpenMemHandle_v2(call); return true;
    case Op::cuIpcCloseMemHandle: cuIpcCloseMemHandle(call); return true;
    case Op::cuMemPoolSetAttribute: cuMemPoolSetAttribute(call); return true;
    case Op::cuMemPoolGetAttribute: cuMemPoolGetAttribute(call); return true;
    case Op::cuPointerGetAttribute: cuPointerGetAttribute(call); return true;
    case Op::cuTexObjectCreate: cuTexObjectCreate(call); return true;
    case Op::cuSurfObjectCreate: cuSurfObjectCreate(call); return true;
    case Op::cuMemcpyHtoDAsync_v2: cuMemcpyHtoDAsync_v2(call); return true;
    case Op::cuMemcpyDtoHAsync_v2: cuMemcpyDtoHAsync_v2(call); return true;
    case Op::cuMemcpyDtoDAsync_v2: cuMemcpyDtoDAsync_v2(call); return true;
    case Op::cuMemcpyPeerAsync: cuMemcpyPeerAsync(call); return true;
    case Op::cuMemcpy3DAsync_v2: cuMemcpy3DAsync_v2(call); return true;
    case Op::cuMemsetD2D8Async: cuMemsetD2D8Async(call); return true;
    case Op::cuModuleLoadDataEx: cuModuleLoadDataEx(call); return true;
    case Op::cuLibraryLoadData: cuLibraryLoadData(call); return true;
    case Op::cuModuleUnload: cuModuleUnload(call); return true;
    case Op::cuLibraryUnload: cuLibraryUnload(call); return true;
    case Op::cuModuleGetFunction: cuModuleGetFunction(call); return true;
    case Op::cuLibraryGetKernel: cuLibraryGetKernel(call); return true;
    case Op::cuKernelGetFunction: cuKernelGetFunction(call); return true;
    case Op::cuLibraryGetModule: cuLibraryGetModule(call); return true;
    case Op::cuModuleEnumerateFunctions: cuModuleEnumerateFunctions(call); return true;
    case Op::cuLibraryEnumerateKernels: cuLibraryEnumerateKernels(call); return true;
    case Op::cuModuleGetGlobal_v2: cuModuleGetGlobal_v2(call); return true;
    case Op::cuLibraryGetGlobal: cuLibraryGetGlobal(call); return true;
    case Op::cuLibraryGetManaged: cuLibraryGetManaged(call); return true;
    case Op::cuFuncSetAttribute: cuFuncSetAttribute(call); return true;
    case Op::cuKernelSetAttribute: cuKernelSetAttribute(call); return true;
    case Op::cuLaunchKernelEx: cuLaunchKernelEx(call); return true;
    case Op::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags: cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(call); return true;
    case Op::cuOccupancyAvailableDynamicSMemPerBlock: cuOccupancyAvailableDynamicSMemPerBlock(call); return true;
    case Op::cuOccupancyMaxPotentialClusterSize: cuOccupancyMaxPotentialClusterSize(call); return true;
    case Op::cuOccupancyMaxActiveClusters: cuOccupancyMaxActiveClusters(call); return true;
    case Op::cuStreamBeginCapture_v2: cuStreamBeginCapture_v2(call); return true;
    case Op::cuStreamBeginCaptureToGraph: cuStreamBeginCaptureToGraph(call); return true;
    case Op::cuStreamEndCapture: cuStreamEndCapture(call); return true;
    case Op::cuStreamGetCaptureInfo_v3: cuStreamGetCaptureInfo_v3(call); return true;
    case Op::cuGraphLaunch: cuGraphLaunch(call); return true;
    case Op::cuGraphExecDestroy: cuGraphExecDestroy(call); return true;
    case Op::cuGraphInstantiateWithParams: cuGraphInstantiateWithParams(call); return true;
    case Op::cuGraphAddKernelNode_v2: cuGraphAddKernelNode_v2(call); return true;
    case Op::cuGraphKernelNodeGetParams_v2: cuGraphKernelNodeGetParams_v2(call); return true;
    case Op::cuGraphKernelNodeSetParams_v2: cuGraphKernelNodeSetParams_v2(call); return true;
    case Op::cuGraphExecKernelNodeSetParams_v2: cuGraphExecKernelNodeSetParams_v2(call); return true;
    case Op::cuGraphAddMemcpyNode: cuGraphAddMemcpyNode(call); return true;
    default: return false;
  }
}

}  // namespace weft::gpud
