#pragma once
// The runtime API as C functions. libcudart of stimuli/cuda/runtime defines them; a function without an implementation there ends the
// program with exit code 2.

#if defined(__cplusplus)
#define WHARF_DEFAULT(value) = value
extern "C" {
#else
#define WHARF_DEFAULT(value)
#endif
#define WHARF_API cudaError_t

// Memory.
WHARF_API cudaMalloc(void** pointer, size_t bytes);
WHARF_API cudaFree(void* pointer);
WHARF_API cudaMallocHost(void** pointer, size_t bytes);
WHARF_API cudaFreeHost(void* pointer);
WHARF_API cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags);
WHARF_API cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
WHARF_API cudaHostGetFlags(unsigned int* flags, void* host);
WHARF_API cudaHostRegister(void* pointer, size_t bytes, unsigned int flags);
WHARF_API cudaHostUnregister(void* pointer);
WHARF_API cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags WHARF_DEFAULT(cudaMemAttachGlobal));
WHARF_API cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
WHARF_API cudaMalloc3D(struct cudaPitchedPtr* pointer, struct cudaExtent extent);
WHARF_API cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream);
WHARF_API cudaFreeAsync(void* pointer, cudaStream_t stream);
WHARF_API cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
WHARF_API cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
WHARF_API cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
WHARF_API cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
WHARF_API cudaMemPoolCreate(cudaMemPool_t* pool, const struct cudaMemPoolProps* properties);
WHARF_API cudaMemPoolDestroy(cudaMemPool_t pool);
WHARF_API cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep);
WHARF_API cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value);
WHARF_API cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value);
WHARF_API cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc* accesses, size_t count);
WHARF_API cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t pool, struct cudaMemLocation* location);
WHARF_API cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);
WHARF_API cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer);
WHARF_API cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise advice, int device);

// Copies and fills.
WHARF_API cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind);
WHARF_API cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes);
WHARF_API cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                              cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                       enum cudaMemcpyKind kind);
WHARF_API cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                            enum cudaMemcpyKind kind, cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaMemcpy3D(const struct cudaMemcpy3DParms* parameters);
WHARF_API cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* parameters, cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset WHARF_DEFAULT(0),
                             enum cudaMemcpyKind kind WHARF_DEFAULT(cudaMemcpyHostToDevice));
WHARF_API cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset WHARF_DEFAULT(0),
                               enum cudaMemcpyKind kind WHARF_DEFAULT(cudaMemcpyDeviceToHost));
WHARF_API cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                                  cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaGetSymbolAddress(void** pointer, const void* symbol);
WHARF_API cudaGetSymbolSize(size_t* bytes, const void* symbol);
WHARF_API cudaMemset(void* pointer, int value, size_t bytes);
WHARF_API cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
WHARF_API cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
WHARF_API cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent, cudaStream_t stream WHARF_DEFAULT(0));

// Arrays and textures.
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind);
WHARF_API cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* channel, size_t width, size_t height WHARF_DEFAULT(0),
                          unsigned int flags WHARF_DEFAULT(0));
WHARF_API cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* channel, struct cudaExtent extent,
                            unsigned int flags WHARF_DEFAULT(0));
WHARF_API cudaFreeArray(cudaArray_t array);
WHARF_API cudaArrayGetInfo(struct cudaChannelFormatDesc* channel, struct cudaExtent* extent, unsigned int* flags, cudaArray_t array);
WHARF_API cudaGetChannelDesc(struct cudaChannelFormatDesc* channel, cudaArray_const_t array);
WHARF_API cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, enum cudaMemcpyKind kind);
WHARF_API cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, enum cudaMemcpyKind kind,
                                 cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind);
WHARF_API cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind);
WHARF_API cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t from_pitch, size_t width, size_t height,
                                   enum cudaMemcpyKind kind, cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
                                enum cudaMemcpyKind kind);
WHARF_API cudaBindTexture(size_t* offset, const struct textureReference* texture, const void* pointer,
                          const struct cudaChannelFormatDesc* channel, size_t bytes WHARF_DEFAULT(0xffffffff));
WHARF_API cudaBindTexture2D(size_t* offset, const struct textureReference* texture, const void* pointer,
                            const struct cudaChannelFormatDesc* channel, size_t width, size_t height, size_t pitch);
WHARF_API cudaBindTextureToArray(const struct textureReference* texture, cudaArray_const_t array,
                                 const struct cudaChannelFormatDesc* channel);
WHARF_API cudaUnbindTexture(const struct textureReference* texture);
WHARF_API cudaGetTextureAlignmentOffset(size_t* offset, const struct textureReference* texture);
WHARF_API cudaGetTextureReference(const struct textureReference** texture, const void* symbol);
WHARF_API cudaCreateTextureObject(cudaTextureObject_t* object, const struct cudaResourceDesc* resource,
                                  const struct cudaTextureDesc* texture, const struct cudaResourceViewDesc* view);
