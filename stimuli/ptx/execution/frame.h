#pragma once
// The registers and parameters of one running function of a warp.

#include <cstddef>
#include <cstring>
#include <memory_resource>

#include "stimuli/ptx/program/program.h"

namespace wharf::ptx {

/// Bytes on a cache-line boundary, with any values. They come from a pool: a short warp lives for fewer instructions than malloc would take.
class AlignedBytes {
 public:
  AlignedBytes(std::size_t size, std::pmr::memory_resource& pool)
      : pool_(pool), size_(size), bytes_(static_cast<std::byte*>(pool.allocate(size, kAlignment))) {}
  ~AlignedBytes() { pool_.deallocate(bytes_, size_, kAlignment); }
  AlignedBytes(const AlignedBytes&) = delete;
  AlignedBytes& operator=(const AlignedBytes&) = delete;
  std::byte* data() const { return bytes_; }
  void clear(std::size_t offset, std::size_t size) { std::memset(bytes_ + offset, 0, size); }

 private:
  static constexpr std::size_t kAlignment = 64;
  std::pmr::memory_resource& pool_;
  std::size_t size_;
  std::byte* bytes_;
};

struct Frame {
  Frame(const FunctionCode& code, std::pmr::memory_resource& pool, Frame* caller, const CallSite* site, std::uint32_t return_pc,
        std::uint32_t stack_base)
      : function(code),
        rows(code.frame_bytes, pool),
        parameters(std::size_t{code.parameter_bytes} * kLanes, pool),
        caller(caller),
        site(site),
        return_pc(return_pc),
        stack_base(stack_base) {
    for (const RowBytes& row : code.cleared) rows.clear(row.offset, row.size);
    parameters.clear(0, std::size_t{code.parameter_bytes} * kLanes);
    for (const FunctionCode::LocalAddress& address : code.local_addresses) set_local_address(address);
  }

  /// The parameter area of a lane.
  std::byte* parameters_of(unsigned lane) const { return parameters.data() + std::size_t{lane} * function.parameter_bytes; }

  const FunctionCode& function;
  AlignedBytes rows;
  AlignedBytes parameters;
  Frame* caller;         // nullptr for the kernel
  const CallSite* site;  // the call that made it
  std::uint32_t return_pc;
  std::uint32_t stack_base;  // of its local variables, in each thread's stack

 private:
  void set_local_address(const FunctionCode::LocalAddress& address) {
    const std::uint64_t value = std::uint64_t{stack_base} + address.offset;
    const std::size_t width = address.wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
    for (unsigned lane = 0; lane < kLanes; ++lane) std::memcpy(rows.data() + address.row.offset() + lane * width, &value, width);
  }
};

}  // namespace wharf::ptx
