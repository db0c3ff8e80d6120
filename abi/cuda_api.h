// SPDX-License-Identifier: Apache-2.0
// The CUDA driver API as weft sees it: every entry point of CUDA 13.0, in the order of <cuda.h>; at the end those of <cudaProfiler.h>. Start here for abi/.
//
// Valid C++: compiled after <cuda.h> (with __CUDA_API_VERSION_INTERNAL) inside extern "C", a signature that is not NVIDIA's is a compile error.
// abi/generate.py reads this file and makes the interposer's stubs, the worker's dispatcher, the names and the cuGetProcAddress table.
//
// Of a function:
//   op(n)             its number on the wire, for ever
//   since(v)          the CUDA version in which this variant appeared, as cuGetProcAddress knows it (n-th PFN_..._vNNNN of cudaTypedefs.h)
//   local             answered from state in the client; its body is hand-written in interposer/
//   async             sent and not waited for; generated. An error surfaces at the next call that reports earlier errors
//   sync              sent and answered; generated
//   manual            hand-written at both ends, under this name
//   unsupported       exported; answers CUDA_ERROR_NOT_SUPPORTED and logs its name once. doc/coverage.md has the reason
//   same_as(f)        another name of f
//   per_thread(f)     f, with the per-thread stream as the default stream
// Of a parameter of an async or sync function (without one: a value or a handle that goes over):
//   in, out, inout    what the pointer points to goes over, comes back, or both; a null pointer stays null
//   create            comes back: a new handle, which the client mints and the worker binds
//   destroy           the handle is dead after a success
//   string            a C string that goes over
//   address           an address on the server, not to be followed here
//   count("e")        the pointer is an array of e elements
//   capacity("n")     an array with room for *n elements, of which *n come back
//   bytes("e")        untyped memory of e bytes

[[weft::op(1), weft::since(6000), weft::local]]
CUresult cuGetErrorString(CUresult error, const char** pStr);

[[weft::op(2), weft::since(6000), weft::local]]
CUresult cuGetErrorName(CUresult error, const char** pStr);

[[weft::op(3), weft::since(2000), weft::local]]
CUresult cuInit(unsigned int Flags);

[[weft::op(4), weft::since(2020), weft::local]]
CUresult cuDriverGetVersion(int* driverVersion);

[[weft::op(5), weft::since(2000), weft::local]]
CUresult cuDeviceGet(CUdevice* device, int ordinal);

[[weft::op(6), weft::since(2000), weft::local]]
CUresult cuDeviceGetCount(int* count);

[[weft::op(7), weft::since(2000), weft::local]]
CUresult cuDeviceGetName(char* name, int len, CUdevice dev);

[[weft::op(8), weft::since(11040), weft::local]]
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice dev);

[[weft::op(9), weft::since(10000), weft::local]]
CUresult cuDeviceGetLuid(char* luid, unsigned int* deviceNodeMask, CUdevice dev);

[[weft::op(10), weft::since(3020), weft::local]]
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice dev);

[[weft::op(11), weft::since(11010), weft::sync]]
CUresult cuDeviceGetTexture1DLinearMaxWidth([[weft::out]] size_t* maxWidthInElements, CUarray_format format, unsigned
    numChannels, CUdevice dev);

[[weft::op(12), weft::since(2000), weft::local]]
CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev);

[[weft::op(13), weft::since(13000), weft::sync]]
CUresult cuDeviceGetHostAtomicCapabilities([[weft::out, weft::count("count")]] unsigned int* capabilities, [[weft::in,
    weft::count("count")]] const CUatomicOperation* operations, unsigned int count, CUdevice dev);

[[weft::op(14), weft::since(10020), weft::unsupported]]
CUresult cuDeviceGetNvSciSyncAttributes(void* nvSciSyncAttrList, CUdevice dev, int flags);

[[weft::op(15), weft::since(11020), weft::sync]]
CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool);

[[weft::op(16), weft::since(11020), weft::sync]]
CUresult cuDeviceGetMemPool([[weft::out]] CUmemoryPool* pool, CUdevice dev);

[[weft::op(17), weft::since(11020), weft::sync]]
CUresult cuDeviceGetDefaultMemPool([[weft::out]] CUmemoryPool* pool_out, CUdevice dev);

[[weft::op(18), weft::since(11040), weft::sync]]
CUresult cuDeviceGetExecAffinitySupport([[weft::out]] int* pi, CUexecAffinityType type, CUdevice dev);

[[weft::op(19), weft::since(11030), weft::sync]]
CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target, CUflushGPUDirectRDMAWritesScope scope);

[[weft::op(20), weft::since(2000), weft::local]]
CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice dev);

[[weft::op(21), weft::since(2000), weft::local]]
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev);

[[weft::op(22), weft::since(7000), weft::manual]]
CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev);

[[weft::op(23), weft::since(11000), weft::manual]]
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev);

[[weft::op(24), weft::since(11000), weft::manual]]
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags);

[[weft::op(25), weft::since(7000), weft::local]]
CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active);

[[weft::op(26), weft::since(11000), weft::manual]]
CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev);

[[weft::op(27), weft::since(12050), weft::manual]]
CUresult cuCtxCreate_v4(CUcontext* pctx, CUctxCreateParams* ctxCreateParams, unsigned int flags, CUdevice dev);

[[weft::op(28), weft::since(4000), weft::manual]]
CUresult cuCtxDestroy_v2(CUcontext ctx);

[[weft::op(29), weft::since(4000), weft::local]]
CUresult cuCtxPushCurrent_v2(CUcontext ctx);

[[weft::op(30), weft::since(4000), weft::local]]
CUresult cuCtxPopCurrent_v2(CUcontext* pctx);

[[weft::op(31), weft::since(4000), weft::local]]
CUresult cuCtxSetCurrent(CUcontext ctx);

[[weft::op(32), weft::since(4000), weft::local]]
CUresult cuCtxGetCurrent(CUcontext* pctx);

[[weft::op(33), weft::since(2000), weft::local]]
CUresult cuCtxGetDevice(CUdevice* device);

[[weft::op(34), weft::since(13000), weft::local]]
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx);

[[weft::op(35), weft::since(7000), weft::local]]
CUresult cuCtxGetFlags(unsigned int* flags);

[[weft::op(36), weft::since(12010), weft::sync]]
CUresult cuCtxSetFlags(unsigned int flags);

[[weft::op(37), weft::since(12000), weft::local]]
CUresult cuCtxGetId(CUcontext ctx, unsigned long long* ctxId);

[[weft::op(38), weft::since(2000), weft::manual]]
CUresult cuCtxSynchronize(void);

[[weft::op(39), weft::since(13000), weft::manual]]
CUresult cuCtxSynchronize_v2(CUcontext ctx);

[[weft::op(40), weft::since(3010), weft::manual]]
CUresult cuCtxSetLimit(CUlimit limit, size_t value);

[[weft::op(41), weft::since(3010), weft::manual]]
CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit);

[[weft::op(42), weft::since(3020), weft::sync]]
CUresult cuCtxGetCacheConfig([[weft::out]] CUfunc_cache* pconfig);

[[weft::op(43), weft::since(3020), weft::async]]
CUresult cuCtxSetCacheConfig(CUfunc_cache config);

[[weft::op(44), weft::since(3020), weft::local]]
CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version);

[[weft::op(45), weft::since(5050), weft::local]]
CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority);

[[weft::op(46), weft::since(11000), weft::async]]
CUresult cuCtxResetPersistingL2Cache(void);

[[weft::op(47), weft::since(11040), weft::unsupported]]
CUresult cuCtxGetExecAffinity(CUexecAffinityParam* pExecAffinity, CUexecAffinityType type);

[[weft::op(48), weft::since(12050), weft::unsupported]]
CUresult cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent);

[[weft::op(49), weft::since(12050), weft::unsupported]]
CUresult cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent);

[[weft::op(50), weft::since(2000), weft::local]]
CUresult cuCtxAttach(CUcontext* pctx, unsigned int flags);

[[weft::op(51), weft::since(2000), weft::local]]
CUresult cuCtxDetach(CUcontext ctx);

[[weft::op(52), weft::since(4020), weft::sync]]
CUresult cuCtxGetSharedMemConfig([[weft::out]] CUsharedconfig* pConfig);

[[weft::op(53), weft::since(4020), weft::async]]
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config);

[[weft::op(54), weft::since(2000), weft::manual]]
CUresult cuModuleLoad(CUmodule* module, const char* fname);

[[weft::op(55), weft::since(2000), weft::manual]]
CUresult cuModuleLoadData(CUmodule* module, const void* image);

[[weft::op(56), weft::since(2010), weft::manual]]
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int numOptions, CUjit_option* options,
    void** optionValues);

[[weft::op(57), weft::since(2000), weft::manual]]
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin);

[[weft::op(58), weft::since(2000), weft::manual]]
CUresult cuModuleUnload(CUmodule hmod);

[[weft::op(59), weft::since(11070), weft::local]]
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode);

[[weft::op(60), weft::since(2000), weft::manual]]
CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name);

[[weft::op(61), weft::since(12040), weft::manual]]
CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule mod);

[[weft::op(62), weft::since(12040), weft::manual]]
CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int numFunctions, CUmodule mod);

[[weft::op(63), weft::since(3020), weft::manual]]
CUresult cuModuleGetGlobal_v2(CUdeviceptr* dptr, size_t* bytes, CUmodule hmod, const char* name);

[[weft::op(64), weft::since(6050), weft::unsupported]]
CUresult cuLinkCreate_v2(unsigned int numOptions, CUjit_option* options, void** optionValues, CUlinkState* stateOut);

[[weft::op(65), weft::since(6050), weft::unsupported]]
CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name, unsigned
    int numOptions, CUjit_option* options, void** optionValues);

[[weft::op(66), weft::since(6050), weft::unsupported]]
CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path, unsigned int numOptions,
    CUjit_option* options, void** optionValues);

[[weft::op(67), weft::since(5050), weft::unsupported]]
CUresult cuLinkComplete(CUlinkState state, void** cubinOut, size_t* sizeOut);

[[weft::op(68), weft::since(5050), weft::unsupported]]
CUresult cuLinkDestroy(CUlinkState state);

[[weft::op(69), weft::since(2000), weft::sync]]
CUresult cuModuleGetTexRef([[weft::create]] CUtexref* pTexRef, CUmodule hmod, [[weft::string]] const char* name);

[[weft::op(70), weft::since(3000), weft::sync]]
CUresult cuModuleGetSurfRef([[weft::create]] CUsurfref* pSurfRef, CUmodule hmod, [[weft::string]] const char* name);

[[weft::op(71), weft::since(12000), weft::manual]]
CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jitOptions, void** jitOptionsValues,
    unsigned int numJitOptions, CUlibraryOption* libraryOptions, void** libraryOptionValues, unsigned int
    numLibraryOptions);

[[weft::op(72), weft::since(12000), weft::manual]]
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* fileName, CUjit_option* jitOptions, void**
    jitOptionsValues, unsigned int numJitOptions, CUlibraryOption* libraryOptions, void** libraryOptionValues,
    unsigned int numLibraryOptions);

[[weft::op(73), weft::since(12000), weft::manual]]
CUresult cuLibraryUnload(CUlibrary library);

[[weft::op(74), weft::since(12000), weft::manual]]
CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name);

[[weft::op(75), weft::since(12040), weft::manual]]
CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib);

[[weft::op(76), weft::since(12040), weft::manual]]
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int numKernels, CUlibrary lib);

[[weft::op(77), weft::since(12000), weft::manual]]
CUresult cuLibraryGetModule(CUmodule* pMod, CUlibrary library);

[[weft::op(78), weft::since(12000), weft::manual]]
CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel);

[[weft::op(79), weft::since(12050), weft::local]]
CUresult cuKernelGetLibrary(CUlibrary* pLib, CUkernel kernel);

[[weft::op(80), weft::since(12000), weft::manual]]
CUresult cuLibraryGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name);

[[weft::op(81), weft::since(12000), weft::manual]]
CUresult cuLibraryGetManaged(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name);

[[weft::op(82), weft::since(12000), weft::unsupported]]
CUresult cuLibraryGetUnifiedFunction(void** fptr, CUlibrary library, const char* symbol);

[[weft::op(83), weft::since(12000), weft::manual]]
CUresult cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev);

[[weft::op(84), weft::since(12000), weft::manual]]
CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev);

[[weft::op(85), weft::since(12000), weft::async]]
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev);

[[weft::op(86), weft::since(12030), weft::local]]
CUresult cuKernelGetName(const char** name, CUkernel hfunc);

[[weft::op(87), weft::since(12040), weft::local]]
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t* paramOffset, size_t* paramSize);

