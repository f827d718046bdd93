#pragma once
// Which kernels of a recorded stimulus or a program are simulated.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wharf {

/// The kernels that a text chooses:
///
///   3          the third kernel
///   1,3-7,9-   numbers and ranges; without an end up to the last
///   2/10       the first 2 of each 10 kernels
///   gemm*      a name or a glob (* ? [a-z]) for whole names
///   /ge[mv]+/  an extended regular expression (as of grep -E), found anywhere in a name
///   gemm*:2,5- of the kernels with such a name the second, and the fifth and later ones; likewise behind a regular expression
///
/// A kernel has three names: as it was compiled, demangled, and the function alone (_Z6kernelPf, kernel(float*), kernel).
class KernelChoice {
 public:
  /// `stimulus` is what the user wrote, for messages. Throws InputError where `kernels` is none of the above.
  KernelChoice(std::string stimulus, const std::string& kernels);

  bool is_by_name() const { return !pattern_.empty(); }
  /// Whether the next kernel is chosen; kernels are asked about in order. `name`: as it was compiled; empty where the choice is not by
  /// name.
  bool selects(const std::string& name);
  /// Throws InputError where none of the kernels asked about was chosen, or a number is higher than theirs.
  void require_kernels() const;

 private:
  struct Range {
    std::uint64_t first, last;
  };
  class Regex;

  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;
  void read_pattern(std::string_view kernels);
  void read_ranges(std::string_view list);
  std::uint64_t read_number(std::string_view text, std::string_view item) const;
  void read_sample(std::string_view sample);
  bool matches(const std::string& name);
  bool is_in_range(std::uint64_t number) const;

  std::string stimulus_, pattern_;  // a glob or a regular expression between slashes; empty for a choice by number alone
  std::shared_ptr<Regex> regex_;
  std::vector<Range> ranges_;                   // of numbers from 1, of the kernels that match the pattern; none: all
  std::uint64_t taken_of_each_ = 0, each_ = 0;  // of a sample
  std::uint64_t asked_ = 0, matched_ = 0, taken_ = 0;
  std::vector<std::string> functions_;  // that were asked about, for messages
};

/// "kernel" of "void a::kernel<float, 3>(float*)"; a name without arguments stays as it is.
std::string function_of(const std::string& demangled);

/// As compiled, demangled, and the function alone.
std::vector<std::string> names_of_kernel(const std::string& name);

}  // namespace wharf
