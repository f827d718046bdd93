// Errors of the API.

#include "stimuli/cuda/runtime/session.h"

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

namespace {

struct ErrorText {
  int number;
  const char *name, *text;
};
constexpr ErrorText kErrors[] = {
#define WHARF_CUDA_ERROR(name, number, text) {number, #name, text},
#include "stimuli/cuda/include/wharf/error_codes.inc"
#undef WHARF_CUDA_ERROR
};

const ErrorText* find_error(int number) {
  for (const ErrorText& error : kErrors)
    if (error.number == number) return &error;
  return nullptr;
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError(void) {
  const std::lock_guard<std::recursive_mutex> lock(session_mutex());
  Session& s = session();
  ++s.calls["cudaGetLastError"];
  const cudaError_t error = s.last_error;
  s.last_error = s.fault;  // a fault stays
  return error;
}

cudaError_t cudaPeekAtLastError(void) {
  const std::lock_guard<std::recursive_mutex> lock(session_mutex());
  Session& s = session();
  ++s.calls["cudaPeekAtLastError"];
  return s.last_error;
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* found = find_error(error);
  return found != nullptr ? found->text : "unrecognized error code";
}

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* found = find_error(error);
  return found != nullptr ? found->name : "unrecognized error code";
}
}
