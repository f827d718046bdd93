#pragma once
// The fat binary of nvcc: a header and entries, each PTX text or machine code for one architecture, plain or compressed (CU-4).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wharf::cuda {

bool is_fat_binary(std::string_view image);

struct FatBinaryEntry {
  bool is_ptx = false;
  std::uint32_t architecture = 0;  // 75 for sm_75 or compute_75
  std::uint64_t flags = 0;
  std::uint64_t raw_bytes = 0;  // when decompressed; 0 where the payload is plain
  std::string_view payload;
};

/// The entries, whose payloads point into `image`. Throws InputError, which begins with `name`, where it is damaged.
std::vector<FatBinaryEntry> entries_of_fat_binary(std::string_view image, const std::string& name);

/// The PTX with the highest architecture that is not above 90, decompressed. Throws InputError, which begins with `name`, where there is
/// none or the image is damaged.
std::string ptx_of_fat_binary(std::string_view image, const std::string& name);

}  // namespace wharf::cuda
