#pragma once
// Findings of the checks: the number of all, and the first of each check with their places.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "stimuli/ptx/checks/check_set.h"
#include "stimuli/ptx/program/program.h"

namespace wharf::ptx {

/// A thread at an instruction.
struct FindingPlace {
  std::string line;  // "app.cu:17"
  Dim3 block{}, thread{};
};

struct Finding {
  std::string kernel;
  FindingPlace at;
  std::string what;        // "global load of 4 bytes at 0x...: uninitialised bytes"
  std::string allocation;  // "allocation 2 (cudaMalloc of 4000 bytes)"; empty for shared and local memory
  bool has_other = false;  // a second thread takes part
  FindingPlace other;
  std::string other_access;  // "store"
  std::uint64_t count = 0;   // of findings at these instructions

  /// One line: "app.cu:17: kernel k, block (0,0,0) thread (32,0,0): ...; app.cu:15: block (0,0,0) thread (0,0,0): store".
  std::string text() const;
};

class Findings {
 public:
  static constexpr std::size_t kMostShown = 10;  // of each check

  /// Counts a finding at the instructions `pc` and `other_pc` (kNone for none) of a kernel. Returns the new entry, for the caller to fill,
  /// where these instructions come first here and fewer than kMostShown have come before; nullptr otherwise.
  Finding* count(Check check, const FunctionCode& kernel, std::uint32_t pc, std::uint32_t other_pc);

  std::uint64_t total(Check check) const { return of_[index(check)].total; }
  std::uint64_t total() const;
  /// The first findings at different instructions.
  const std::vector<Finding>& shown(Check check) const { return of_[index(check)].shown; }

 private:
  struct Key {
    const FunctionCode* kernel;
    std::uint32_t pc, other_pc;
    bool operator==(const Key& key) const { return kernel == key.kernel && pc == key.pc && other_pc == key.other_pc; }
  };
  struct OfCheck {
    std::uint64_t total = 0;
    std::vector<Key> keys;  // of `shown`
    std::vector<Finding> shown;
  };
  static std::size_t index(Check check) { return static_cast<std::size_t>(check); }
  std::array<OfCheck, kChecks> of_;
};

}  // namespace wharf::ptx
