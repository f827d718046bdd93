#pragma once
// Conversions of threadIdx and its kin, which clang declares and leaves to us, because they need dim3 and uint3.

#define WHARF_CONVERSIONS(variable)                                                                \
  __device__ inline __cuda_builtin_##variable##_t::operator dim3() const { return dim3(x, y, z); } \
  __device__ inline __cuda_builtin_##variable##_t::operator uint3() const { return {x, y, z}; }
WHARF_CONVERSIONS(threadIdx)
WHARF_CONVERSIONS(blockIdx)
WHARF_CONVERSIONS(blockDim)
WHARF_CONVERSIONS(gridDim)
#undef WHARF_CONVERSIONS
