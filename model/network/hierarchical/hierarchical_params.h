#pragma once
// Parameters of the hierarchical crossbar. The defaults are those of an H100 (modern_gpus section 3).

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "model/network/ports.h"

namespace wharf::network {

/// The kinds of links, from the SMs to the slices.
enum class Tier { sm, tpc, cpc, gpc, slice };
inline constexpr unsigned kTiers = 5;
inline constexpr std::array<const char*, kTiers> kTierNames = {"sm", "tpc", "cpc", "gpc", "slice"};
/// Where reads of one line are merged (model/network/hierarchical/coalescer.h).
enum class CoalescerAt { none, tpc = static_cast<int>(Tier::tpc), cpc = static_cast<int>(Tier::cpc), gpc = static_cast<int>(Tier::gpc) };

/// The links of one tier in one direction.
struct TierParams {
  PortRate rate;
  std::uint32_t latency = 1;

  void bind(config::Binder& b) {
    rate.bind(b);
    b.integer("latency", latency, config::Unit::cycles, "network cycles that the first byte of a packet takes over the link", 1, 1024);
  }
};

/// The links of one direction.
struct DirectionParams {
  std::array<TierParams, kTiers> tiers;
  bool has_tpcs = true, has_cpcs = true;  // set by the owner of this group; not keys

  TierParams& operator[](Tier tier) { return tiers[static_cast<unsigned>(tier)]; }
  const TierParams& operator[](Tier tier) const { return tiers[static_cast<unsigned>(tier)]; }
  void bind(config::Binder& b) {
    b.group("sm", (*this)[Tier::sm], "between an SM and its TPC");
    b.group("tpc", (*this)[Tier::tpc], "between a TPC and its CPC");
    b.group("cpc", (*this)[Tier::cpc], "between a CPC and its GPC");
    b.group("gpc", (*this)[Tier::gpc], "between a GPC and the crossbar");
    b.group("slice", (*this)[Tier::slice], "between the crossbar and a slice");
    b.ineffective_unless(has_tpcs, "tpc", "tpc_sms is 0");
    b.ineffective_unless(has_cpcs, "cpc", "cpc_sms is 0");
  }
};

/// Whether requests to near slices take fewer cycles than those to far ones (model/network/hierarchical/floorplan.h).
enum class Offsets { none, floorplan };

struct HierarchicalParams {
  std::vector<std::uint32_t> gpcs;
  std::uint32_t tpc_sms = 2, cpc_sms = 6;
  std::uint32_t queue = 16;
  std::uint32_t sm_slice_credits = kUnlimited;
  Offsets offsets = Offsets::none;
  std::uint32_t offset_spread = 4;
  CoalescerAt coalescer = CoalescerAt::none;
  std::uint32_t coalescer_entries = 1024, coalescer_merges = 4;
  DirectionParams request{{{TierParams{{32, 1}, 2}, {{64, 1}, 2}, {{147, 1}, 3}, {{256, 1}, 5}, {{32, 1}, 8}}}};
  DirectionParams reply{{{TierParams{{64, 1}, 2}, {{128, 1}, 2}, {{384, 1}, 3}, {{640, 1}, 5}, {{64, 1}, 8}}}};

  /// The tier whose links merge reads. Call it only if there is a coalescer.
  Tier coalescing_tier() const { return static_cast<Tier>(coalescer); }
  bool has_floorplan() const { return offsets == Offsets::floorplan; }
  bool has(Tier tier) const { return (tier != Tier::tpc || tpc_sms != 0) && (tier != Tier::cpc || cpc_sms != 0); }

  void bind(config::Binder& b) {
    using config::Unit;
    b.integers("gpcs", gpcs, Unit::count, "SMs of each GPC, in the order of their numbers; none: one GPC of all SMs", 1, 1024);
    b.integer("tpc_sms", tpc_sms, Unit::count, "SMs of a TPC, the last of a CPC or GPC may have fewer; 0: there are no TPCs", 0, 1024);
    b.integer("cpc_sms", cpc_sms, Unit::count, "SMs of a CPC, the last of a GPC may have fewer; 0: there are no CPCs", 0, 1024);
    b.integer("queue", queue, Unit::count, "packets that wait at the end of a link before it stops, beside those under way", 1, 1024);
    b.limit("sm_slice_credits", sm_slice_credits, Unit::count, "sectors of one SM's requests to one slice until their replies arrive",
            kSectorsPerLine, 1u << 20);
    b.choice(
        "offsets", offsets, {{"none", Offsets::none}, {"floorplan", Offsets::floorplan}},
        "none: requests of all SMs take the same cycles to all slices. floorplan: those to near slices take fewer, in the mean the same "
        "(MG-13)");
    b.integer("offset_spread", offset_spread, Unit::cycles, "network cycles between the farthest and the nearest pair of GPC and slices", 0,
              1024);
    b.ineffective_unless(has_floorplan(), "offset_spread", "offsets is none");
    b.choice("coalescer", coalescer,
             {{"none", CoalescerAt::none}, {"tpc", CoalescerAt::tpc}, {"cpc", CoalescerAt::cpc}, {"gpc", CoalescerAt::gpc}},
             "links at which a read joins an earlier one of its line whose reply is outstanding; the reply is copied behind them (MG-14)");
    b.integer("coalescer_entries", coalescer_entries, Unit::count, "reads of one such link that others may join, until their replies", 1,
              1u << 20);
    b.integer("coalescer_merges", coalescer_merges, Unit::count, "reads that may join one", 1, 1024);
    for (const char* key : {"coalescer_entries", "coalescer_merges"})
      b.ineffective_unless(coalescer != CoalescerAt::none, key, "coalescer is none");
    b.require(coalescer == CoalescerAt::none || has(coalescing_tier()), "coalescer",
              std::string("is ") + kTierNames[static_cast<unsigned>(coalescer)] + ", but " + kTierNames[static_cast<unsigned>(coalescer)] +
                  "_sms is 0",
              "choose gpc, or the number of SMs of such a group");
    request.has_tpcs = reply.has_tpcs = has(Tier::tpc);
    request.has_cpcs = reply.has_cpcs = has(Tier::cpc);
    b.group("request", request, "links from the SMs to the slices");
    b.group("reply", reply, "links from the slices to the SMs");
    b.require(tpc_sms == 0 || cpc_sms % tpc_sms == 0, "cpc_sms",
              std::to_string(cpc_sms) + " does not divide into TPCs of " + std::to_string(tpc_sms) + " SMs",
              "choose a multiple of tpc_sms, or 0");
  }
};

}  // namespace wharf::network