[[weft::op(88), weft::since(3020), weft::sync]]
CUresult cuMemGetInfo_v2([[weft::out]] size_t* free, [[weft::out]] size_t* total);

[[weft::op(89), weft::since(3020), weft::manual]]
CUresult cuMemAlloc_v2(CUdeviceptr* dptr, size_t bytesize);

[[weft::op(90), weft::since(3020), weft::manual]]
CUresult cuMemAllocPitch_v2(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height, unsigned int
    ElementSizeBytes);

[[weft::op(91), weft::since(3020), weft::manual]]
CUresult cuMemFree_v2(CUdeviceptr dptr);

[[weft::op(92), weft::since(3020), weft::manual]]
CUresult cuMemGetAddressRange_v2(CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr);

[[weft::op(93), weft::since(3020), weft::manual]]
CUresult cuMemAllocHost_v2(void** pp, size_t bytesize);

[[weft::op(94), weft::since(2000), weft::manual]]
CUresult cuMemFreeHost(void* p);

[[weft::op(95), weft::since(2020), weft::manual]]
CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags);

[[weft::op(96), weft::since(3020), weft::local]]
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* pdptr, void* p, unsigned int Flags);

[[weft::op(97), weft::since(2030), weft::local]]
CUresult cuMemHostGetFlags(unsigned int* pFlags, void* p);

[[weft::op(98), weft::since(6000), weft::manual]]
CUresult cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags);

[[weft::op(99), weft::since(12040), weft::unsupported]]
CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callbackFunc, void* userData,
    CUasyncCallbackHandle* callback);

[[weft::op(100), weft::since(12040), weft::unsupported]]
CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle callback);

[[weft::op(101), weft::since(4010), weft::local]]
CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId);

[[weft::op(102), weft::since(4010), weft::local]]
CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev);

[[weft::op(103), weft::since(4010), weft::sync]]
CUresult cuIpcGetEventHandle([[weft::out]] CUipcEventHandle* pHandle, CUevent event);

[[weft::op(104), weft::since(4010), weft::manual]]
CUresult cuIpcOpenEventHandle(CUevent* phEvent, CUipcEventHandle handle);

[[weft::op(105), weft::since(4010), weft::sync]]
CUresult cuIpcGetMemHandle([[weft::out]] CUipcMemHandle* pHandle, CUdeviceptr dptr);

[[weft::op(106), weft::since(11000), weft::manual]]
CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags);

[[weft::op(107), weft::since(4010), weft::manual]]
CUresult cuIpcCloseMemHandle(CUdeviceptr dptr);

[[weft::op(108), weft::since(6050), weft::manual]]
CUresult cuMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags);

[[weft::op(109), weft::since(4000), weft::manual]]
CUresult cuMemHostUnregister(void* p);

[[weft::op(110), weft::since(7000), weft::per_thread(cuMemcpy)]]
CUresult cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);

[[weft::op(111), weft::since(7000), weft::per_thread(cuMemcpyPeer)]]
CUresult cuMemcpyPeer_ptds(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
    size_t ByteCount);

[[weft::op(112), weft::since(7000), weft::per_thread(cuMemcpyHtoD_v2)]]
CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount);

[[weft::op(113), weft::since(7000), weft::per_thread(cuMemcpyDtoH_v2)]]
CUresult cuMemcpyDtoH_v2_ptds(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount);

[[weft::op(114), weft::since(7000), weft::per_thread(cuMemcpyDtoD_v2)]]
CUresult cuMemcpyDtoD_v2_ptds(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount);

[[weft::op(115), weft::since(7000), weft::per_thread(cuMemcpyDtoA_v2)]]
CUresult cuMemcpyDtoA_v2_ptds(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount);

[[weft::op(116), weft::since(7000), weft::per_thread(cuMemcpyAtoD_v2)]]
CUresult cuMemcpyAtoD_v2_ptds(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount);

[[weft::op(117), weft::since(7000), weft::per_thread(cuMemcpyHtoA_v2)]]
CUresult cuMemcpyHtoA_v2_ptds(CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount);

[[weft::op(118), weft::since(7000), weft::per_thread(cuMemcpyAtoH_v2)]]
CUresult cuMemcpyAtoH_v2_ptds(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount);

[[weft::op(119), weft::since(7000), weft::per_thread(cuMemcpyAtoA_v2)]]
CUresult cuMemcpyAtoA_v2_ptds(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount);

[[weft::op(120), weft::since(7000), weft::per_thread(cuMemcpy2D_v2)]]
CUresult cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D* pCopy);

[[weft::op(121), weft::since(7000), weft::per_thread(cuMemcpy2DUnaligned_v2)]]
CUresult cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D* pCopy);

[[weft::op(122), weft::since(7000), weft::per_thread(cuMemcpy3D_v2)]]
CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D* pCopy);

[[weft::op(123), weft::since(7000), weft::per_thread(cuMemcpy3DPeer)]]
CUresult cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D_PEER* pCopy);

[[weft::op(124), weft::since(7000), weft::per_thread(cuMemcpyAsync)]]
CUresult cuMemcpyAsync_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream);

[[weft::op(125), weft::since(7000), weft::per_thread(cuMemcpyPeerAsync)]]
CUresult cuMemcpyPeerAsync_ptsz(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext
    srcContext, size_t ByteCount, CUstream hStream);

[[weft::op(126), weft::since(7000), weft::per_thread(cuMemcpyHtoDAsync_v2)]]
CUresult cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount, CUstream hStream);

[[weft::op(127), weft::since(7000), weft::per_thread(cuMemcpyDtoHAsync_v2)]]
CUresult cuMemcpyDtoHAsync_v2_ptsz(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream);

[[weft::op(128), weft::since(7000), weft::per_thread(cuMemcpyDtoDAsync_v2)]]
CUresult cuMemcpyDtoDAsync_v2_ptsz(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream);

[[weft::op(129), weft::since(7000), weft::per_thread(cuMemcpyHtoAAsync_v2)]]
CUresult cuMemcpyHtoAAsync_v2_ptsz(CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount, CUstream
    hStream);

[[weft::op(130), weft::since(7000), weft::per_thread(cuMemcpyAtoHAsync_v2)]]
CUresult cuMemcpyAtoHAsync_v2_ptsz(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream
    hStream);

[[weft::op(131), weft::since(7000), weft::per_thread(cuMemcpy2DAsync_v2)]]
CUresult cuMemcpy2DAsync_v2_ptsz(const CUDA_MEMCPY2D* pCopy, CUstream hStream);

[[weft::op(132), weft::since(7000), weft::per_thread(cuMemcpy3DAsync_v2)]]
CUresult cuMemcpy3DAsync_v2_ptsz(const CUDA_MEMCPY3D* pCopy, CUstream hStream);

[[weft::op(133), weft::since(7000), weft::per_thread(cuMemcpy3DPeerAsync)]]
CUresult cuMemcpy3DPeerAsync_ptsz(const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream);

[[weft::op(134), weft::since(13000), weft::per_thread(cuMemcpyBatchAsync_v2)]]
CUresult cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
    CUmemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs, CUstream hStream);

[[weft::op(135), weft::since(13000), weft::per_thread(cuMemcpy3DBatchAsync_v2)]]
CUresult cuMemcpy3DBatchAsync_v2_ptsz(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList, unsigned long long flags,
    CUstream hStream);

[[weft::op(136), weft::since(7000), weft::per_thread(cuMemsetD8_v2)]]
CUresult cuMemsetD8_v2_ptds(CUdeviceptr dstDevice, unsigned char uc, size_t N);

[[weft::op(137), weft::since(7000), weft::per_thread(cuMemsetD16_v2)]]
CUresult cuMemsetD16_v2_ptds(CUdeviceptr dstDevice, unsigned short us, size_t N);

[[weft::op(138), weft::since(7000), weft::per_thread(cuMemsetD32_v2)]]
CUresult cuMemsetD32_v2_ptds(CUdeviceptr dstDevice, unsigned int ui, size_t N);

[[weft::op(139), weft::since(7000), weft::per_thread(cuMemsetD2D8_v2)]]
CUresult cuMemsetD2D8_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height);

[[weft::op(140), weft::since(7000), weft::per_thread(cuMemsetD2D16_v2)]]
CUresult cuMemsetD2D16_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height);

[[weft::op(141), weft::since(7000), weft::per_thread(cuMemsetD2D32_v2)]]
CUresult cuMemsetD2D32_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height);

[[weft::op(142), weft::since(7000), weft::per_thread(cuMemsetD8Async)]]
CUresult cuMemsetD8Async_ptsz(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream);

[[weft::op(143), weft::since(7000), weft::per_thread(cuMemsetD16Async)]]
CUresult cuMemsetD16Async_ptsz(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream);

[[weft::op(144), weft::since(7000), weft::per_thread(cuMemsetD32Async)]]
CUresult cuMemsetD32Async_ptsz(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream);

[[weft::op(145), weft::since(7000), weft::per_thread(cuMemsetD2D8Async)]]
CUresult cuMemsetD2D8Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height,
    CUstream hStream);

[[weft::op(146), weft::since(7000), weft::per_thread(cuMemsetD2D16Async)]]
CUresult cuMemsetD2D16Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t
    Height, CUstream hStream);

[[weft::op(147), weft::since(7000), weft::per_thread(cuMemsetD2D32Async)]]
CUresult cuMemsetD2D32Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height,
    CUstream hStream);

[[weft::op(148), weft::since(3020), weft::sync]]
CUresult cuArrayCreate_v2([[weft::create]] CUarray* pHandle, [[weft::in]] const CUDA_ARRAY_DESCRIPTOR* pAllocateArray);

[[weft::op(149), weft::since(3020), weft::sync]]
CUresult cuArrayGetDescriptor_v2([[weft::out]] CUDA_ARRAY_DESCRIPTOR* pArrayDescriptor, CUarray hArray);

[[weft::op(150), weft::since(11010), weft::sync]]
CUresult cuArrayGetSparseProperties([[weft::out]] CUDA_ARRAY_SPARSE_PROPERTIES* sparseProperties, CUarray array);

[[weft::op(151), weft::since(11010), weft::sync]]
CUresult cuMipmappedArrayGetSparseProperties([[weft::out]] CUDA_ARRAY_SPARSE_PROPERTIES* sparseProperties,
    CUmipmappedArray mipmap);

[[weft::op(152), weft::since(11060), weft::sync]]
CUresult cuArrayGetMemoryRequirements([[weft::out]] CUDA_ARRAY_MEMORY_REQUIREMENTS* memoryRequirements, CUarray array,
    CUdevice device);

[[weft::op(153), weft::since(11060), weft::sync]]
CUresult cuMipmappedArrayGetMemoryRequirements([[weft::out]] CUDA_ARRAY_MEMORY_REQUIREMENTS* memoryRequirements,
    CUmipmappedArray mipmap, CUdevice device);

[[weft::op(154), weft::since(11020), weft::sync]]
CUresult cuArrayGetPlane([[weft::out]] CUarray* pPlaneArray, CUarray hArray, unsigned int planeIdx);

[[weft::op(155), weft::since(2000), weft::async]]
CUresult cuArrayDestroy([[weft::destroy]] CUarray hArray);

[[weft::op(156), weft::since(3020), weft::sync]]
CUresult cuArray3DCreate_v2([[weft::create]] CUarray* pHandle, [[weft::in]] const CUDA_ARRAY3D_DESCRIPTOR*
    pAllocateArray);

[[weft::op(157), weft::since(3020), weft::sync]]
CUresult cuArray3DGetDescriptor_v2([[weft::out]] CUDA_ARRAY3D_DESCRIPTOR* pArrayDescriptor, CUarray hArray);

[[weft::op(158), weft::since(5000), weft::sync]]
CUresult cuMipmappedArrayCreate([[weft::create]] CUmipmappedArray* pHandle, [[weft::in]] const
    CUDA_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc, unsigned int numMipmapLevels);

[[weft::op(159), weft::since(5000), weft::sync]]
CUresult cuMipmappedArrayGetLevel([[weft::out]] CUarray* pLevelArray, CUmipmappedArray hMipmappedArray, unsigned int
    level);

[[weft::op(160), weft::since(5000), weft::async]]
CUresult cuMipmappedArrayDestroy([[weft::destroy]] CUmipmappedArray hMipmappedArray);

[[weft::op(161), weft::since(11070), weft::unsupported]]
CUresult cuMemGetHandleForAddressRange(void* handle, CUdeviceptr dptr, size_t size, CUmemRangeHandleType handleType,
    unsigned long long flags);

[[weft::op(162), weft::since(12060), weft::per_thread(cuMemBatchDecompressAsync)]]
CUresult cuMemBatchDecompressAsync_ptsz(CUmemDecompressParams* paramsArray, size_t count, unsigned int flags, size_t*
    errorIndex, CUstream stream);

