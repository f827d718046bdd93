#include "stimuli/local_frame.h"

#include <fmt/format.h>

#include "model/base/bits.h"
#include "model/base/error.h"

namespace wharf {

namespace {

constexpr std::uint64_t kAlignment = 16;  // of a stack, as for the widest access

}  // namespace

void LocalFrame::add(Address base, std::uint64_t bytes, std::uint32_t element_bytes, std::uint32_t elements) {
  const std::uint64_t offset = round_up(end_, element_bytes);
  arrays_.push_back({base, bytes, element_bytes, elements, offset});
  end_ = offset + std::uint64_t{element_bytes} * elements;
}

std::uint64_t LocalFrame::bytes() const { return round_up(end_, kAlignment); }

Address LocalFrame::offset_of(Address address, std::uint32_t access_bytes, const std::string& kernel) const {
  for (const Array& array : arrays_) {
    const std::uint64_t at = address - array.base, in_element = at % array.element_bytes;
    if (address < array.base || at >= array.bytes || in_element + access_bytes > array.element_bytes) continue;
    return array.offset + at / array.element_bytes / kLanes % array.elements * array.element_bytes + in_element;
  }
  throw SimulationError(fmt::format(
      "kernel '{}' accesses {} bytes of local memory at {:#x}, {}; the frame of its launch must have all of them", kernel, access_bytes,
      address, arrays_.empty() ? "and declares no local arrays" : "in no element of the local arrays that it declares"));
}

}  // namespace wharf
