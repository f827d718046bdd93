#pragma once
// Presents the arrays of a stimulus as the image of the global memory; writes outside them are kept separately.

#include "model/base/byte_image.h"
#include "stimuli/stimulus.h"

namespace wharf {

class StimulusImage final : public ByteImage {
 public:
  explicit StimulusImage(Stimulus& stimulus) : stimulus_(stimulus) {}

  void read(Address address, std::byte* to, std::size_t count) const override {
    std::array<std::byte, kLineBytes> bytes;
    const LineAddress line = LineAddress::of(address);
    if (side_store_.has(line) || !stimulus_.contents(line, bytes))
      side_store_.read(address, to, count);
    else
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(address % kLineBytes), count, to);
  }
  void write(Address address, const std::byte* from, std::size_t count) override {
    if (!stimulus_.store(address, from, count)) side_store_.write(address, from, count);
  }
  template <class File>
  void archive(File& file) {
    file(side_store_);
  }

 private:
  Stimulus& stimulus_;
  OverlayImage side_store_;
};

}  // namespace wharf