[[weft::op(163), weft::since(10020), weft::sync]]
CUresult cuMemAddressReserve([[weft::out]] CUdeviceptr* ptr, size_t size, size_t alignment, CUdeviceptr addr, unsigned
    long long flags);

[[weft::op(164), weft::since(10020), weft::sync]]
CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size);

[[weft::op(165), weft::since(10020), weft::sync]]
CUresult cuMemCreate([[weft::out]] CUmemGenericAllocationHandle* handle, size_t size, [[weft::in]] const
    CUmemAllocationProp* prop, unsigned long long flags);

[[weft::op(166), weft::since(10020), weft::sync]]
CUresult cuMemRelease(CUmemGenericAllocationHandle handle);

[[weft::op(167), weft::since(10020), weft::sync]]
CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long
    flags);

[[weft::op(168), weft::since(11010), weft::per_thread(cuMemMapArrayAsync)]]
CUresult cuMemMapArrayAsync_ptsz(CUarrayMapInfo* mapInfoList, unsigned int count, CUstream hStream);

[[weft::op(169), weft::since(10020), weft::sync]]
CUresult cuMemUnmap(CUdeviceptr ptr, size_t size);

[[weft::op(170), weft::since(10020), weft::sync]]
CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, [[weft::in, weft::count("count")]] const CUmemAccessDesc* desc,
    size_t count);

[[weft::op(171), weft::since(10020), weft::sync]]
CUresult cuMemGetAccess([[weft::out]] unsigned long long* flags, [[weft::in]] const CUmemLocation* location,
    CUdeviceptr ptr);

[[weft::op(172), weft::since(10020), weft::unsupported]]
CUresult cuMemExportToShareableHandle(void* shareableHandle, CUmemGenericAllocationHandle handle,
    CUmemAllocationHandleType handleType, unsigned long long flags);

[[weft::op(173), weft::since(10020), weft::unsupported]]
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* osHandle,
    CUmemAllocationHandleType shHandleType);

[[weft::op(174), weft::since(10020), weft::sync]]
CUresult cuMemGetAllocationGranularity([[weft::out]] size_t* granularity, [[weft::in]] const CUmemAllocationProp*
    prop, CUmemAllocationGranularity_flags option);

[[weft::op(175), weft::since(10020), weft::sync]]
CUresult cuMemGetAllocationPropertiesFromHandle([[weft::out]] CUmemAllocationProp* prop, CUmemGenericAllocationHandle
    handle);

[[weft::op(176), weft::since(11000), weft::sync]]
CUresult cuMemRetainAllocationHandle([[weft::out]] CUmemGenericAllocationHandle* handle, [[weft::address]] void* addr);

[[weft::op(177), weft::since(11020), weft::per_thread(cuMemFreeAsync)]]
CUresult cuMemFreeAsync_ptsz(CUdeviceptr dptr, CUstream hStream);

[[weft::op(178), weft::since(11020), weft::per_thread(cuMemAllocAsync)]]
CUresult cuMemAllocAsync_ptsz(CUdeviceptr* dptr, size_t bytesize, CUstream hStream);

[[weft::op(179), weft::since(11020), weft::sync]]
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep);

[[weft::op(180), weft::since(11020), weft::manual]]
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value);

[[weft::op(181), weft::since(11020), weft::manual]]
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value);

[[weft::op(182), weft::since(11020), weft::sync]]
CUresult cuMemPoolSetAccess(CUmemoryPool pool, [[weft::in, weft::count("count")]] const CUmemAccessDesc* map, size_t
    count);

[[weft::op(183), weft::since(11020), weft::sync]]
CUresult cuMemPoolGetAccess([[weft::out]] CUmemAccess_flags* flags, CUmemoryPool memPool, [[weft::in]] CUmemLocation*
    location);

[[weft::op(184), weft::since(11020), weft::sync]]
CUresult cuMemPoolCreate([[weft::create]] CUmemoryPool* pool, [[weft::in]] const CUmemPoolProps* poolProps);

[[weft::op(185), weft::since(11020), weft::sync]]
CUresult cuMemPoolDestroy([[weft::destroy]] CUmemoryPool pool);

[[weft::op(186), weft::since(13000), weft::sync]]
CUresult cuMemGetDefaultMemPool([[weft::out]] CUmemoryPool* pool_out, [[weft::in]] CUmemLocation* location,
    CUmemAllocationType type);

[[weft::op(187), weft::since(13000), weft::sync]]
CUresult cuMemGetMemPool([[weft::out]] CUmemoryPool* pool, [[weft::in]] CUmemLocation* location, CUmemAllocationType
    type);

[[weft::op(188), weft::since(13000), weft::sync]]
CUresult cuMemSetMemPool([[weft::in]] CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool);

[[weft::op(189), weft::since(11020), weft::per_thread(cuMemAllocFromPoolAsync)]]
CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream);

[[weft::op(190), weft::since(11020), weft::unsupported]]
CUresult cuMemPoolExportToShareableHandle(void* handle_out, CUmemoryPool pool, CUmemAllocationHandleType handleType,
    unsigned long long flags);

[[weft::op(191), weft::since(11020), weft::unsupported]]
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool_out, void* handle, CUmemAllocationHandleType
    handleType, unsigned long long flags);

[[weft::op(192), weft::since(11020), weft::unsupported]]
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* shareData_out, CUdeviceptr ptr);

[[weft::op(193), weft::since(11020), weft::unsupported]]
CUresult cuMemPoolImportPointer(CUdeviceptr* ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData* shareData);

[[weft::op(194), weft::since(12010), weft::unsupported]]
CUresult cuMulticastCreate(CUmemGenericAllocationHandle* mcHandle, const CUmulticastObjectProp* prop);

[[weft::op(195), weft::since(12010), weft::unsupported]]
CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle mcHandle, CUdevice dev);

[[weft::op(196), weft::since(12010), weft::unsupported]]
CUresult cuMulticastBindMem(CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUmemGenericAllocationHandle
    memHandle, size_t memOffset, size_t size, unsigned long long flags);

[[weft::op(197), weft::since(12010), weft::unsupported]]
CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUdeviceptr memptr, size_t size,
    unsigned long long flags);

[[weft::op(198), weft::since(12010), weft::unsupported]]
CUresult cuMulticastUnbind(CUmemGenericAllocationHandle mcHandle, CUdevice dev, size_t mcOffset, size_t size);

[[weft::op(199), weft::since(12010), weft::unsupported]]
CUresult cuMulticastGetGranularity(size_t* granularity, const CUmulticastObjectProp* prop,
    CUmulticastGranularity_flags option);

[[weft::op(200), weft::since(4000), weft::manual]]
CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr ptr);

[[weft::op(201), weft::since(12020), weft::per_thread(cuMemPrefetchAsync_v2)]]
CUresult cuMemPrefetchAsync_v2_ptsz(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
    CUstream hStream);

[[weft::op(202), weft::since(12020), weft::local]]
CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location);

[[weft::op(203), weft::since(13000), weft::per_thread(cuMemPrefetchBatchAsync)]]
CUresult cuMemPrefetchBatchAsync_ptsz(CUdeviceptr* dptrs, size_t* sizes, size_t count, CUmemLocation* prefetchLocs,
    size_t* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags, CUstream hStream);

[[weft::op(204), weft::since(13000), weft::per_thread(cuMemDiscardBatchAsync)]]
CUresult cuMemDiscardBatchAsync_ptsz(CUdeviceptr* dptrs, size_t* sizes, size_t count, unsigned long long flags,
    CUstream hStream);

[[weft::op(205), weft::since(13000), weft::per_thread(cuMemDiscardAndPrefetchBatchAsync)]]
CUresult cuMemDiscardAndPrefetchBatchAsync_ptsz(CUdeviceptr* dptrs, size_t* sizes, size_t count, CUmemLocation*
    prefetchLocs, size_t* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags, CUstream hStream);

[[weft::op(206), weft::since(8000), weft::manual]]
CUresult cuMemRangeGetAttribute(void* data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr,
    size_t count);

[[weft::op(207), weft::since(8000), weft::manual]]
CUresult cuMemRangeGetAttributes(void** data, size_t* dataSizes, CUmem_range_attribute* attributes, size_t
    numAttributes, CUdeviceptr devPtr, size_t count);

[[weft::op(208), weft::since(6000), weft::sync]]
CUresult cuPointerSetAttribute([[weft::in, weft::bytes("sizeof(unsigned int)")]] const void* value,
    CUpointer_attribute attribute, CUdeviceptr ptr);

[[weft::op(209), weft::since(7000), weft::manual]]
CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute* attributes, void** data, CUdeviceptr
    ptr);

[[weft::op(210), weft::since(2000), weft::manual]]
CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags);

[[weft::op(211), weft::since(5050), weft::manual]]
CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags, int priority);

[[weft::op(212), weft::since(7000), weft::per_thread(cuStreamGetPriority)]]
CUresult cuStreamGetPriority_ptsz(CUstream hStream, int* priority);

[[weft::op(213), weft::since(12080), weft::per_thread(cuStreamGetDevice)]]
CUresult cuStreamGetDevice_ptsz(CUstream hStream, CUdevice* device);

[[weft::op(214), weft::since(7000), weft::per_thread(cuStreamGetFlags)]]
CUresult cuStreamGetFlags_ptsz(CUstream hStream, unsigned int* flags);

[[weft::op(215), weft::since(12000), weft::per_thread(cuStreamGetId)]]
CUresult cuStreamGetId_ptsz(CUstream hStream, unsigned long long* streamId);

[[weft::op(216), weft::since(9020), weft::per_thread(cuStreamGetCtx)]]
CUresult cuStreamGetCtx_ptsz(CUstream hStream, CUcontext* pctx);

[[weft::op(217), weft::since(12050), weft::per_thread(cuStreamGetCtx_v2)]]
CUresult cuStreamGetCtx_v2_ptsz(CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx);

[[weft::op(218), weft::since(7000), weft::per_thread(cuStreamWaitEvent)]]
CUresult cuStreamWaitEvent_ptsz(CUstream hStream, CUevent hEvent, unsigned int Flags);

[[weft::op(219), weft::since(7000), weft::per_thread(cuStreamAddCallback)]]
CUresult cuStreamAddCallback_ptsz(CUstream hStream, CUstreamCallback callback, void* userData, unsigned int flags);

[[weft::op(220), weft::since(10010), weft::per_thread(cuStreamBeginCapture_v2)]]
CUresult cuStreamBeginCapture_v2_ptsz(CUstream hStream, CUstreamCaptureMode mode);

[[weft::op(221), weft::since(12030), weft::per_thread(cuStreamBeginCaptureToGraph)]]
CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream hStream, CUgraph hGraph, const CUgraphNode* dependencies, const
    CUgraphEdgeData* dependencyData, size_t numDependencies, CUstreamCaptureMode mode);

[[weft::op(222), weft::since(10010), weft::local]]
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode);

[[weft::op(223), weft::since(10000), weft::per_thread(cuStreamEndCapture)]]
CUresult cuStreamEndCapture_ptsz(CUstream hStream, CUgraph* phGraph);

[[weft::op(224), weft::since(10000), weft::per_thread(cuStreamIsCapturing)]]
CUresult cuStreamIsCapturing_ptsz(CUstream hStream, CUstreamCaptureStatus* captureStatus);

[[weft::op(225), weft::since(12030), weft::per_thread(cuStreamGetCaptureInfo_v3)]]
CUresult cuStreamGetCaptureInfo_v3_ptsz(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t*
    id_out, CUgraph* graph_out, const CUgraphNode** dependencies_out, const CUgraphEdgeData** edgeData_out, size_t*
    numDependencies_out);

[[weft::op(226), weft::since(12030), weft::per_thread(cuStreamUpdateCaptureDependencies_v2)]]
CUresult cuStreamUpdateCaptureDependencies_v2_ptsz(CUstream hStream, CUgraphNode* dependencies, const CUgraphEdgeData*
    dependencyData, size_t numDependencies, unsigned int flags);

[[weft::op(227), weft::since(7000), weft::per_thread(cuStreamAttachMemAsync)]]
CUresult cuStreamAttachMemAsync_ptsz(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags);

[[weft::op(228), weft::since(7000), weft::per_thread(cuStreamQuery)]]
CUresult cuStreamQuery_ptsz(CUstream hStream);

[[weft::op(229), weft::since(7000), weft::per_thread(cuStreamSynchronize)]]
CUresult cuStreamSynchronize_ptsz(CUstream hStream);

[[weft::op(230), weft::since(4000), weft::manual]]
CUresult cuStreamDestroy_v2(CUstream hStream);

