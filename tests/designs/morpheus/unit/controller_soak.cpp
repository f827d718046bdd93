// The ordering rules of a Morpheus controller under random traffic (morpheus section 5.6): with any delays, a read returns the version that
// was newest when it arrived, or a newer one, and atomics lose nothing.
#include <catch2/catch.hpp>

#include "model/base/rng.h"
#include "tests/designs/morpheus/unit/controller_rig.h"

using namespace wharf;
using test::ControllerRig;

namespace {

struct Traffic {
  std::uint64_t seed;
  std::uint64_t lines;  // of all rows: few, so that they collide
  const char* predictor;
  std::uint32_t queue, slots, write_buffer, read_buffer, mshrs, merges;
  MissFetch miss_fetch;
  Delivery delivery = Delivery::parked;
};

using Newest = std::map<std::uint64_t, SectorVersions>;

/// Sectors are written in rising order.
void check_read(const Transaction& read, const SectorVersions& at_least, const SectorVersions& newest) {
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (read.access.sectors >> s & 1) {
      REQUIRE(read.versions[s] >= at_least[s]);
      REQUIRE(read.versions[s] <= newest[s]);
    }
}

/// In the end, the sets and DRAM hold the last writes.
void check_contents(ControllerRig& rig, const Newest& newest) {
  for (const auto& [line, versions] : newest) {
    const ControllerRig::Held* held = nullptr;
    for (const auto& one : rig.kernel[line % 4].lines)
      if (one.line.number == line) held = &one;
    CHECK((held != nullptr ? held->versions : rig.dram[line]) == versions);
  }
}

void soak(const Traffic& traffic, int requests) {
  INFO("seed " << traffic.seed << ", predictor " << traffic.predictor);
  MorpheusParams params;
  params.banks_per_partition = 1;
  params.request_queue = traffic.queue;
  params.payload_slots = traffic.slots;
  params.write_buffer = traffic.write_buffer;
  params.read_buffer = traffic.read_buffer;
  params.mshr_entries = traffic.mshrs;
  params.mshr_merges = traffic.merges;
  params.miss_fetch = traffic.miss_fetch;
  params.kernel.delivery = traffic.delivery;
  params.combine = traffic.seed % 2 == 0;
  ControllerRig rig(
      params, {{0, 0, EllcUnit::register_file, 2}, {0, 1, EllcUnit::l1, 2}, {1, 0, EllcUnit::register_file, 3}, {1, 1, EllcUnit::l1, 1}},
      traffic.predictor);
  Rng rng(traffic.seed);
  rig.way_steps = [&] { return 1 + rng.below(12); };
  rig.poll_steps = [&] { return 1 + rng.below(30); };
  rig.dram_steps = [&](const Transaction&) { return 2 + rng.below(40); };
  Newest newest;
  std::map<const Transaction*, SectorVersions> at_least;
  StoreId last = 0;
  Transaction* next = nullptr;
  std::uint32_t row = 0;
  std::size_t checked = 0;
  int sent = 0;
  for (int idle = 0; idle < 3000 && !(sent == requests && rig.quiet()); ++idle) {
    rig.begin();
    for (int n = 0; n < 2 && sent < requests; ++n) {
      if (next == nullptr) {
        if (rng.chance(0.2)) continue;
        const std::uint64_t line = rng.below(traffic.lines);
        row = static_cast<std::uint32_t>(line % 4);
        const auto sectors = static_cast<SectorMask>(rng.chance(0.4) ? kAllSectors : 1 + rng.below(15));
        const std::uint64_t kind = rng.below(10);
        next = &rig.request(kind < 5 ? AccessKind::load : kind < 9 ? AccessKind::store : AccessKind::atomic, line, sectors);
        // An access is ordered when it arrives, which is before it is decided.
        SectorVersions& now = newest[line];
        if (next->access.kind != AccessKind::load) {
          ++last;
          for (unsigned s = 0; s < kSectorsPerLine; ++s)
            if (sectors >> s & 1) now[s] = next->versions[s] = last;
        }
        at_least[next] = now;
      }
      if (rig.decide(*next, row) != nullptr) break;
      next = nullptr;
      ++sent;
      idle = 0;
    }
    rig.end();
    for (; checked < rig.answers.size(); ++checked) {
      const auto& [request, how] = rig.answers[checked];
      if (request->access.kind != AccessKind::load) continue;
      CHECK(how != ControllerHost::Answer::ack);
      check_read(*request, at_least.at(request), newest[request->access.line.number]);
    }
  }
  CHECK(rig.quiet());
  CHECK(sent == requests);
  CHECK(rig.alive == 0);
  CHECK(rig.answers.size() == static_cast<std::size_t>(requests));
  CHECK(rig.registry.broken_laws().empty());
  CHECK(rig.count("late_rereads") == 0);
  if (std::string(traffic.predictor) == "perfect") CHECK(rig.count("false_positives") == 0);
  check_contents(rig, newest);
}

}  // namespace

TEST_CASE("reads are never stale and nothing gets stuck under random traffic, with the sizes of the design") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    soak({seed, 24, seed % 3 == 0 ? "perfect" : seed % 3 == 1 ? "bloom" : "none", 16, 7, 8, 8, 192, 4, MissFetch::controller}, 4000);
}

TEST_CASE("nor with the smallest queues, buffers and MSHRs") {
  for (std::uint64_t seed = 20; seed < 40; ++seed)
    soak({seed, seed % 2 == 0 ? 4ull : 24ull,
          seed % 3 == 0   ? "perfect"
          : seed % 3 == 1 ? "bloom"
                          : "none",
          2, 1, 1, 1, 1, 1, MissFetch::controller},
         3000);
}

TEST_CASE("nor where the warps read from DRAM themselves") {
  for (std::uint64_t seed = 60; seed < 66; ++seed) soak({seed, 24, "none", 16, 7, 8, 8, 192, 4, MissFetch::warp}, 3000);
}

TEST_CASE("nor where only atomics and writes of one line crowd the queue") {
  for (std::uint64_t seed = 40; seed < 48; ++seed) soak({seed, 1 + seed % 4, "none", 4, 2, 2, 2, 4, 2, MissFetch::controller}, 3000);
}

TEST_CASE("nor where the warps look at their rows only now and then") {
  for (std::uint64_t seed = 70; seed < 82; ++seed)
    soak({seed, 24,
          seed % 3 == 0   ? "perfect"
          : seed % 3 == 1 ? "bloom"
                          : "none",
          16, 7, 8, 8, 192, 4, seed % 4 == 0 ? MissFetch::warp : MissFetch::controller, Delivery::spin},
         3000);
  for (std::uint64_t seed = 82; seed < 94; ++seed)
    soak({seed, seed % 2 == 0 ? 4ull : 24ull, "bloom", 2, 1, 1, 1, 1, 1, MissFetch::controller, Delivery::spin}, 2000);
}
