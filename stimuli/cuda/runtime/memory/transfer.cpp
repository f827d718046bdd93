#include "stimuli/cuda/runtime/memory/transfer.h"

#include <cstring>

namespace wharf::cuda::runtime {
namespace {

bool is_device(std::uint64_t address) { return address >= kMemoryBase && address < kMemoryBase + kMemorySpan; }

/// True where [address, address + bytes) lies inside one allocation or inside what modules define. Allocations end at a multiple of 256
/// bytes here, as CUDA's do (CU-58).
bool is_inside(const Session& session, std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t kGranule = 256;
  if (address >= kModuleBase) return bytes <= kMemoryBase + kMemorySpan - address;
  const Allocation* allocation = session.heap.find(address);
  if (allocation == nullptr) return false;
  const std::uint64_t end = (allocation->address + allocation->bytes + kGranule - 1) / kGranule * kGranule;
  return bytes <= end - address;
}

/// The memory that holds what `bytes` bytes from `pointer` are: of a copy of registered memory, the host's own, because no kernel runs now
/// (CU-29). Returns nullptr where they reach beyond the copy.
template <class Void>
Void* original(const Session& session, Void* pointer, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const RegisteredMemory::Region* region = is_device(address) ? session.registered.find_copy(address) : nullptr;
  if (region == nullptr) return pointer;
  const std::uint64_t offset = address - region->copy;
  return bytes <= region->bytes - offset ? region->host + offset : nullptr;
}

}  // namespace

cudaError_t copy(Session& session, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (bytes == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
  void* const original_to = original(session, to, bytes);
  const void* const original_from = original(session, from, bytes);
  if (original_to == nullptr || original_from == nullptr) return cudaErrorInvalidValue;
  if (original_to != to || original_from != from) return copy(session, original_to, original_from, bytes, cudaMemcpyDefault);
  const auto target = reinterpret_cast<std::uint64_t>(to), source = reinterpret_cast<std::uint64_t>(from);
  const bool to_device = is_device(target), from_device = is_device(source);
  const bool wants_device_target = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool wants_device_source = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if ((wants_device_target && !to_device) || (wants_device_source && !from_device)) return cudaErrorInvalidValue;
  if ((to_device && !is_inside(session, target, bytes)) || (from_device && !is_inside(session, source, bytes)))
    return cudaErrorInvalidValue;

  Channel& channel = session.channel;
  if (to_device && from_device) {
    std::memmove(channel.at(target), channel.at(source), bytes);
    return static_cast<cudaError_t>(channel.send(RecordKind::copy, CopyRecord{target, source, bytes}));
  }
  if (to_device) {
    std::memcpy(channel.at(target), from, bytes);
    return static_cast<cudaError_t>(channel.send(RecordKind::write, WriteRecord{target, bytes, {}}));
  }
  if (from_device) {
    std::memcpy(to, channel.at(source), bytes);
    return static_cast<cudaError_t>(channel.send(RecordKind::read, ReadRecord{source, bytes, 0}));
  }
  std::memmove(to, from, bytes);
  return cudaSuccess;
}

cudaError_t copy_rows(Session& session, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
  if (to_pitch == width && from_pitch == width) {
    std::size_t bytes;
    if (__builtin_mul_overflow(width, height, &bytes)) return cudaErrorInvalidValue;
    return copy(session, to, from, bytes, kind);
  }
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error =
        copy(session, static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width, kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t fill(Session& session, void* pointer, int value, std::size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  if (void* const memory = original(session, pointer, bytes); memory != pointer) {
    if (memory == nullptr) return cudaErrorInvalidValue;
    std::memset(memory, value, bytes);
    return cudaSuccess;
  }
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (!is_device(address) || !is_inside(session, address, bytes)) return cudaErrorInvalidValue;
  std::memset(session.channel.at(address), value, bytes);
  return static_cast<cudaError_t>(session.channel.send(RecordKind::fill, FillRecord{address, bytes, static_cast<std::uint8_t>(value)}));
}

cudaError_t place_of(Session& session, const void* symbol, VariablePlace& place) {
  const auto found = session.variables.find(symbol);
  if (found == session.variables.end()) return cudaErrorInvalidSymbol;
  Variable& variable = found->second;
  if (!variable.placed) {
    int error = 0;
    if (!session.channel.ask(RecordKind::variable_query, variable.record, variable.place, error)) return static_cast<cudaError_t>(error);
    variable.placed = true;
  }
  place = variable.place;
  return cudaSuccess;
}

cudaError_t address_of(Session& session, const void* symbol, std::size_t offset, std::size_t bytes, void*& address) {
  VariablePlace place;
  if (const cudaError_t error = place_of(session, symbol, place); error != cudaSuccess) return error;
  if (offset > place.bytes || bytes > place.bytes - offset) return cudaErrorInvalidValue;
  address = reinterpret_cast<void*>(place.address + offset);
  return cudaSuccess;
}

}  // namespace wharf::cuda::runtime