[[weft::op(231), weft::since(11000), weft::per_thread(cuStreamCopyAttributes)]]
CUresult cuStreamCopyAttributes_ptsz(CUstream dst, CUstream src);

[[weft::op(232), weft::since(11000), weft::per_thread(cuStreamGetAttribute)]]
CUresult cuStreamGetAttribute_ptsz(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue* value_out);

[[weft::op(233), weft::since(11000), weft::per_thread(cuStreamSetAttribute)]]
CUresult cuStreamSetAttribute_ptsz(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue* value);

[[weft::op(234), weft::since(2000), weft::manual]]
CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags);

[[weft::op(235), weft::since(7000), weft::per_thread(cuEventRecord)]]
CUresult cuEventRecord_ptsz(CUevent hEvent, CUstream hStream);

[[weft::op(236), weft::since(11010), weft::per_thread(cuEventRecordWithFlags)]]
CUresult cuEventRecordWithFlags_ptsz(CUevent hEvent, CUstream hStream, unsigned int flags);

[[weft::op(237), weft::since(2000), weft::manual]]
CUresult cuEventQuery(CUevent hEvent);

[[weft::op(238), weft::since(2000), weft::manual]]
CUresult cuEventSynchronize(CUevent hEvent);

[[weft::op(239), weft::since(4000), weft::manual]]
CUresult cuEventDestroy_v2(CUevent hEvent);

[[weft::op(240), weft::since(12080), weft::sync]]
CUresult cuEventElapsedTime_v2([[weft::out]] float* pMilliseconds, CUevent hStart, CUevent hEnd);

[[weft::op(241), weft::since(10000), weft::unsupported]]
CUresult cuImportExternalMemory(CUexternalMemory* extMem_out, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* memHandleDesc);

[[weft::op(242), weft::since(10000), weft::unsupported]]
CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr* devPtr, CUexternalMemory extMem, const
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC* bufferDesc);

[[weft::op(243), weft::since(10000), weft::unsupported]]
CUresult cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray* mipmap, CUexternalMemory extMem, const
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC* mipmapDesc);

[[weft::op(244), weft::since(10000), weft::unsupported]]
CUresult cuDestroyExternalMemory(CUexternalMemory extMem);

[[weft::op(245), weft::since(10000), weft::unsupported]]
CUresult cuImportExternalSemaphore(CUexternalSemaphore* extSem_out, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC*
    semHandleDesc);

[[weft::op(246), weft::since(10000), weft::per_thread(cuSignalExternalSemaphoresAsync)]]
CUresult cuSignalExternalSemaphoresAsync_ptsz(const CUexternalSemaphore* extSemArray, const
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* paramsArray, unsigned int numExtSems, CUstream stream);

[[weft::op(247), weft::since(10000), weft::per_thread(cuWaitExternalSemaphoresAsync)]]
CUresult cuWaitExternalSemaphoresAsync_ptsz(const CUexternalSemaphore* extSemArray, const
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* paramsArray, unsigned int numExtSems, CUstream stream);

[[weft::op(248), weft::since(10000), weft::unsupported]]
CUresult cuDestroyExternalSemaphore(CUexternalSemaphore extSem);

[[weft::op(249), weft::since(11070), weft::per_thread(cuStreamWaitValue32_v2)]]
CUresult cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

[[weft::op(250), weft::since(11070), weft::per_thread(cuStreamWaitValue64_v2)]]
CUresult cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

[[weft::op(251), weft::since(11070), weft::per_thread(cuStreamWriteValue32_v2)]]
CUresult cuStreamWriteValue32_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

[[weft::op(252), weft::since(11070), weft::per_thread(cuStreamWriteValue64_v2)]]
CUresult cuStreamWriteValue64_v2_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

[[weft::op(253), weft::since(11070), weft::per_thread(cuStreamBatchMemOp_v2)]]
CUresult cuStreamBatchMemOp_v2_ptsz(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* paramArray,
    unsigned int flags);

[[weft::op(254), weft::since(2020), weft::manual]]
CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc);

[[weft::op(255), weft::since(9000), weft::manual]]
CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value);

[[weft::op(256), weft::since(3000), weft::async]]
CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config);

[[weft::op(257), weft::since(11000), weft::local]]
CUresult cuFuncGetModule(CUmodule* hmod, CUfunction hfunc);

[[weft::op(258), weft::since(12030), weft::local]]
CUresult cuFuncGetName(const char** name, CUfunction hfunc);

[[weft::op(259), weft::since(12040), weft::local]]
CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset, size_t* paramSize);

[[weft::op(260), weft::since(12040), weft::sync]]
CUresult cuFuncIsLoaded([[weft::out]] CUfunctionLoadingState* state, CUfunction function);

[[weft::op(261), weft::since(12040), weft::sync]]
CUresult cuFuncLoad(CUfunction function);

[[weft::op(262), weft::since(7000), weft::per_thread(cuLaunchKernel)]]
CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
    unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream
    hStream, void** kernelParams, void** extra);

[[weft::op(263), weft::since(11060), weft::per_thread(cuLaunchKernelEx)]]
CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra);

[[weft::op(264), weft::since(9000), weft::per_thread(cuLaunchCooperativeKernel)]]
CUresult cuLaunchCooperativeKernel_ptsz(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int
    gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes,
    CUstream hStream, void** kernelParams);

[[weft::op(265), weft::since(9000), weft::unsupported]]
CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* launchParamsList, unsigned int numDevices, unsigned
    int flags);

[[weft::op(266), weft::since(10000), weft::per_thread(cuLaunchHostFunc)]]
CUresult cuLaunchHostFunc_ptsz(CUstream hStream, CUhostFn fn, void* userData);

[[weft::op(267), weft::since(2000), weft::unsupported]]
CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z);

[[weft::op(268), weft::since(2000), weft::unsupported]]
CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes);

[[weft::op(269), weft::since(2000), weft::unsupported]]
CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes);

[[weft::op(270), weft::since(2000), weft::unsupported]]
CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value);

[[weft::op(271), weft::since(2000), weft::unsupported]]
CUresult cuParamSetf(CUfunction hfunc, int offset, float value);

[[weft::op(272), weft::since(2000), weft::unsupported]]
CUresult cuParamSetv(CUfunction hfunc, int offset, void* ptr, unsigned int numbytes);

[[weft::op(273), weft::since(2000), weft::unsupported]]
CUresult cuLaunch(CUfunction f);

[[weft::op(274), weft::since(2000), weft::unsupported]]
CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height);

[[weft::op(275), weft::since(2000), weft::unsupported]]
CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream);

[[weft::op(276), weft::since(2000), weft::unsupported]]
CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef);

[[weft::op(277), weft::since(4020), weft::async]]
CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config);

[[weft::op(278), weft::since(10000), weft::sync]]
CUresult cuGraphCreate([[weft::create]] CUgraph* phGraph, unsigned int flags);

[[weft::op(279), weft::since(12000), weft::manual]]
CUresult cuGraphAddKernelNode_v2(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t
    numDependencies, const CUDA_KERNEL_NODE_PARAMS* nodeParams);

[[weft::op(280), weft::since(12000), weft::manual]]
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS* nodeParams);

[[weft::op(281), weft::since(12000), weft::manual]]
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS* nodeParams);

[[weft::op(282), weft::since(10000), weft::manual]]
CUresult cuGraphAddMemcpyNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t
    numDependencies, const CUDA_MEMCPY3D* copyParams, CUcontext ctx);

[[weft::op(283), weft::since(10000), weft::unsupported]]
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D* nodeParams);

[[weft::op(284), weft::since(10000), weft::unsupported]]
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D* nodeParams);

[[weft::op(285), weft::since(10000), weft::sync]]
CUresult cuGraphAddMemsetNode([[weft::create]] CUgraphNode* phGraphNode, CUgraph hGraph, [[weft::in,
    weft::count("numDependencies")]] const CUgraphNode* dependencies, size_t numDependencies, [[weft::in]] const
    CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx);

[[weft::op(286), weft::since(10000), weft::sync]]
CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode, [[weft::out]] CUDA_MEMSET_NODE_PARAMS* nodeParams);

[[weft::op(287), weft::since(10000), weft::sync]]
CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode, [[weft::in]] const CUDA_MEMSET_NODE_PARAMS* nodeParams);

[[weft::op(288), weft::since(10000), weft::unsupported]]
CUresult cuGraphAddHostNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t
    numDependencies, const CUDA_HOST_NODE_PARAMS* nodeParams);

[[weft::op(289), weft::since(10000), weft::unsupported]]
CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS* nodeParams);

[[weft::op(290), weft::since(10000), weft::unsupported]]
CUresult cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS* nodeParams);

[[weft::op(291), weft::since(10000), weft::sync]]
CUresult cuGraphAddChildGraphNode([[weft::create]] CUgraphNode* phGraphNode, CUgraph hGraph, [[weft::in,
    weft::count("numDependencies")]] const CUgraphNode* dependencies, size_t numDependencies, CUgraph childGraph);

[[weft::op(292), weft::since(10000), weft::sync]]
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, [[weft::out]] CUgraph* phGraph);

[[weft::op(293), weft::since(10000), weft::sync]]
CUresult cuGraphAddEmptyNode([[weft::create]] CUgraphNode* phGraphNode, CUgraph hGraph, [[weft::in,
    weft::count("numDependencies")]] const CUgraphNode* dependencies, size_t numDependencies);

[[weft::op(294), weft::since(11010), weft::sync]]
CUresult cuGraphAddEventRecordNode([[weft::create]] CUgraphNode* phGraphNode, CUgraph hGraph, [[weft::in,
    weft::count("numDependencies")]] const CUgraphNode* dependencies, size_t numDependencies, CUevent event);

[[weft::op(295), weft::since(11010), weft::sync]]
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, [[weft::out]] CUevent* event_out);

[[weft::op(296), weft::since(11010), weft::sync]]
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event);

[[weft::op(297), weft::since(11010), weft::sync]]
CUresult cuGraphAddEventWaitNode([[weft::create]] CUgraphNode* phGraphNode, CUgraph hGraph, [[weft::in,
    weft::count("numDependencies")]] const CUgraphNode* dependencies, size_t numDependencies, CUevent event);

[[weft::op(298), weft::since(11010), weft::sync]]
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, [[weft::out]] CUevent* event_out);

[[weft::op(299), weft::since(11010), weft::sync]]
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event);

[[weft::op(300), weft::since(11020), weft::unsupported]]
CUresult cuGraphAddExternalSemaphoresSignalNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode*
    dependencies, size_t numDependencies, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams);

[[weft::op(301), weft::since(11020), weft::unsupported]]
CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* params_out);

[[weft::op(302), weft::since(11020), weft::unsupported]]
CUresult cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode hNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*
    nodeParams);

[[weft::op(303), weft::since(11020), weft::unsupported]]
CUresult cuGraphAddExternalSemaphoresWaitNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode*
    dependencies, size_t numDependencies, const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams);

[[weft::op(304), weft::since(11020), weft::unsupported]]
CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS* params_out);

[[weft::op(305), weft::since(11020), weft::unsupported]]
CUresult cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams);

[[weft::op(306), weft::since(11070), weft::unsupported]]
CUresult cuGraphAddBatchMemOpNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t
    numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams);

[[weft::op(307), weft::since(11070), weft::unsupported]]
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams_out);

[[weft::op(308), weft::since(11070), weft::unsupported]]
CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams);

[[weft::op(309), weft::since(11070), weft::unsupported]]
CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const
    CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams);

[[weft::op(310), weft::since(11040), weft::unsupported]]
CUresult cuGraphAddMemAllocNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t
    numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS* nodeParams);

[[weft::op(311), weft::since(11040), weft::unsupported]]
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS* params_out);

[[weft::op(312), weft::since(11040), weft::sync]]
CUresult cuGraphAddMemFreeNode([[weft::create]] CUgraphNode* phGraphNode, CUgraph hGraph, [[weft::in,
    weft::count("numDependencies")]] const CUgraphNode* dependencies, size_t numDependencies, CUdeviceptr dptr);

[[weft::op(313), weft::since(11040), weft::sync]]
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, [[weft::out]] CUdeviceptr* dptr_out);

[[weft::op(314), weft::since(11040), weft::sync]]
CUresult cuDeviceGraphMemTrim(CUdevice device);

[[weft::op(315), weft::since(11040), weft::unsupported]]
CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value);

[[weft::op(316), weft::since(11040), weft::unsupported]]
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value);

[[weft::op(317), weft::since(10000), weft::sync]]
CUresult cuGraphClone([[weft::create]] CUgraph* phGraphClone, CUgraph originalGraph);

[[weft::op(318), weft::since(10000), weft::sync]]
CUresult cuGraphNodeFindInClone([[weft::out]] CUgraphNode* phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph);

