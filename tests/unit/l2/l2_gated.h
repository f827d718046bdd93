#pragma once
// An L2 slice's logic whose policy gates lines, for the tests of loscache section 6.

#include <catch2/catch.hpp>
#include <vector>

#include "policies/l2_line/loscache.h"
#include "tests/unit/l2/l2_script.h"

namespace wharf::test {

/// Four sets of two ways with whole lines; lines 4, 8 and 12 share a set.
class Gated {
 public:
  explicit Gated(GateCompare compare = GateCompare::post, bool sectored = false, VictimOrder order = VictimOrder::lru)
      : policy_(compare), rig(ordered(small_l2(sectored), order), TransactionUnit::line, &policy_) {}
  explicit Gated(VictimOrder order) : Gated(GateCompare::post, false, order) {}

  L2Logic::Verdict access(AccessKind kind, std::uint64_t line, unsigned predicted, SectorMask sectors = kAllSectors,
                          std::uint32_t room = 8) {
    Transaction& t = rig.make(kind, line, sectors, kind == AccessKind::store ? sectors : SectorMask{0});
    t.access.hint.predicted_count = static_cast<std::uint8_t>(predicted);
    return rig.ask(t, line, room, now);
  }
  L2Logic::Verdict load(std::uint64_t line, unsigned predicted = 0) { return access(AccessKind::load, line, predicted); }
  L2Logic::Verdict store(std::uint64_t line, unsigned predicted = 0, SectorMask sectors = kAllSectors) {
    return access(AccessKind::store, line, predicted, sectors);
  }
  /// True if the fill makes the slice write to DRAM.
  bool fill(std::uint64_t line, SectorVersions versions = {}) {
    Transaction reply;
    reply.access.line = {line + L2Rig::kAddressOf};
    reply.versions = versions;
    served.clear();
    return rig.logic.fill(
        reply, rig.slot_of(line), [&](Transaction& waiter) { served.push_back(waiter.access.id); }, now);
  }
  void bring(std::uint64_t line, unsigned predicted = 0) {
    load(line, predicted);
    fill(line);
  }
  bool mispredicted() const { return rig.last().reply.mispredict; }
  unsigned count(std::uint64_t line) {
    REQUIRE(access(AccessKind::metadata, line, 0).outcome == L2Logic::Outcome::reply);
    return rig.last().reply.count;
  }
  std::uint64_t counted(const char* metric) const { return rig.count(metric); }

 private:
  static L2Params ordered(L2Params params, VictimOrder order) {
    params.victim_order = order;
    return params;
  }

  LosCache policy_;

 public:
  L2Rig rig;
  Cycle now = 0;
  std::vector<std::uint64_t> served;
};

}  // namespace wharf::test
