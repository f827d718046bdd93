#pragma once
// The state of the runtime library in a program: the connection, the allocations, what the program has registered, streams, events, errors.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "stimuli/cuda/include/cuda_runtime.h"
#include "stimuli/cuda/runtime/channel.h"
#include "stimuli/cuda/runtime/memory/device_heap.h"
#include "stimuli/cuda/runtime/memory/registered_memory.h"

namespace wharf::cuda::runtime {

/// What cudaStreamSetAttribute sets. Only the window has an effect.
struct StreamAttributes {
  cudaAccessPolicyWindow window = {};
  cudaSynchronizationPolicy synchronization = cudaSyncPolicyAuto;
  int priority = 0;
  cudaLaunchMemSyncDomainMap domains = {0, 1};
  cudaLaunchMemSyncDomain domain = cudaLaunchMemSyncDomainDefault;
};

}  // namespace wharf::cuda::runtime

/// The opaque types of the API. A null stream is the default stream.
struct CUstream_st {
  std::uint64_t number;
  unsigned flags;
  wharf::cuda::runtime::StreamAttributes attributes;
};
struct CUevent_st {
  unsigned flags;
  bool recorded;
  double seconds;                                  // simulated time at cudaEventRecord
  std::uint64_t capture = 0;                       // in which it was recorded last; 0: none
  std::vector<cudaGraphNode_t> dependencies = {};  // on which a stream depends that waits for it in that capture
};
/// A pool of device memory. Memory that is freed returns to the device at once, so the pool reserves what is in use.
struct CUmemPoolHandle_st {
  std::uint64_t limit = UINT64_MAX;  // of bytes in use
  std::uint64_t used = 0, most_used = 0, most_reserved = 0;
  // Without effect, but returned: by attribute.
  int reuse[3] = {1, 1, 1};
  std::uint64_t release_threshold = 0;
};
struct cudaArray {
  std::uint64_t address;
  cudaChannelFormatDesc channel;
  cudaExtent extent;  // in texels; height and depth 0 for dimensions that are not there
  unsigned flags;
  std::uint64_t texel_bytes, pitch;
};

namespace wharf::cuda::runtime {

/// A kernel that the program has registered. Its description is asked for when it is first needed.
struct Kernel {
  FunctionRecord record;
  bool described = false;
  KernelDescription description;
  // Set by cudaFuncSetAttribute.
  std::uint32_t dynamic_shared_limit = 0;  // 0: the device's default
  dim3 required_cluster = {0, 0, 0};       // 0: none
  bool needs_cluster = false, allows_large_clusters = false;
};

struct Variable {
  VariableRecord record;
  bool placed = false, managed = false;
  VariablePlace place;
};

struct Texture {
  TextureRecord record;
  std::size_t offset = 0;  // by which cudaBindTexture had to align the pointer down, in bytes
};

/// A stream that is captured.
struct CapturedStream {
  std::shared_ptr<struct Capture> capture;
  std::vector<cudaGraphNode_t> dependencies;  // of its next node
};

struct LaunchConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
};

struct Session {
  Session() : heap(channel.device().memory_bytes) {}

  Channel channel;
  DeviceHeap heap;
  RegisteredMemory registered;
  std::uint32_t modules = 0, modules_alive = 0;
  bool ended = false;
  std::thread::id thread = std::this_thread::get_id();  // the first that called the API
  bool warned_of_threads = false, warned_of_memory = false;
  std::map<const void*, Kernel> kernels;      // by the address of the host's stub
  std::map<const void*, Variable> variables;  // by the address of the host's shadow, or of a managed variable
  std::map<const void*, Texture> textures;
  std::set<cudaStream_t> streams;
  std::set<cudaEvent_t> events;
  std::set<cudaArray_t> arrays;
  std::set<cudaTextureObject_t> texture_objects;
  std::set<cudaSurfaceObject_t> surface_objects;
  CUmemPoolHandle_st default_pool;
  cudaMemPool_t pool = &default_pool;              // of cudaMallocAsync
  std::set<cudaMemPool_t> pools;                   // that the program has created
  std::map<std::uint64_t, cudaMemPool_t> pool_of;  // by the address of an allocation; none if its pool has been destroyed
  std::map<cudaStream_t, CapturedStream> captures;
  std::set<cudaGraph_t> graphs;
  std::set<cudaGraphNode_t> nodes;
  std::set<cudaGraphExec_t> executables;
  std::uint64_t streams_made = 0, texture_objects_made = 0, captures_made = 0, nodes_made = 0;
  std::vector<LaunchConfiguration> configurations;  // pushed by <<< >>>, popped by the stub
  std::map<std::string, std::uint64_t> calls;
  std::map<int, std::size_t> limits;
  StreamAttributes default_stream;
  bool resets_persisting = false;  // the next launch makes persisting lines normal
  cudaError_t last_error = cudaSuccess;
  cudaError_t fault = cudaSuccess;  // of a kernel: every later call returns it
};

/// The lock of the session, recursive because callbacks of the program may call the API.
std::recursive_mutex& session_mutex();
/// Connects at the first call.
Session& session();
/// Remembers `error` for cudaGetLastError, and a kernel's fault for good. Returns it.
cudaError_t remember(Session& session, cudaError_t error);
/// Sends the end of the stream, with the counts of calls.
void end_session(Session& session);

/// Warns once where a second thread of the host calls the API (CU-60).
void note_thread(Session& session);
/// Allocates, and warns once where the device's memory is used up: programs go on with a null pointer. Returns nullptr then.
const Allocation* allocate_memory(Session& session, std::uint64_t bytes, AllocationKind kind);
/// True for an error that a kernel's execution causes: the device's context cannot be used any more.
bool is_fault(cudaError_t error);

/// The frame of every function of the API: takes the lock, counts the call, returns a previous fault, and remembers the error.
template <class Body>
cudaError_t api_call(const char* function, Body body) {
  const std::lock_guard<std::recursive_mutex> lock(session_mutex());
  Session& state = session();
  if (state.ended) return cudaErrorCudartUnloading;
  ++state.calls[function];
  note_thread(state);
  if (state.fault != cudaSuccess) return remember(state, state.fault);
  return remember(state, body(state));
}

}  // namespace wharf::cuda::runtime

/// Makes the functions that a program compiled with a default stream per thread calls (`_ptds`, `_ptsz`) second names of the plain ones:
/// commands run in the order of submission over all streams (CU-16).
#define WHARF_ALIAS(alias, function) asm(".globl " #alias "\n.type " #alias ", @function\n.set " #alias ", " #function)