[[weft::op(319), weft::since(10000), weft::sync]]
CUresult cuGraphNodeGetType(CUgraphNode hNode, [[weft::out]] CUgraphNodeType* type);

[[weft::op(320), weft::since(10000), weft::sync]]
CUresult cuGraphGetNodes(CUgraph hGraph, [[weft::out, weft::capacity("numNodes")]] CUgraphNode* nodes, [[weft::inout]]
    size_t* numNodes);

[[weft::op(321), weft::since(10000), weft::sync]]
CUresult cuGraphGetRootNodes(CUgraph hGraph, [[weft::out, weft::capacity("numRootNodes")]] CUgraphNode* rootNodes,
    [[weft::inout]] size_t* numRootNodes);

[[weft::op(322), weft::since(12030), weft::sync]]
CUresult cuGraphGetEdges_v2(CUgraph hGraph, [[weft::out, weft::capacity("numEdges")]] CUgraphNode* from, [[weft::out,
    weft::capacity("numEdges")]] CUgraphNode* to, [[weft::out, weft::capacity("numEdges")]] CUgraphEdgeData* edgeData,
    [[weft::inout]] size_t* numEdges);

[[weft::op(323), weft::since(12030), weft::sync]]
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode hNode, [[weft::out, weft::capacity("numDependencies")]]
    CUgraphNode* dependencies, [[weft::out, weft::capacity("numDependencies")]] CUgraphEdgeData* edgeData,
    [[weft::inout]] size_t* numDependencies);

[[weft::op(324), weft::since(12030), weft::sync]]
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode, [[weft::out, weft::capacity("numDependentNodes")]]
    CUgraphNode* dependentNodes, [[weft::out, weft::capacity("numDependentNodes")]] CUgraphEdgeData* edgeData,
    [[weft::inout]] size_t* numDependentNodes);

[[weft::op(325), weft::since(12030), weft::sync]]
CUresult cuGraphAddDependencies_v2(CUgraph hGraph, [[weft::in, weft::count("numDependencies")]] const CUgraphNode*
    from, [[weft::in, weft::count("numDependencies")]] const CUgraphNode* to, [[weft::in,
    weft::count("numDependencies")]] const CUgraphEdgeData* edgeData, size_t numDependencies);

[[weft::op(326), weft::since(12030), weft::sync]]
CUresult cuGraphRemoveDependencies_v2(CUgraph hGraph, [[weft::in, weft::count("numDependencies")]] const CUgraphNode*
    from, [[weft::in, weft::count("numDependencies")]] const CUgraphNode* to, [[weft::in,
    weft::count("numDependencies")]] const CUgraphEdgeData* edgeData, size_t numDependencies);

[[weft::op(327), weft::since(10000), weft::sync]]
CUresult cuGraphDestroyNode([[weft::destroy]] CUgraphNode hNode);

[[weft::op(328), weft::since(11040), weft::manual]]
CUresult cuGraphInstantiateWithFlags(CUgraphExec* phGraphExec, CUgraph hGraph, unsigned long long
    flags);

[[weft::op(329), weft::since(12000), weft::per_thread(cuGraphInstantiateWithParams)]]
CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec* phGraphExec, CUgraph hGraph, CUDA_GRAPH_INSTANTIATE_PARAMS*
    instantiateParams);

[[weft::op(330), weft::since(12000), weft::sync]]
CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, [[weft::out]] cuuint64_t* flags);

[[weft::op(331), weft::since(12000), weft::manual]]
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS*
    nodeParams);

[[weft::op(332), weft::since(10020), weft::unsupported]]
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMCPY3D* copyParams,
    CUcontext ctx);

[[weft::op(333), weft::since(10020), weft::sync]]
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, [[weft::in]] const
    CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx);

[[weft::op(334), weft::since(10020), weft::unsupported]]
CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS*
    nodeParams);

[[weft::op(335), weft::since(11010), weft::sync]]
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph);

[[weft::op(336), weft::since(11010), weft::sync]]
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event);

[[weft::op(337), weft::since(11010), weft::sync]]
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event);

[[weft::op(338), weft::since(11020), weft::unsupported]]
CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams);

[[weft::op(339), weft::since(11020), weft::unsupported]]
CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const
    CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams);

[[weft::op(340), weft::since(11060), weft::sync]]
CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled);

[[weft::op(341), weft::since(11060), weft::sync]]
CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, [[weft::out]] unsigned int* isEnabled);

[[weft::op(342), weft::since(11010), weft::per_thread(cuGraphUpload)]]
CUresult cuGraphUpload_ptsz(CUgraphExec hGraphExec, CUstream hStream);

[[weft::op(343), weft::since(10000), weft::per_thread(cuGraphLaunch)]]
CUresult cuGraphLaunch_ptsz(CUgraphExec hGraphExec, CUstream hStream);

[[weft::op(344), weft::since(10000), weft::manual]]
CUresult cuGraphExecDestroy(CUgraphExec hGraphExec);

[[weft::op(345), weft::since(10000), weft::async]]
CUresult cuGraphDestroy([[weft::destroy]] CUgraph hGraph);

[[weft::op(346), weft::since(12000), weft::unsupported]]
CUresult cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo* resultInfo);

[[weft::op(347), weft::since(11000), weft::sync]]
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);

[[weft::op(348), weft::since(11000), weft::sync]]
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, [[weft::out]]
    CUkernelNodeAttrValue* value_out);

[[weft::op(349), weft::since(11000), weft::sync]]
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, [[weft::in]] const
    CUkernelNodeAttrValue* value);

[[weft::op(350), weft::since(11030), weft::unsupported]]
CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char* path, unsigned int flags);

[[weft::op(351), weft::since(11030), weft::unsupported]]
CUresult cuUserObjectCreate(CUuserObject* object_out, void* ptr, CUhostFn destroy, unsigned int initialRefcount,
    unsigned int flags);

[[weft::op(352), weft::since(11030), weft::unsupported]]
CUresult cuUserObjectRetain(CUuserObject object, unsigned int count);

[[weft::op(353), weft::since(11030), weft::unsupported]]
CUresult cuUserObjectRelease(CUuserObject object, unsigned int count);

[[weft::op(354), weft::since(11030), weft::unsupported]]
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags);

[[weft::op(355), weft::since(11030), weft::unsupported]]
CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count);

[[weft::op(356), weft::since(12030), weft::unsupported]]
CUresult cuGraphAddNode_v2(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, const
    CUgraphEdgeData* dependencyData, size_t numDependencies, CUgraphNodeParams* nodeParams);

[[weft::op(357), weft::since(12020), weft::unsupported]]
CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams* nodeParams);

[[weft::op(358), weft::since(12020), weft::unsupported]]
CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams* nodeParams);

[[weft::op(359), weft::since(12030), weft::sync]]
CUresult cuGraphConditionalHandleCreate([[weft::out]] CUgraphConditionalHandle* pHandle_out, CUgraph hGraph, CUcontext
    ctx, unsigned int defaultLaunchValue, unsigned int flags);

[[weft::op(360), weft::since(6050), weft::manual]]
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize, size_t
    dynamicSMemSize);

[[weft::op(361), weft::since(7000), weft::manual]]
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, CUfunction func, int blockSize, size_t
    dynamicSMemSize, unsigned int flags);

[[weft::op(362), weft::since(6050), weft::manual]]
CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction func, CUoccupancyB2DSize
    blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit);

[[weft::op(363), weft::since(7000), weft::manual]]
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction func,
    CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags);

[[weft::op(364), weft::since(10020), weft::manual]]
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, CUfunction func, int numBlocks, int
    blockSize);

[[weft::op(365), weft::since(11070), weft::manual]]
CUresult cuOccupancyMaxPotentialClusterSize(int* clusterSize, CUfunction func, const CUlaunchConfig* config);

[[weft::op(366), weft::since(11070), weft::manual]]
CUresult cuOccupancyMaxActiveClusters(int* numClusters, CUfunction func, const CUlaunchConfig* config);

[[weft::op(367), weft::since(2000), weft::sync]]
CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags);

[[weft::op(368), weft::since(5000), weft::sync]]
CUresult cuTexRefSetMipmappedArray(CUtexref hTexRef, CUmipmappedArray hMipmappedArray, unsigned int Flags);

[[weft::op(369), weft::since(3020), weft::sync]]
CUresult cuTexRefSetAddress_v2([[weft::out]] size_t* ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes);

[[weft::op(370), weft::since(4010), weft::sync]]
CUresult cuTexRefSetAddress2D_v3(CUtexref hTexRef, [[weft::in]] const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr dptr,
    size_t Pitch);

[[weft::op(371), weft::since(2000), weft::sync]]
CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents);

[[weft::op(372), weft::since(2000), weft::sync]]
CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am);

[[weft::op(373), weft::since(2000), weft::sync]]
CUresult cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm);

[[weft::op(374), weft::since(5000), weft::sync]]
CUresult cuTexRefSetMipmapFilterMode(CUtexref hTexRef, CUfilter_mode fm);

[[weft::op(375), weft::since(5000), weft::sync]]
CUresult cuTexRefSetMipmapLevelBias(CUtexref hTexRef, float bias);

[[weft::op(376), weft::since(5000), weft::sync]]
CUresult cuTexRefSetMipmapLevelClamp(CUtexref hTexRef, float minMipmapLevelClamp, float maxMipmapLevelClamp);

[[weft::op(377), weft::since(5000), weft::sync]]
CUresult cuTexRefSetMaxAnisotropy(CUtexref hTexRef, unsigned int maxAniso);

[[weft::op(378), weft::since(8000), weft::sync]]
CUresult cuTexRefSetBorderColor(CUtexref hTexRef, [[weft::in, weft::count("4")]] float* pBorderColor);

[[weft::op(379), weft::since(2000), weft::sync]]
CUresult cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags);

[[weft::op(380), weft::since(3020), weft::sync]]
CUresult cuTexRefGetAddress_v2([[weft::out]] CUdeviceptr* pdptr, CUtexref hTexRef);

[[weft::op(381), weft::since(2000), weft::sync]]
CUresult cuTexRefGetArray([[weft::out]] CUarray* phArray, CUtexref hTexRef);

[[weft::op(382), weft::since(5000), weft::sync]]
CUresult cuTexRefGetMipmappedArray([[weft::out]] CUmipmappedArray* phMipmappedArray, CUtexref hTexRef);

[[weft::op(383), weft::since(2000), weft::sync]]
CUresult cuTexRefGetAddressMode([[weft::out]] CUaddress_mode* pam, CUtexref hTexRef, int dim);

[[weft::op(384), weft::since(2000), weft::sync]]
CUresult cuTexRefGetFilterMode([[weft::out]] CUfilter_mode* pfm, CUtexref hTexRef);

[[weft::op(385), weft::since(2000), weft::sync]]
CUresult cuTexRefGetFormat([[weft::out]] CUarray_format* pFormat, [[weft::out]] int* pNumChannels, CUtexref hTexRef);

[[weft::op(386), weft::since(5000), weft::sync]]
CUresult cuTexRefGetMipmapFilterMode([[weft::out]] CUfilter_mode* pfm, CUtexref hTexRef);

[[weft::op(387), weft::since(5000), weft::sync]]
CUresult cuTexRefGetMipmapLevelBias([[weft::out]] float* pbias, CUtexref hTexRef);

[[weft::op(388), weft::since(5000), weft::sync]]
CUresult cuTexRefGetMipmapLevelClamp([[weft::out]] float* pminMipmapLevelClamp, [[weft::out]] float*
    pmaxMipmapLevelClamp, CUtexref hTexRef);

[[weft::op(389), weft::since(5000), weft::sync]]
CUresult cuTexRefGetMaxAnisotropy([[weft::out]] int* pmaxAniso, CUtexref hTexRef);

[[weft::op(390), weft::since(8000), weft::sync]]
CUresult cuTexRefGetBorderColor([[weft::out, weft::count("4")]] float* pBorderColor, CUtexref hTexRef);

[[weft::op(391), weft::since(2000), weft::sync]]
CUresult cuTexRefGetFlags([[weft::out]] unsigned int* pFlags, CUtexref hTexRef);

[[weft::op(392), weft::since(2000), weft::sync]]
CUresult cuTexRefCreate([[weft::create]] CUtexref* pTexRef);

[[weft::op(393), weft::since(2000), weft::sync]]
CUresult cuTexRefDestroy([[weft::destroy]] CUtexref hTexRef);

[[weft::op(394), weft::since(3000), weft::sync]]
CUresult cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags);

[[weft::op(395), weft::since(3000), weft::sync]]
CUresult cuSurfRefGetArray([[weft::out]] CUarray* phArray, CUsurfref hSurfRef);

