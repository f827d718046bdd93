#pragma once
// Repairs of CUDA sources that nvcc accepts and clang rejects (CU-8).

#include <string>
#include <string_view>
#include <vector>

namespace wharf::cuda {

struct Repair {
  unsigned line = 0;
  std::string what;  // for the user, for example "`<< <` written as `<<<`"
};

struct RepairedSource {
  std::string text;
  std::vector<Repair> repairs;  // empty where the text is as it was
};

/// Joins launch brackets that blanks separate, doubles the percent sign of special registers in asm statements with operands, writes
/// `alignas` behind `__shared__` as an attribute, and `__cluster_dims__` as a pragma in its kernel. Comments and strings elsewhere are left
/// alone, and lines keep their numbers.
RepairedSource repair_source(std::string_view source);

}  // namespace wharf::cuda
