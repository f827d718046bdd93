#pragma once
// Fills cudaDeviceProp in the layouts of CUDA 9 to 13, and answers cudaDeviceGetAttribute (CU-23).

#include "stimuli/cuda/include/cuda_runtime.h"
#include "stimuli/cuda/recording/queries.h"

namespace wharf::cuda::runtime {

/// The CUDA version of this build of the library, as cudaRuntimeGetVersion gives it: 13000 for libcudart.so.13. One object file per version
/// defines it.
extern const int kRuntimeVersion;

/// Writes every field, in the layout that programs of kRuntimeVersion know: CUDA 13's, that of 11 and 12, 10's or 9's.
void write_properties(const DeviceDescription& device, void* properties);
/// The longer layout of CUDA 12.
void write_properties_v2(const DeviceDescription& device, void* properties);
/// Returns false for an attribute that is not known.
bool attribute_of(const DeviceDescription& device, cudaDeviceAttr attribute, int& value);

}  // namespace wharf::cuda::runtime