[[weft::op(396), weft::since(5000), weft::manual]]
CUresult cuTexObjectCreate(CUtexObject* pTexObject, const CUDA_RESOURCE_DESC* pResDesc, const CUDA_TEXTURE_DESC*
    pTexDesc, const CUDA_RESOURCE_VIEW_DESC* pResViewDesc);

[[weft::op(397), weft::since(5000), weft::async]]
CUresult cuTexObjectDestroy(CUtexObject texObject);

[[weft::op(398), weft::since(5000), weft::unsupported]]
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* pResDesc, CUtexObject texObject);

[[weft::op(399), weft::since(5000), weft::sync]]
CUresult cuTexObjectGetTextureDesc([[weft::out]] CUDA_TEXTURE_DESC* pTexDesc, CUtexObject texObject);

[[weft::op(400), weft::since(5000), weft::sync]]
CUresult cuTexObjectGetResourceViewDesc([[weft::out]] CUDA_RESOURCE_VIEW_DESC* pResViewDesc, CUtexObject texObject);

[[weft::op(401), weft::since(5000), weft::manual]]
CUresult cuSurfObjectCreate(CUsurfObject* pSurfObject, const CUDA_RESOURCE_DESC* pResDesc);

[[weft::op(402), weft::since(5000), weft::async]]
CUresult cuSurfObjectDestroy(CUsurfObject surfObject);

[[weft::op(403), weft::since(5000), weft::unsupported]]
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* pResDesc, CUsurfObject surfObject);

[[weft::op(404), weft::since(12000), weft::sync]]
CUresult cuTensorMapEncodeTiled([[weft::out]] CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t
    tensorRank, [[weft::address]] void* globalAddress, [[weft::in, weft::count("tensorRank")]] const cuuint64_t*
    globalDim, [[weft::in, weft::count("tensorRank - 1")]] const cuuint64_t* globalStrides, [[weft::in,
    weft::count("tensorRank")]] const cuuint32_t* boxDim, [[weft::in, weft::count("tensorRank")]] const cuuint32_t*
    elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
    CUtensorMapFloatOOBfill oobFill);

[[weft::op(405), weft::since(12000), weft::sync]]
CUresult cuTensorMapEncodeIm2col([[weft::out]] CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t
    tensorRank, [[weft::address]] void* globalAddress, [[weft::in, weft::count("tensorRank")]] const cuuint64_t*
    globalDim, [[weft::in, weft::count("tensorRank - 1")]] const cuuint64_t* globalStrides, [[weft::in,
    weft::count("tensorRank - 2")]] const int* pixelBoxLowerCorner, [[weft::in, weft::count("tensorRank - 2")]] const
    int* pixelBoxUpperCorner, cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn, [[weft::in,
    weft::count("tensorRank")]] const cuuint32_t* elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle
    swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);

[[weft::op(406), weft::since(12080), weft::sync]]
CUresult cuTensorMapEncodeIm2colWide([[weft::out]] CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType,
    cuuint32_t tensorRank, [[weft::address]] void* globalAddress, [[weft::in, weft::count("tensorRank")]] const
    cuuint64_t* globalDim, [[weft::in, weft::count("tensorRank - 1")]] const cuuint64_t* globalStrides, int
    pixelBoxLowerCornerWidth, int pixelBoxUpperCornerWidth, cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn,
    [[weft::in, weft::count("tensorRank")]] const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
    CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
    CUtensorMapFloatOOBfill oobFill);

[[weft::op(407), weft::since(12000), weft::sync]]
CUresult cuTensorMapReplaceAddress([[weft::inout]] CUtensorMap* tensorMap, [[weft::address]] void* globalAddress);

[[weft::op(408), weft::since(4000), weft::sync]]
CUresult cuDeviceCanAccessPeer([[weft::out]] int* canAccessPeer, CUdevice dev, CUdevice peerDev);

[[weft::op(409), weft::since(4000), weft::sync]]
CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags);

[[weft::op(410), weft::since(4000), weft::sync]]
CUresult cuCtxDisablePeerAccess(CUcontext peerContext);

[[weft::op(411), weft::since(8000), weft::sync]]
CUresult cuDeviceGetP2PAttribute([[weft::out]] int* value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice
    dstDevice);

[[weft::op(412), weft::since(13000), weft::sync]]
CUresult cuDeviceGetP2PAtomicCapabilities([[weft::out, weft::count("count")]] unsigned int* capabilities, [[weft::in,
    weft::count("count")]] const CUatomicOperation* operations, unsigned int count, CUdevice srcDevice, CUdevice
    dstDevice);

[[weft::op(413), weft::since(3000), weft::unsupported]]
CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource);

[[weft::op(414), weft::since(3000), weft::unsupported]]
CUresult cuGraphicsSubResourceGetMappedArray(CUarray* pArray, CUgraphicsResource resource, unsigned int arrayIndex,
    unsigned int mipLevel);

[[weft::op(415), weft::since(5000), weft::unsupported]]
CUresult cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray* pMipmappedArray, CUgraphicsResource resource);

[[weft::op(416), weft::since(3020), weft::unsupported]]
CUresult cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr* pDevPtr, size_t* pSize, CUgraphicsResource resource);

[[weft::op(417), weft::since(6050), weft::unsupported]]
CUresult cuGraphicsResourceSetMapFlags_v2(CUgraphicsResource resource, unsigned int flags);

[[weft::op(418), weft::since(7000), weft::per_thread(cuGraphicsMapResources)]]
CUresult cuGraphicsMapResources_ptsz(unsigned int count, CUgraphicsResource* resources, CUstream hStream);

[[weft::op(419), weft::since(7000), weft::per_thread(cuGraphicsUnmapResources)]]
CUresult cuGraphicsUnmapResources_ptsz(unsigned int count, CUgraphicsResource* resources, CUstream hStream);

[[weft::op(420), weft::since(12000), weft::local]]
CUresult cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags,
    CUdriverProcAddressQueryResult* symbolStatus);

[[weft::op(421), weft::since(12010), weft::unsupported]]
CUresult cuCoredumpGetAttribute(CUcoredumpSettings attrib, void* value, size_t* size);

[[weft::op(422), weft::since(12010), weft::unsupported]]
CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings attrib, void* value, size_t* size);

[[weft::op(423), weft::since(12010), weft::unsupported]]
CUresult cuCoredumpSetAttribute(CUcoredumpSettings attrib, void* value, size_t* size);

[[weft::op(424), weft::since(12010), weft::unsupported]]
CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings attrib, void* value, size_t* size);

[[weft::op(425), weft::since(3000), weft::local]]
CUresult cuGetExportTable(const void** ppExportTable, const CUuuid* pExportTableId);

[[weft::op(426), weft::since(12040), weft::unsupported]]
CUresult cuGreenCtxCreate(CUgreenCtx* phCtx, CUdevResourceDesc desc, CUdevice dev, unsigned int flags);

[[weft::op(427), weft::since(12040), weft::unsupported]]
CUresult cuGreenCtxDestroy(CUgreenCtx hCtx);

[[weft::op(428), weft::since(12040), weft::unsupported]]
CUresult cuCtxFromGreenCtx(CUcontext* pContext, CUgreenCtx hCtx);

[[weft::op(429), weft::since(12040), weft::unsupported]]
CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource* resource, CUdevResourceType type);

[[weft::op(430), weft::since(12040), weft::unsupported]]
CUresult cuCtxGetDevResource(CUcontext hCtx, CUdevResource* resource, CUdevResourceType type);

[[weft::op(431), weft::since(12040), weft::unsupported]]
CUresult cuGreenCtxGetDevResource(CUgreenCtx hCtx, CUdevResource* resource, CUdevResourceType type);

[[weft::op(432), weft::since(12040), weft::unsupported]]
CUresult cuDevSmResourceSplitByCount(CUdevResource* result, unsigned int* nbGroups, const CUdevResource* input,
    CUdevResource* remaining, unsigned int useFlags, unsigned int minCount);

[[weft::op(433), weft::since(12040), weft::unsupported]]
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* phDesc, CUdevResource* resources, unsigned int nbResources);

[[weft::op(434), weft::since(12040), weft::unsupported]]
CUresult cuGreenCtxRecordEvent(CUgreenCtx hCtx, CUevent hEvent);

[[weft::op(435), weft::since(12040), weft::unsupported]]
CUresult cuGreenCtxWaitEvent(CUgreenCtx hCtx, CUevent hEvent);

[[weft::op(436), weft::since(12040), weft::unsupported]]
CUresult cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx* phCtx);

[[weft::op(437), weft::since(12050), weft::unsupported]]
CUresult cuGreenCtxStreamCreate(CUstream* phStream, CUgreenCtx greenCtx, unsigned int flags, int priority);

[[weft::op(438), weft::since(12090), weft::unsupported]]
CUresult cuGreenCtxGetId(CUgreenCtx greenCtx, unsigned long long* greenCtxId);

[[weft::op(439), weft::since(12090), weft::unsupported]]
CUresult cuLogsRegisterCallback(CUlogsCallback callbackFunc, void* userData, CUlogsCallbackHandle* callback_out);

[[weft::op(440), weft::since(12090), weft::unsupported]]
CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback);

[[weft::op(441), weft::since(12090), weft::unsupported]]
CUresult cuLogsCurrent(CUlogIterator* iterator_out, unsigned int flags);

[[weft::op(442), weft::since(12090), weft::unsupported]]
CUresult cuLogsDumpToFile(CUlogIterator* iterator, const char* pathToFile, unsigned int flags);

[[weft::op(443), weft::since(12090), weft::unsupported]]
CUresult cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, size_t* size, unsigned int flags);

[[weft::op(444), weft::since(4000), weft::same_as(cuMemHostRegister_v2)]]
CUresult cuMemHostRegister(void* p, size_t bytesize, unsigned int Flags);

[[weft::op(445), weft::since(3000), weft::unsupported]]
CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned int flags);

[[weft::op(446), weft::since(5050), weft::same_as(cuLinkCreate_v2)]]
CUresult cuLinkCreate(unsigned int numOptions, CUjit_option* options, void** optionValues, CUlinkState* stateOut);

[[weft::op(447), weft::since(5050), weft::same_as(cuLinkAddData_v2)]]
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name, unsigned int
    numOptions, CUjit_option* options, void** optionValues);

[[weft::op(448), weft::since(5050), weft::same_as(cuLinkAddFile_v2)]]
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned int numOptions,
    CUjit_option* options, void** optionValues);

[[weft::op(449), weft::since(3020), weft::same_as(cuTexRefSetAddress2D_v3)]]
CUresult cuTexRefSetAddress2D_v2(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr dptr, size_t Pitch);

[[weft::op(450), weft::since(2000), weft::local]]
CUresult cuDeviceTotalMem(unsigned int* bytes, CUdevice dev);

[[weft::op(451), weft::since(2000), weft::same_as(cuCtxCreate_v2)]]
CUresult cuCtxCreate(CUcontext* pctx, unsigned int flags, CUdevice dev);

[[weft::op(452), weft::since(3020), weft::manual]]
CUresult cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev);

[[weft::op(453), weft::since(11040), weft::manual]]
CUresult cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam* paramsArray, int numParams, unsigned int flags, CUdevice
    dev);

[[weft::op(454), weft::since(2000), weft::unsupported]]
CUresult cuModuleGetGlobal(CUdeviceptr_v1* dptr, unsigned int* bytes, CUmodule hmod, const char* name);

[[weft::op(455), weft::since(2000), weft::unsupported]]
CUresult cuMemGetInfo(unsigned int* free, unsigned int* total);

[[weft::op(456), weft::since(2000), weft::unsupported]]
CUresult cuMemAlloc(CUdeviceptr_v1* dptr, unsigned int bytesize);

[[weft::op(457), weft::since(2000), weft::unsupported]]
CUresult cuMemAllocPitch(CUdeviceptr_v1* dptr, unsigned int* pPitch, unsigned int WidthInBytes, unsigned int Height,
    unsigned int ElementSizeBytes);

[[weft::op(458), weft::since(2000), weft::unsupported]]
CUresult cuMemFree(CUdeviceptr_v1 dptr);

[[weft::op(459), weft::since(2000), weft::unsupported]]
CUresult cuMemGetAddressRange(CUdeviceptr_v1* pbase, unsigned int* psize, CUdeviceptr_v1 dptr);

[[weft::op(460), weft::since(2000), weft::unsupported]]
CUresult cuMemAllocHost(void** pp, unsigned int bytesize);

[[weft::op(461), weft::since(2020), weft::unsupported]]
CUresult cuMemHostGetDevicePointer(CUdeviceptr_v1* pdptr, void* p, unsigned int Flags);

