// The CUDA version of this build of the library. The build compiles this file once per soname, with WHARF_CUDART_VERSION.

namespace wharf::cuda::runtime {

extern const int kRuntimeVersion;
const int kRuntimeVersion = WHARF_CUDART_VERSION;

}  // namespace wharf::cuda::runtime
