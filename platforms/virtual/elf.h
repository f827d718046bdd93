#pragma once
// Firmware as its compiler leaves it: an ELF file with segments to load and the names of its functions.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/types.h"

namespace wharf::vp {

struct Segment {
  Address address = 0;     // physical: where it is loaded
  std::string_view bytes;  // of the file
  std::uint64_t size = 0;  // in memory; zeros behind `bytes`
};

/// A 64-bit little-endian RISC-V executable.
class Elf {
 public:
  /// `file` is the whole file's text, `name` what errors call it. Throws InputError for anything else.
  Elf(std::string name, std::string file);
  Elf(const Elf&) = delete;
  Elf& operator=(const Elf&) = delete;

  const std::string& name() const { return name_; }
  Address entry() const { return entry_; }
  const std::vector<Segment>& segments() const { return segments_; }
  /// "function+0x12" for a place in a function that the file names; empty elsewhere.
  std::string place_of(Address address) const;

 private:
  struct Function {
    Address address;
    std::uint64_t size;
    std::string_view name;
  };
  template <class T>
  T at(std::uint64_t offset, const char* what) const;
  std::string_view part(std::uint64_t offset, std::uint64_t size, const char* what) const;
  void read_segments();
  void read_functions();
  [[noreturn]] void bad(const std::string& why) const;

  const std::string name_, file_;
  Address entry_ = 0;
  std::vector<Segment> segments_;
  std::vector<Function> functions_;  // ascending addresses
};

}  // namespace wharf::vp
