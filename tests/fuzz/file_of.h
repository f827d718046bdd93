#pragma once
// The fuzzer's bytes as a file, for readers that take a path.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace wharf::test {

/// A file with these bytes, for this process alone. The next call overwrites it.
inline std::filesystem::path file_of(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path file = std::filesystem::temp_directory_path() / ("wharf_fuzz_" + std::to_string(getpid()) + ".yaml");
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size)).flush()) std::abort();
  return file;
}

}  // namespace wharf::test
