// The virtual channel that a packet takes (CM-16, SL-11).

#include "model/network/virtual_channels.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace wharf;
using namespace wharf::network;

namespace {

bool same(VcClass a, unsigned first, unsigned count) { return a.first == first && a.count == count; }

}  // namespace

TEST_CASE("virtual channels: two classes of four channels are 0 and 1, and 2 and 3") {
  CHECK(same(vc_class(0, 2, 4), 0, 2));
  CHECK(same(vc_class(1, 2, 4), 2, 2));
  CHECK(same(vc_class(0, 1, 4), 0, 4));
}

TEST_CASE("virtual channels: classes share all channels, each has one at least, the last of three has two of four") {
  for (unsigned channels = 1; channels <= 16; ++channels)
    for (unsigned classes = 1; classes <= channels; ++classes) {
      unsigned next = 0;
      for (unsigned c = 0; c < classes; ++c) {
        CHECK(vc_class(c, classes, channels).first == next);
        CHECK(vc_class(c, classes, channels).count >= 1);
        next += vc_class(c, classes, channels).count;
      }
      CHECK(next == channels);
    }
  CHECK(same(vc_class(2, 3, 4), 2, 2));
}

TEST_CASE("virtual channels: lines are spread evenly over the channels of their class, and stay within it") {
  const VcClass channels{2, 3};
  std::vector<unsigned> used(8);
  for (std::uint64_t line = 0; line < 3000; ++line) ++used[virtual_channel({line}, channels)];
  for (unsigned vc = 2; vc < 5; ++vc) CHECK((used[vc] > 900 && used[vc] < 1100));
  CHECK(used[2] + used[3] + used[4] == 3000);
}
