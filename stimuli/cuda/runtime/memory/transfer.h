#pragma once
// Moves bytes between the host's memory and the device's, and tells Wharf.

#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {

/// Copies `bytes` bytes. `kind` is checked against what the pointers are: a pointer outside the device's range is the host's. Returns
/// cudaErrorInvalidValue for a range that is not inside one allocation, cudaErrorInvalidMemcpyDirection where a pointer is the host's and
/// `kind` wants the device's.
cudaError_t copy(Session& session, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
/// Copies `height` rows of `width` bytes.
cudaError_t copy_rows(Session& session, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind);
cudaError_t fill(Session& session, void* pointer, int value, std::size_t bytes);
/// The address of a registered variable. Returns cudaErrorInvalidSymbol where `symbol` is none.
cudaError_t place_of(Session& session, const void* symbol, VariablePlace& place);
/// The address of byte `offset` of a registered variable that has `bytes` bytes from there on; cudaErrorInvalidValue where it has fewer.
cudaError_t address_of(Session& session, const void* symbol, std::size_t offset, std::size_t bytes, void*& address);

}  // namespace wharf::cuda::runtime
