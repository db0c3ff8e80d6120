// SPDX-License-Identifier: Apache-2.0
// The hand-written operations. Each is a member of one of these groups under its CUDA name; abi/messages.hpp has the bodies that are structs.
#pragma once

#include "gpud/call.hpp"

namespace weft::gpud {

/// Finds a hand-written operation's function; false where there is none.
bool dispatch_manual(Call& call);

// context.cpp
void cuDevicePrimaryCtxRetain(Call& call);
void cuDevicePrimaryCtxRelease_v2(Call& call);
void cuDevicePrimaryCtxReset_v2(Call& call);
void cuDevicePrimaryCtxSetFlags_v2(Call& call);
void cuCtxCreate_v4(Call& call);
void cuCtxDestroy_v2(Call& call);
void cuCtxSetLimit(Call& call);

// synchronise.cpp
void cuCtxSynchronize(Call& call);
void cuStreamSynchronize(Call& call);
void cuStreamQuery(Call& call);
void cuEventSynchronize(Call& call);
void cuEventQuery(Call& call);
void goodbye(Call& call);

// stream.cpp
void cuStreamCreateWithPriority(Call& call);
void cuStreamDestroy_v2(Call& call);
void cuStreamWaitEvent(Call& call);
void cuEventCreate(Call& call);
void cuEventRecordWithFlags(Call& call);
void cuEventDestroy_v2(Call& call);
void cuIpcOpenEventHandle(Call& call);
void cuLaunchHostFunc(Call& call);
void host_function_done(Call& call);

// memory.cpp
void cuMemAlloc_v2(Call& call);
void cuMemAllocPitch_v2(Call& call);
void cuMemFree_v2(Call& call);
void cuMemAllocManaged(Call& call);
void cuMemAllocAsync(Call& call);
void cuMemAllocFromPoolAsync(Call& call);
void cuMemFreeAsync(Call& call);
void cuMemGetAddressRange_v2(Call& call);
void cuMemHostRegister_v2(Call& call);
void cuMemHostUnregister(Call& call);
void cuIpcOpenMemHandle_v2(Call& call);
void cuIpcCloseMemHandle(Call& call);
void cuMemPoolSetAttribute(Call& call);
void cuMemPoolGetAttribute(Call& call);
void cuPointerGetAttribute(Call& call);
void cuTexObjectCreate(Call& call);
void cuSurfObjectCreate(Call& call);

// copy.cpp
void cuMemcpyHtoDAsync_v2(Call& call);
void cuMemcpyDtoHAsync_v2(Call& call);
void cuMemcpyDtoDAsync_v2(Call& call);
void cuMemcpyPeerAsync(Call& call);
void cuMemcpy3DAsync_v2(Call& call);
void cuMemsetD2D8Async(Call& call);
void staging_wait(Call& call);
/// Gives the arrays of a box and its mirrored host sides their meaning here, for a node of a graph; false where one has none.
bool find_box_memory(Call& call, abi::CopyBox& box);

// module.cpp
void cuModuleLoadDataEx(Call& call);
void cuLibraryLoadData(Call& call);
void image_query(Call& call);
void image_ready(Call& call);
void cuModuleUnload(Call& call);
void cuLibraryUnload(Call& call);
void cuModuleGetFunction(Call& call);
void cuLibraryGetKernel(Call& call);
void cuKernelGetFunction(Call& call);
void cuLibraryGetModule(Call& call);
void cuModuleEnumerateFunctions(Call& call);
void cuLibraryEnumerateKernels(Call& call);
void cuModuleGetGlobal_v2(Call& call);
void cuLibraryGetGlobal(Call& call);
void cuLibraryGetManaged(Call& call);
void cuFuncSetAttribute(Call& call);
void cuKernelSetAttribute(Call& call);

// launch.cpp
void cuLaunchKernelEx(Call& call);
void cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(Call& call);
void cuOccupancyAvailableDynamicSMemPerBlock(Call& call);
void cuOccupancyMaxPotentialClusterSize(Call& call);
void cuOccupancyMaxActiveClusters(Call& call);

// graph.cpp
void cuStreamBeginCapture_v2(Call& call);
void cuStreamBeginCaptureToGraph(Call& call);
void cuStreamEndCapture(Call& call);
void cuStreamGetCaptureInfo_v3(Call& call);
void cuGraphLaunch(Call& call);
void cuGraphExecDestroy(Call& call);
void cuGraphInstantiateWithParams(Call& call);
void cuGraphAddKernelNode_v2(Call& call);
void cuGraphKernelNodeGetParams_v2(Call& call);
void cuGraphKernelNodeSetParams_v2(Call& call);
void cuGraphExecKernelNodeSetParams_v2(Call& call);
void cuGraphAddMemcpyNode(Call& call);

}  // namespace weft::gpud
