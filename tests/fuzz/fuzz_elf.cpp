// Fuzzes the reader of firmware: any bytes are a program for the host or an input error.

#include <cstddef>
#include <cstdint>
#include <string>

#include "model/base/error.h"
#include "platforms/virtual/elf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const wharf::vp::Elf elf("fuzzed.elf", std::string(reinterpret_cast<const char*>(data), size));
    std::size_t bytes = 0;
    for (const wharf::vp::Segment& segment : elf.segments())
      for (const char byte : segment.bytes) bytes += byte != 0;
    elf.place_of(elf.entry() + bytes % 2);
  } catch (const wharf::InputError&) {
  }
  return 0;
}