[[weft::op(462), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyHtoD(CUdeviceptr_v1 dstDevice, const void* srcHost, unsigned int ByteCount);

[[weft::op(463), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyDtoH(void* dstHost, CUdeviceptr_v1 srcDevice, unsigned int ByteCount);

[[weft::op(464), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyDtoD(CUdeviceptr_v1 dstDevice, CUdeviceptr_v1 srcDevice, unsigned int ByteCount);

[[weft::op(465), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyDtoA(CUarray dstArray, unsigned int dstOffset, CUdeviceptr_v1 srcDevice, unsigned int ByteCount);

[[weft::op(466), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyAtoD(CUdeviceptr_v1 dstDevice, CUarray srcArray, unsigned int srcOffset, unsigned int ByteCount);

[[weft::op(467), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyHtoA(CUarray dstArray, unsigned int dstOffset, const void* srcHost, unsigned int ByteCount);

[[weft::op(468), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyAtoH(void* dstHost, CUarray srcArray, unsigned int srcOffset, unsigned int ByteCount);

[[weft::op(469), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyAtoA(CUarray dstArray, unsigned int dstOffset, CUarray srcArray, unsigned int srcOffset, unsigned int
    ByteCount);

[[weft::op(470), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyHtoAAsync(CUarray dstArray, unsigned int dstOffset, const void* srcHost, unsigned int ByteCount,
    CUstream hStream);

[[weft::op(471), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyAtoHAsync(void* dstHost, CUarray srcArray, unsigned int srcOffset, unsigned int ByteCount, CUstream
    hStream);

[[weft::op(472), weft::since(2000), weft::unsupported]]
CUresult cuMemcpy2D(const CUDA_MEMCPY2D_v1* pCopy);

[[weft::op(473), weft::since(2000), weft::unsupported]]
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D_v1* pCopy);

[[weft::op(474), weft::since(2000), weft::unsupported]]
CUresult cuMemcpy3D(const CUDA_MEMCPY3D_v1* pCopy);

[[weft::op(475), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyHtoDAsync(CUdeviceptr_v1 dstDevice, const void* srcHost, unsigned int ByteCount, CUstream hStream);

[[weft::op(476), weft::since(2000), weft::unsupported]]
CUresult cuMemcpyDtoHAsync(void* dstHost, CUdeviceptr_v1 srcDevice, unsigned int ByteCount, CUstream hStream);

[[weft::op(477), weft::since(3000), weft::unsupported]]
CUresult cuMemcpyDtoDAsync(CUdeviceptr_v1 dstDevice, CUdeviceptr_v1 srcDevice, unsigned int ByteCount, CUstream
    hStream);

[[weft::op(478), weft::since(2000), weft::unsupported]]
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D_v1* pCopy, CUstream hStream);

[[weft::op(479), weft::since(2000), weft::unsupported]]
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D_v1* pCopy, CUstream hStream);

[[weft::op(480), weft::since(2000), weft::unsupported]]
CUresult cuMemsetD8(CUdeviceptr_v1 dstDevice, unsigned char uc, unsigned int N);

[[weft::op(481), weft::since(2000), weft::unsupported]]
CUresult cuMemsetD16(CUdeviceptr_v1 dstDevice, unsigned short us, unsigned int N);

[[weft::op(482), weft::since(2000), weft::unsupported]]
CUresult cuMemsetD32(CUdeviceptr_v1 dstDevice, unsigned int ui, unsigned int N);

[[weft::op(483), weft::since(2000), weft::unsupported]]
CUresult cuMemsetD2D8(CUdeviceptr_v1 dstDevice, unsigned int dstPitch, unsigned char uc, unsigned int Width, unsigned
    int Height);

[[weft::op(484), weft::since(2000), weft::unsupported]]
CUresult cuMemsetD2D16(CUdeviceptr_v1 dstDevice, unsigned int dstPitch, unsigned short us, unsigned int Width,
    unsigned int Height);

[[weft::op(485), weft::since(2000), weft::unsupported]]
CUresult cuMemsetD2D32(CUdeviceptr_v1 dstDevice, unsigned int dstPitch, unsigned int ui, unsigned int Width, unsigned
    int Height);

[[weft::op(486), weft::since(2000), weft::unsupported]]
CUresult cuArrayCreate(CUarray* pHandle, const CUDA_ARRAY_DESCRIPTOR_v1* pAllocateArray);

[[weft::op(487), weft::since(2000), weft::unsupported]]
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR_v1* pArrayDescriptor, CUarray hArray);

[[weft::op(488), weft::since(2000), weft::unsupported]]
CUresult cuArray3DCreate(CUarray* pHandle, const CUDA_ARRAY3D_DESCRIPTOR_v1* pAllocateArray);

[[weft::op(489), weft::since(2000), weft::unsupported]]
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR_v1* pArrayDescriptor, CUarray hArray);

[[weft::op(490), weft::since(2000), weft::unsupported]]
CUresult cuTexRefSetAddress(unsigned int* ByteOffset, CUtexref hTexRef, CUdeviceptr_v1 dptr, unsigned int bytes);

[[weft::op(491), weft::since(2020), weft::unsupported]]
CUresult cuTexRefSetAddress2D(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR_v1* desc, CUdeviceptr_v1 dptr, unsigned
    int Pitch);

[[weft::op(492), weft::since(2000), weft::unsupported]]
CUresult cuTexRefGetAddress(CUdeviceptr_v1* pdptr, CUtexref hTexRef);

[[weft::op(493), weft::since(3000), weft::unsupported]]
CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr_v1* pDevPtr, unsigned int* pSize, CUgraphicsResource resource);

[[weft::op(494), weft::since(2000), weft::same_as(cuCtxDestroy_v2)]]
CUresult cuCtxDestroy(CUcontext ctx);

[[weft::op(495), weft::since(2000), weft::same_as(cuCtxPopCurrent_v2)]]
CUresult cuCtxPopCurrent(CUcontext* pctx);

[[weft::op(496), weft::since(2000), weft::same_as(cuCtxPushCurrent_v2)]]
CUresult cuCtxPushCurrent(CUcontext ctx);

[[weft::op(497), weft::since(2000), weft::same_as(cuStreamDestroy_v2)]]
CUresult cuStreamDestroy(CUstream hStream);

[[weft::op(498), weft::since(2000), weft::same_as(cuEventDestroy_v2)]]
CUresult cuEventDestroy(CUevent hEvent);

[[weft::op(499), weft::since(2000), weft::same_as(cuEventElapsedTime_v2)]]
CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd);

[[weft::op(500), weft::since(7000), weft::same_as(cuDevicePrimaryCtxRelease_v2)]]
CUresult cuDevicePrimaryCtxRelease(CUdevice dev);

[[weft::op(501), weft::since(7000), weft::same_as(cuDevicePrimaryCtxReset_v2)]]
CUresult cuDevicePrimaryCtxReset(CUdevice dev);

[[weft::op(502), weft::since(7000), weft::same_as(cuDevicePrimaryCtxSetFlags_v2)]]
CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags);

[[weft::op(503), weft::since(9020), weft::same_as(cuDeviceGetUuid_v2)]]
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice dev);

[[weft::op(504), weft::since(3020), weft::manual]]
CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount);

[[weft::op(505), weft::since(3020), weft::manual]]
CUresult cuMemcpyDtoH_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount);

[[weft::op(506), weft::since(3020), weft::manual]]
CUresult cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount);

[[weft::op(507), weft::since(3020), weft::manual]]
CUresult cuMemcpyDtoA_v2(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount);

[[weft::op(508), weft::since(3020), weft::manual]]
CUresult cuMemcpyAtoD_v2(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount);

[[weft::op(509), weft::since(3020), weft::manual]]
CUresult cuMemcpyHtoA_v2(CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount);

[[weft::op(510), weft::since(3020), weft::manual]]
CUresult cuMemcpyAtoH_v2(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount);

[[weft::op(511), weft::since(3020), weft::manual]]
CUresult cuMemcpyAtoA_v2(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount);

[[weft::op(512), weft::since(3020), weft::manual]]
CUresult cuMemcpyHtoAAsync_v2(CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount, CUstream
    hStream);

[[weft::op(513), weft::since(3020), weft::manual]]
CUresult cuMemcpyAtoHAsync_v2(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream);

[[weft::op(514), weft::since(3020), weft::manual]]
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* pCopy);

[[weft::op(515), weft::since(3020), weft::manual]]
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* pCopy);

[[weft::op(516), weft::since(3020), weft::manual]]
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* pCopy);

[[weft::op(517), weft::since(3020), weft::manual]]
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount, CUstream hStream);

[[weft::op(518), weft::since(3020), weft::manual]]
CUresult cuMemcpyDtoHAsync_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream);

[[weft::op(519), weft::since(3020), weft::manual]]
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream);

[[weft::op(520), weft::since(3020), weft::manual]]
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* pCopy, CUstream hStream);

[[weft::op(521), weft::since(3020), weft::manual]]
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* pCopy, CUstream hStream);

[[weft::op(522), weft::since(3020), weft::manual]]
CUresult cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N);

[[weft::op(523), weft::since(3020), weft::manual]]
CUresult cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N);

[[weft::op(524), weft::since(3020), weft::manual]]
CUresult cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N);

[[weft::op(525), weft::since(3020), weft::manual]]
CUresult cuMemsetD2D8_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height);

[[weft::op(526), weft::since(3020), weft::manual]]
CUresult cuMemsetD2D16_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height);

[[weft::op(527), weft::since(3020), weft::manual]]
CUresult cuMemsetD2D32_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height);

[[weft::op(528), weft::since(4000), weft::manual]]
CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);

[[weft::op(529), weft::since(4000), weft::manual]]
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream);

[[weft::op(530), weft::since(4000), weft::manual]]
CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t
    ByteCount);

[[weft::op(531), weft::since(4000), weft::manual]]
CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
    size_t ByteCount, CUstream hStream);

[[weft::op(532), weft::since(4000), weft::manual]]
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* pCopy);

[[weft::op(533), weft::since(4000), weft::manual]]
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream);

[[weft::op(534), weft::since(12080), weft::unsupported]]
CUresult cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count, CUmemcpyAttributes*
    attrs, size_t* attrsIdxs, size_t numAttrs, size_t* failIdx, CUstream hStream);

[[weft::op(535), weft::since(12080), weft::unsupported]]
CUresult cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList, size_t* failIdx, unsigned long long
    flags, CUstream hStream);

[[weft::op(536), weft::since(12080), weft::per_thread(cuMemcpyBatchAsync)]]
CUresult cuMemcpyBatchAsync_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
    CUmemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs, size_t* failIdx, CUstream hStream);

[[weft::op(537), weft::since(12080), weft::per_thread(cuMemcpy3DBatchAsync)]]
CUresult cuMemcpy3DBatchAsync_ptsz(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList, size_t* failIdx, unsigned long long
    flags, CUstream hStream);

[[weft::op(538), weft::since(13000), weft::unsupported]]
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count, CUmemcpyAttributes*
    attrs, size_t* attrsIdxs, size_t numAttrs, CUstream hStream);

[[weft::op(539), weft::since(13000), weft::unsupported]]
CUresult cuMemcpy3DBatchAsync_v2(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList, unsigned long long flags, CUstream
    hStream);

[[weft::op(540), weft::since(3020), weft::manual]]
CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream);

[[weft::op(541), weft::since(3020), weft::manual]]
CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream);

[[weft::op(542), weft::since(3020), weft::manual]]
CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream);

[[weft::op(543), weft::since(3020), weft::manual]]
CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height,
    CUstream hStream);

[[weft::op(544), weft::since(3020), weft::manual]]
CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height,
    CUstream hStream);

[[weft::op(545), weft::since(3020), weft::manual]]
CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height,
    CUstream hStream);

[[weft::op(546), weft::since(5050), weft::local]]
CUresult cuStreamGetPriority(CUstream hStream, int* priority);

[[weft::op(547), weft::since(12000), weft::local]]
CUresult cuStreamGetId(CUstream hStream, unsigned long long* streamId);

[[weft::op(548), weft::since(5050), weft::local]]
CUresult cuStreamGetFlags(CUstream hStream, unsigned int* flags);

[[weft::op(549), weft::since(12080), weft::local]]
CUresult cuStreamGetDevice(CUstream hStream, CUdevice* device);

[[weft::op(550), weft::since(9020), weft::local]]
CUresult cuStreamGetCtx(CUstream hStream, CUcontext* pctx);

[[weft::op(551), weft::since(12050), weft::manual]]
CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx);

[[weft::op(552), weft::since(3020), weft::manual]]
CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags);

[[weft::op(553), weft::since(5000), weft::manual]]
CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData, unsigned int flags);

