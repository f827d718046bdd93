#pragma once
// Helpers that several kernel files share.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/types.h"
#include "stimuli/spmd/memory.h"
#include "stimuli/spmd/workload.h"

namespace wharf::spmd {

/// CTAs of `block` threads that cover `count` elements.
constexpr std::uint32_t ctas_for(std::int64_t count, std::uint32_t block) {
  return static_cast<std::uint32_t>((count + block - 1) / block);
}

/// Entry::make for a workload class.
template <class W>
std::unique_ptr<Workload> make_workload(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
  return std::make_unique<W>(arguments, memory, seed);
}

/// True if same(actual, expected) holds for all elements. Otherwise `why` names the first element for which it does not.
template <class T, class Same>
bool compare(const std::string& name, const Array<T>& actual, const std::vector<T>& expected, std::string& why, Same same) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (same(actual.data[i], expected[i])) continue;
    std::ostringstream text;
    text.precision(9);
    text << name << "[" << i << "] is " << +actual.data[i] << ", expected " << +expected[i];
    why = text.str();
    return false;
  }
  return true;
}

/// True if all elements compare equal with ==. Otherwise `why` names the first that does not.
template <class T>
bool equal(const std::string& name, const Array<T>& actual, const std::vector<T>& expected, std::string& why) {
  return compare(name, actual, expected, why, [](T a, T b) { return a == b; });
}

/// True if all elements agree to one part in 10000, for results whose order of additions is open.
inline bool close(const std::string& name, const Array<float>& actual, const std::vector<float>& expected, std::string& why) {
  return compare(name, actual, expected, why, [](float a, float b) { return std::abs(a - b) <= 1e-4f * std::abs(b); });
}

/// Copies a vector's elements to an array of the GPU.
template <class T>
Array<T> copied(Memory& memory, const std::string& name, const std::vector<T>& from) {
  const auto array = memory.array<T>(name, from.size());
  std::copy(from.begin(), from.end(), array.data);
  return array;
}

/// The same memory as elements of another type.
template <class To, class From>
Array<To> in_parts_of(const Array<From>& array) {
  return {array.base, reinterpret_cast<To*>(array.data), static_cast<std::uint32_t>(array.size * sizeof(From) / sizeof(To))};
}

/// The argument that selects memory accumulators (workloads section 0.4), for kernels that have them.
inline Argument promote_argument() {
  return {"promote", "0", 0, 1, "1: keep accumulators in registers and store them once, after the loop"};
}

/// The number of loop iterations that have their loads in flight together (Warp::batched_trips).
inline Argument batch_argument() {
  return {"batch", "1", 1, 4, "iterations of a loop without stores whose loads are issued before the first use, as unrolled code does"};
}

}  // namespace wharf::spmd
