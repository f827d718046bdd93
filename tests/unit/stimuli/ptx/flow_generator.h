#pragma once
// Random control flow in two forms: as PTX, and as a list of steps that a scalar interpreter runs thread by thread (CU-66).

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace wharf::ptx {

/// A step of a program with four registers r0 to r3 of 32 bits. Control steps decrement a budget of the thread, so all programs end.
struct FlowStep {
  enum class Kind { compute, branch, jump, call, ret, store };
  Kind kind = Kind::compute;
  unsigned a = 0, b = 0, c = 0;  // registers; for a branch, the register and the bits that decide
  std::uint32_t literal = 0;
  std::size_t target = 0;  // a step, or a function
};
using FlowFunction = std::vector<FlowStep>;

/// Function 0 is the kernel; functions call those with higher numbers.
struct FlowProgram {
  std::vector<FlowFunction> functions;
  std::string ptx() const;
  /// The final value of the accumulator of thread `thread`.
  std::uint32_t run(std::uint32_t thread) const;
};

FlowProgram random_program(std::mt19937& random);

}  // namespace wharf::ptx