[[weft::op(554), weft::since(6000), weft::local]]
CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags);

[[weft::op(555), weft::since(2000), weft::manual]]
CUresult cuStreamQuery(CUstream hStream);

[[weft::op(556), weft::since(2000), weft::manual]]
CUresult cuStreamSynchronize(CUstream hStream);

[[weft::op(557), weft::since(2000), weft::manual]]
CUresult cuEventRecord(CUevent hEvent, CUstream hStream);

[[weft::op(558), weft::since(11010), weft::manual]]
CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags);

[[weft::op(559), weft::since(4000), weft::manual]]
CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned
    int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
    void** kernelParams, void** extra);

[[weft::op(560), weft::since(11060), weft::manual]]
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra);

[[weft::op(561), weft::since(10000), weft::manual]]
CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData);

[[weft::op(562), weft::since(3000), weft::unsupported]]
CUresult cuGraphicsMapResources(unsigned int count, CUgraphicsResource* resources, CUstream hStream);

[[weft::op(563), weft::since(3000), weft::unsupported]]
CUresult cuGraphicsUnmapResources(unsigned int count, CUgraphicsResource* resources, CUstream hStream);

[[weft::op(564), weft::since(8000), weft::same_as(cuStreamWriteValue32_v2)]]
CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

[[weft::op(565), weft::since(8000), weft::same_as(cuStreamWaitValue32_v2)]]
CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

[[weft::op(566), weft::since(9000), weft::same_as(cuStreamWriteValue64_v2)]]
CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

[[weft::op(567), weft::since(9000), weft::same_as(cuStreamWaitValue64_v2)]]
CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

[[weft::op(568), weft::since(8000), weft::unsupported]]
CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* paramArray, unsigned int
    flags);

[[weft::op(569), weft::since(8000), weft::per_thread(cuStreamWriteValue32)]]
CUresult cuStreamWriteValue32_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

[[weft::op(570), weft::since(8000), weft::per_thread(cuStreamWaitValue32)]]
CUresult cuStreamWaitValue32_ptsz(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

[[weft::op(571), weft::since(9000), weft::per_thread(cuStreamWriteValue64)]]
CUresult cuStreamWriteValue64_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

[[weft::op(572), weft::since(9000), weft::per_thread(cuStreamWaitValue64)]]
CUresult cuStreamWaitValue64_ptsz(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

[[weft::op(573), weft::since(8000), weft::per_thread(cuStreamBatchMemOp)]]
CUresult cuStreamBatchMemOp_ptsz(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* paramArray, unsigned
    int flags);

[[weft::op(574), weft::since(11070), weft::async]]
CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

[[weft::op(575), weft::since(11070), weft::async]]
CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);

[[weft::op(576), weft::since(11070), weft::async]]
CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

[[weft::op(577), weft::since(11070), weft::async]]
CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);

[[weft::op(578), weft::since(11070), weft::async]]
CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned int count, [[weft::in, weft::count("count")]]
    CUstreamBatchMemOpParams* paramArray, unsigned int flags);

[[weft::op(579), weft::since(8000), weft::manual]]
CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream);

[[weft::op(580), weft::since(8000), weft::per_thread(cuMemPrefetchAsync)]]
CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream);

[[weft::op(581), weft::since(12020), weft::manual]]
CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags, CUstream
    hStream);

[[weft::op(582), weft::since(8000), weft::local]]
CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device);

[[weft::op(583), weft::since(13000), weft::unsupported]]
CUresult cuMemPrefetchBatchAsync(CUdeviceptr* dptrs, size_t* sizes, size_t count, CUmemLocation* prefetchLocs, size_t*
    prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags, CUstream hStream);

[[weft::op(584), weft::since(13000), weft::unsupported]]
CUresult cuMemDiscardBatchAsync(CUdeviceptr* dptrs, size_t* sizes, size_t count, unsigned long long flags, CUstream
    hStream);

[[weft::op(585), weft::since(13000), weft::unsupported]]
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* dptrs, size_t* sizes, size_t count, CUmemLocation*
    prefetchLocs, size_t* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags, CUstream hStream);

[[weft::op(586), weft::since(9000), weft::manual]]
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
    unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream
    hStream, void** kernelParams);

[[weft::op(587), weft::since(10000), weft::unsupported]]
CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore* extSemArray, const
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* paramsArray, unsigned int numExtSems, CUstream stream);

[[weft::op(588), weft::since(10000), weft::unsupported]]
CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore* extSemArray, const
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* paramsArray, unsigned int numExtSems, CUstream stream);

[[weft::op(589), weft::since(10000), weft::manual]]
CUresult cuStreamBeginCapture(CUstream hStream);

[[weft::op(590), weft::since(10000), weft::per_thread(cuStreamBeginCapture)]]
CUresult cuStreamBeginCapture_ptsz(CUstream hStream);

[[weft::op(591), weft::since(10010), weft::manual]]
CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode);

[[weft::op(592), weft::since(12030), weft::manual]]
CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode* dependencies, const
    CUgraphEdgeData* dependencyData, size_t numDependencies, CUstreamCaptureMode mode);

[[weft::op(593), weft::since(10000), weft::manual]]
CUresult cuStreamEndCapture(CUstream hStream, CUgraph* phGraph);

[[weft::op(594), weft::since(10000), weft::local]]
CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus);

[[weft::op(595), weft::since(10010), weft::manual]]
CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out);

[[weft::op(596), weft::since(10010), weft::per_thread(cuStreamGetCaptureInfo)]]
CUresult cuStreamGetCaptureInfo_ptsz(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out);

[[weft::op(597), weft::since(11030), weft::manual]]
CUresult cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out,
    CUgraph* graph_out, const CUgraphNode** dependencies_out, size_t* numDependencies_out);

[[weft::op(598), weft::since(11030), weft::per_thread(cuStreamGetCaptureInfo_v2)]]
CUresult cuStreamGetCaptureInfo_v2_ptsz(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t*
    id_out, CUgraph* graph_out, const CUgraphNode** dependencies_out, size_t* numDependencies_out);

[[weft::op(599), weft::since(12030), weft::manual]]
CUresult cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out,
    CUgraph* graph_out, const CUgraphNode** dependencies_out, const CUgraphEdgeData** edgeData_out, size_t*
    numDependencies_out);

[[weft::op(600), weft::since(10000), weft::manual]]
CUresult cuGraphAddKernelNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t
    numDependencies, const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams);

[[weft::op(601), weft::since(10000), weft::manual]]
CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1* nodeParams);

[[weft::op(602), weft::since(10000), weft::manual]]
CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams);

[[weft::op(603), weft::since(10010), weft::manual]]
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1*
    nodeParams);

[[weft::op(604), weft::since(12000), weft::manual]]
CUresult cuGraphInstantiateWithParams(CUgraphExec* phGraphExec, CUgraph hGraph, CUDA_GRAPH_INSTANTIATE_PARAMS*
    instantiateParams);

[[weft::op(605), weft::since(10020), weft::sync]]
CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, [[weft::out]] CUgraphNode* hErrorNode_out,
    [[weft::out]] CUgraphExecUpdateResult* updateResult_out);

[[weft::op(606), weft::since(11010), weft::async]]
CUresult cuGraphUpload(CUgraphExec hGraph, CUstream hStream);

[[weft::op(607), weft::since(10000), weft::manual]]
CUresult cuGraphLaunch(CUgraphExec hGraph, CUstream hStream);

[[weft::op(608), weft::since(10000), weft::sync]]
CUresult cuGraphGetEdges(CUgraph hGraph, [[weft::out, weft::capacity("numEdges")]] CUgraphNode* from, [[weft::out,
    weft::capacity("numEdges")]] CUgraphNode* to, [[weft::inout]] size_t* numEdges);

[[weft::op(609), weft::since(10000), weft::sync]]
CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, [[weft::out, weft::capacity("numDependencies")]] CUgraphNode*
    dependencies, [[weft::inout]] size_t* numDependencies);

[[weft::op(610), weft::since(10000), weft::sync]]
CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, [[weft::out, weft::capacity("numDependentNodes")]]
    CUgraphNode* dependentNodes, [[weft::inout]] size_t* numDependentNodes);

[[weft::op(611), weft::since(10000), weft::sync]]
CUresult cuGraphAddDependencies(CUgraph hGraph, [[weft::in, weft::count("numDependencies")]] const CUgraphNode* from,
    [[weft::in, weft::count("numDependencies")]] const CUgraphNode* to, size_t numDependencies);

[[weft::op(612), weft::since(10000), weft::sync]]
CUresult cuGraphRemoveDependencies(CUgraph hGraph, [[weft::in, weft::count("numDependencies")]] const CUgraphNode*
    from, [[weft::in, weft::count("numDependencies")]] const CUgraphNode* to, size_t numDependencies);

[[weft::op(613), weft::since(12020), weft::unsupported]]
CUresult cuGraphAddNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t
    numDependencies, CUgraphNodeParams* nodeParams);

[[weft::op(614), weft::since(11000), weft::async]]
CUresult cuStreamCopyAttributes(CUstream dstStream, CUstream srcStream);

[[weft::op(615), weft::since(11000), weft::sync]]
CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, [[weft::out]] CUstreamAttrValue* value);

[[weft::op(616), weft::since(11000), weft::async]]
CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, [[weft::in]] const CUstreamAttrValue* param);

[[weft::op(617), weft::since(4010), weft::same_as(cuIpcOpenMemHandle_v2)]]
CUresult cuIpcOpenMemHandle(CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags);

[[weft::op(618), weft::since(10000), weft::same_as(cuGraphInstantiate_v2)]]
CUresult cuGraphInstantiate(CUgraphExec* phGraphExec, CUgraph hGraph, CUgraphNode* phErrorNode, char* logBuffer,
    size_t bufferSize);

[[weft::op(619), weft::since(11000), weft::manual]]
CUresult cuGraphInstantiate_v2(CUgraphExec* phGraphExec, CUgraph hGraph, CUgraphNode*
    phErrorNode, char* logBuffer, size_t bufferSize);

[[weft::op(620), weft::since(11010), weft::unsupported]]
CUresult cuMemMapArrayAsync(CUarrayMapInfo* mapInfoList, unsigned int count, CUstream hStream);

[[weft::op(621), weft::since(11020), weft::manual]]
CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream);

[[weft::op(622), weft::since(11020), weft::manual]]
CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream);

[[weft::op(623), weft::since(11020), weft::manual]]
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream);

[[weft::op(624), weft::since(11030), weft::sync]]
CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, [[weft::in, weft::count("numDependencies")]] CUgraphNode*
    dependencies, size_t numDependencies, unsigned int flags);

[[weft::op(625), weft::since(11030), weft::per_thread(cuStreamUpdateCaptureDependencies)]]
CUresult cuStreamUpdateCaptureDependencies_ptsz(CUstream hStream, CUgraphNode* dependencies, size_t numDependencies,
    unsigned int flags);

[[weft::op(626), weft::since(12030), weft::sync]]
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream hStream, [[weft::in, weft::count("numDependencies")]]
    CUgraphNode* dependencies, [[weft::in, weft::count("numDependencies")]] const CUgraphEdgeData* dependencyData,
    size_t numDependencies, unsigned int flags);

[[weft::op(627), weft::since(12060), weft::unsupported]]
CUresult cuMemBatchDecompressAsync(CUmemDecompressParams* paramsArray, size_t count, unsigned int flags, size_t*
    errorIndex, CUstream stream);

[[weft::op(628), weft::since(11030), weft::local]]
CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags);

[[weft::op(629), weft::since(12080), weft::unsupported]]
CUresult cuCheckpointProcessGetRestoreThreadId(int pid, int* tid);

[[weft::op(630), weft::since(12080), weft::unsupported]]
CUresult cuCheckpointProcessGetState(int pid, CUprocessState* state);

[[weft::op(631), weft::since(12080), weft::unsupported]]
CUresult cuCheckpointProcessLock(int pid, CUcheckpointLockArgs* args);

[[weft::op(632), weft::since(12080), weft::unsupported]]
CUresult cuCheckpointProcessCheckpoint(int pid, CUcheckpointCheckpointArgs* args);

[[weft::op(633), weft::since(12080), weft::unsupported]]
CUresult cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs* args);

[[weft::op(634), weft::since(12080), weft::unsupported]]
CUresult cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs* args);

// --- <cudaProfiler.h>

[[weft::op(635), weft::since(4000), weft::local]]
CUresult cuProfilerInitialize(const char* configFile, const char* outputFile, CUoutput_mode outputMode);

[[weft::op(636), weft::since(4000), weft::async]]
CUresult cuProfilerStart(void);

[[weft::op(637), weft::since(4000), weft::async]]
CUresult cuProfilerStop(void);
