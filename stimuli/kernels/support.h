#pragma once
// Small things that several kernel files need.

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "model/base/types.h"
#include "stimuli/arguments.h"
#include "stimuli/spmd/memory.h"
#include "stimuli/spmd/workload.h"

namespace wharf::spmd {

/// CTAs of `block` threads that cover `count` elements.
constexpr std::uint32_t ctas_for(std::int64_t count, std::uint32_t block) {
  return static_cast<std::uint32_t>((count + block - 1) / block);
}

/// Entry::make of a workload class.
template <class W>
std::unique_ptr<Workload> make_workload(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
  return std::make_unique<W>(arguments, memory, seed);
}

/// True if all elements are equal, bit patterns aside; else `why` names the first that is not.
template <class T>
bool equal(const std::string& name, const Array<T>& actual, const std::vector<T>& expected, std::string& why) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (actual.data[i] == expected[i]) continue;
    std::ostringstream text;
    text.precision(9);
    text << name << "[" << i << "] is " << +actual.data[i] << ", expected " << +expected[i];
    why = text.str();
    return false;
  }
  return true;
}

/// The knob of memory accumulators (workloads.md section 0 rule 4), for the argument lists that have it.
inline Argument promote_argument() {
  return {"promote", "0", 0, 1, "1: keep accumulators in registers and store them once, after the loop"};
}

}  // namespace wharf::spmd