WHARF_API cudaDestroyTextureObject(cudaTextureObject_t object);
WHARF_API cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const struct cudaResourceDesc* resource);
WHARF_API cudaDestroySurfaceObject(cudaSurfaceObject_t object);
WHARF_API cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const struct cudaResourceDesc* resource);
WHARF_API cudaDestroySurfaceObject(cudaSurfaceObject_t object);

// The device.
WHARF_API cudaDeviceSynchronize(void);
WHARF_API cudaDeviceReset(void);
WHARF_API cudaThreadSynchronize(void);
WHARF_API cudaThreadExit(void);
WHARF_API cudaThreadSetLimit(enum cudaLimit limit, size_t value);
WHARF_API cudaThreadGetLimit(size_t* value, enum cudaLimit limit);
WHARF_API cudaThreadSetCacheConfig(enum cudaFuncCache config);
WHARF_API cudaGetDevice(int* device);
WHARF_API cudaSetDevice(int device);
WHARF_API cudaGetDeviceCount(int* count);
WHARF_API cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device);
WHARF_API cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device);
WHARF_API cudaChooseDevice(int* device, const struct cudaDeviceProp* properties);
WHARF_API cudaSetValidDevices(int* devices, int count);
WHARF_API cudaSetDeviceFlags(unsigned int flags);
WHARF_API cudaGetDeviceFlags(unsigned int* flags);
WHARF_API cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
WHARF_API cudaDeviceGetLimit(size_t* value, enum cudaLimit limit);
WHARF_API cudaCtxResetPersistingL2Cache(void);
WHARF_API cudaDeviceSetCacheConfig(enum cudaFuncCache config);
WHARF_API cudaDeviceGetCacheConfig(enum cudaFuncCache* config);
WHARF_API cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
WHARF_API cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config);
WHARF_API cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
WHARF_API cudaDeviceGetPCIBusId(char* id, int length, int device);
WHARF_API cudaDeviceCanAccessPeer(int* possible, int device, int peer);
WHARF_API cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
WHARF_API cudaDeviceDisablePeerAccess(int peer);
WHARF_API cudaDriverGetVersion(int* version);
WHARF_API cudaRuntimeGetVersion(int* version);
WHARF_API cudaProfilerStart(void);
WHARF_API cudaProfilerStop(void);

// Errors.
WHARF_API cudaGetLastError(void);
WHARF_API cudaPeekAtLastError(void);
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);

// Streams and events.
WHARF_API cudaStreamCreate(cudaStream_t* stream);
WHARF_API cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
WHARF_API cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
WHARF_API cudaStreamGetPriority(cudaStream_t stream, int* priority);
WHARF_API cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
WHARF_API cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue* value);
WHARF_API cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue* value);
WHARF_API cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
WHARF_API cudaStreamDestroy(cudaStream_t stream);
WHARF_API cudaStreamSynchronize(cudaStream_t stream);
WHARF_API cudaStreamQuery(cudaStream_t stream);
WHARF_API cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags WHARF_DEFAULT(0));
WHARF_API cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags);
WHARF_API cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes WHARF_DEFAULT(0),
                                   unsigned int flags WHARF_DEFAULT(cudaMemAttachSingle));
WHARF_API cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
WHARF_API cudaEventCreate(cudaEvent_t* event);
WHARF_API cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
WHARF_API cudaEventDestroy(cudaEvent_t event);
WHARF_API cudaEventRecord(cudaEvent_t event, cudaStream_t stream WHARF_DEFAULT(0));
WHARF_API cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream WHARF_DEFAULT(0),
                                   unsigned int flags WHARF_DEFAULT(cudaEventRecordDefault));
WHARF_API cudaEventSynchronize(cudaEvent_t event);
WHARF_API cudaEventQuery(cudaEvent_t event);
WHARF_API cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

// Kernels.
WHARF_API cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes, cudaStream_t stream);
WHARF_API cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments);
WHARF_API cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                      cudaStream_t stream);
WHARF_API cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* kernel);
WHARF_API cudaFuncSetAttribute(const void* kernel, enum cudaFuncAttribute attribute, int value);
WHARF_API cudaFuncSetCacheConfig(const void* kernel, enum cudaFuncCache config);
WHARF_API cudaFuncSetSharedMemConfig(const void* kernel, enum cudaSharedMemConfig config);
WHARF_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads, size_t shared_bytes);
WHARF_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int threads, size_t shared_bytes,
                                                                 unsigned int flags);
WHARF_API cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel, const cudaLaunchConfig_t* config);
WHARF_API cudaOccupancyMaxPotentialClusterSize(int* ctas, const void* kernel, const cudaLaunchConfig_t* config);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes WHARF_DEFAULT(0),
                                         struct CUstream_st* stream WHARF_DEFAULT(0));

#if defined(__cplusplus)
}
#endif
#undef WHARF_API
#undef WHARF_DEFAULT
