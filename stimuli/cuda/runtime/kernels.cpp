#include "stimuli/cuda/runtime/kernels.h"

#include <cstring>

#include "stimuli/cuda/runtime/launch_attributes.h"
#include "stimuli/cuda/runtime/launch_check.h"
#include "stimuli/cuda/runtime/streams/captures.h"
#include "stimuli/cuda/runtime/streams/streams.h"

namespace wharf::cuda::runtime {
namespace {

/// Copies the arguments into a parameter block.
std::shared_ptr<KernelArguments> gather(const Kernel& kernel, void** arguments) {
  auto gathered = std::make_shared<KernelArguments>();
  gathered->bytes.resize(kernel.description.parameter_bytes);
  for (std::size_t i = 0; i < kernel.description.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.description.parameters[i];
    char* const place = gathered->bytes.data() + parameter.offset;
    std::memcpy(place, arguments[i], parameter.bytes);
    gathered->pointers.push_back(place);
  }
  return gathered;
}

LaunchRecord launch_record(const Kernel& kernel, const cudaLaunchConfig_t& config, const KernelArguments& arguments) {
  const dim3 &grid = config.gridDim, &block = config.blockDim;
  LaunchRecord record;
  record.module = kernel.record.module;
  record.kernel = kernel.record.name;
  record.grid[0] = grid.x, record.grid[1] = grid.y, record.grid[2] = grid.z;
  record.block[0] = block.x, record.block[1] = block.y, record.block[2] = block.z;
  record.shared_bytes = static_cast<std::uint32_t>(config.dynamicSmemBytes);
  record.stream = stream_number(config.stream);
  record.arguments = arguments.bytes;
  return record;
}

}  // namespace

Kernel* find_kernel(Session& session, const void* stub, cudaError_t& error) {
  const auto found = session.kernels.find(stub);
  if (found == session.kernels.end()) {
    error = cudaErrorInvalidDeviceFunction;
    return nullptr;
  }
  Kernel& kernel = found->second;
  if (!kernel.described) {
    int code = 0;
    if (!session.channel.ask(RecordKind::kernel_query, kernel.record, kernel.description, code)) {
      error = static_cast<cudaError_t>(code);
      return nullptr;
    }
    kernel.described = true;
  }
  return &kernel;
}

namespace {

/// The API returns an error, and nothing runs. The device hears why.
cudaError_t refuse(Session& session, const Kernel* kernel, const cudaLaunchConfig_t& config, const LaunchRefusal& refusal) {
  const dim3 &grid = config.gridDim, &block = config.blockDim;
  session.channel.send(RecordKind::refused_launch, RefusedLaunchRecord{kernel != nullptr ? kernel->record.name : "",
                                                                       {grid.x, grid.y, grid.z},
                                                                       {block.x, block.y, block.z},
                                                                       config.dynamicSmemBytes,
                                                                       cudaGetErrorString(refusal.error) + (": " + refusal.reason)});
  return refusal.error;
}

}  // namespace

cudaError_t prepare_launch(Session& session, const void* stub, const cudaLaunchConfig_t& config, LaunchAttributes attributes,
                           void** arguments, Work& work) {
  LaunchRefusal refusal;
  const Kernel* kernel = find_kernel(session, stub, refusal.error);
  dim3 cluster;
  if (kernel == nullptr) {
    refusal.reason = "no kernel is registered at the function's address; name a __global__ function";
  } else if (arguments == nullptr && !kernel->description.parameters.empty()) {
    refusal = {cudaErrorInvalidValue,
               "no arguments are given where the kernel has " + std::to_string(kernel->description.parameters.size())};
  } else {
    refusal = read_attributes(session.channel.device(), config, attributes);
    if (refusal.error == cudaSuccess) refusal = check_launch(session, *kernel, config, attributes, cluster);
  }
  if (refusal.error != cudaSuccess) return refuse(session, kernel, config, refusal);

  if (!attributes.window) attributes.window = attributes_of(session, config.stream).window;
  auto gathered = gather(*kernel, arguments);
  const auto command = [record = launch_record(*kernel, config, *gathered), window = *attributes.window, cluster,
                        cooperative = attributes.cooperative](Session& s) {
    const LaunchAttributesRecord extended = attributes_record(s, window, cluster);
    if (extended.acts()) s.channel.send(RecordKind::launch_attributes, extended);
    s.resets_persisting = false;
    if (cooperative) s.channel.send(RecordKind::cooperative_launch, CooperativeLaunchRecord{});
    s.registered.to_device(s.channel);
    const auto error = static_cast<cudaError_t>(s.channel.send(RecordKind::launch, record));
    s.registered.to_host(s.channel);
    return error;
  };
  const cudaKernelNodeParams launch = {const_cast<void*>(stub),   config.gridDim,
                                       config.blockDim,           static_cast<unsigned>(config.dynamicSmemBytes),
                                       gathered->pointers.data(), nullptr};
  work = {cudaGraphNodeTypeKernel, command, KernelParameters{launch, std::move(gathered), attributes}};
  return cudaSuccess;
}

cudaError_t launch(Session& session, const void* stub, const cudaLaunchConfig_t& config, void** arguments) {
  Work work;
  const cudaError_t error = prepare_launch(session, stub, config, {}, arguments, work);
  return error != cudaSuccess ? error : submit(session, config.stream, std::move(work));
}

}  // namespace wharf::cuda::runtime
