#pragma once
// Parameters of inter-core communication (remote_sharing sections 4 to 13).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/config/binder.h"
#include "policies/core_selector/core_selector.h"
#include "policies/sharing_predictor/sharing_predictor.h"

namespace wharf {

enum class SharingScheme { none, perfect, probe };
enum class Probing { single, two_level };
enum class LeaderShare { larger, smaller };
enum class AfterOwnStore { allow, forbid };
enum class WrittenLines { give, withhold };
enum class Deflection {
  in_place,  // at its router, at once: on to its next target or back to its requester
  latch,     // into a latch of `deflected` entries; a probe that finds the latch full waits in the network
};

/// Queues of one SM's agent (RS-27, RS-33), and what happens to probes that find the incoming queue full (remote_sharing section 9).
struct ProbeQueueParams {
  std::uint32_t incoming = 64;
  std::uint32_t forwarded = 8;
  std::uint32_t replies = 8;
  std::uint32_t outgoing = 64;
  std::uint32_t selective_l2 = 32;
  Deflection deflection = Deflection::in_place;
  std::uint32_t deflected = 4;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("incoming", incoming, Unit::count, "probes from other SMs that wait for the L1; a full queue deflects probes", 1, 1u << 16);
    b.integer("forwarded", forwarded, Unit::count, "probes from other SMs that wait to be sent to their next target or home", 1, 1u << 16);
    b.integer("replies", replies, Unit::count, "data replies that wait for the reply network", 1, 1u << 16);
    b.integer("outgoing", outgoing, Unit::count, "this SM's probes that wait for the request network", 1, 1u << 16);
    b.integer("selective_l2", selective_l2, Unit::count, "L2 requests of searched misses, ready in case the search fails", 1, 1u << 16);
    b.choice(
        "deflection", deflection, {{"in_place", Deflection::in_place}, {"latch", Deflection::latch}},
        "what happens to a probe that finds the incoming queue full. in_place: its router sends it on at once. latch: it enters a latch of "
        "`deflected` probes, and waits in the network while the latch is full (RS-33)");
    b.integer("deflected", deflected, Unit::count, "capacity of the latch for deflected probes", 1, 4096);
    b.ineffective_unless(deflection == Deflection::latch, "deflected", "queues.deflection is in_place");
  }
};

/// The cost of a probe at the SM that it visits.
struct ProbeLookupParams {
  std::uint32_t tag_cycles = 0, data_cycles = 0;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("tag_cycles", tag_cycles, Unit::cycles, "from a probe's arrival to its hit or miss; 0: as l1.tag_cycles (RS-28)", 0, 1000);
    b.integer("data_cycles", data_cycles, Unit::cycles, "from a hit to data at the reply network; 0: as l1.data_cycles (RS-28)", 0, 1000);
  }
};

struct RemoteSharingParams {
  SharingScheme scheme = SharingScheme::none;
  std::uint32_t cluster_sms = 0;
  std::string predictor = "oracle";
  double oracle_precision_percent = 100.0;
  PcTwoBitParams pc_two_bit;
  std::vector<std::uint32_t> hint_pcs;
  std::string selector = "supplier";
  SupplierParams supplier;
  std::uint32_t coverage = 5;
  std::uint32_t coverage_percent = 0;
  std::uint32_t probes = 1;
  double probability = 1.0;
  Probing probing = Probing::two_level;
  LeaderShare leader_share = LeaderShare::larger;
  std::uint32_t timeout_cycles = 2048;
  std::uint32_t drop_after_cycles = 256;
  ProbeLookupParams lookup;
  std::uint32_t return_cycles = 0;
  std::uint32_t fill_cycles = 0;
  AfterOwnStore probe_after_own_store = AfterOwnStore::allow;
  WrittenLines written_lines = WrittenLines::give;
  std::uint32_t reply_latch = 2;
  std::uint32_t near_ctas = 8;
  ProbeQueueParams queues;

  bool searches() const { return scheme == SharingScheme::probe; }
  bool asks_oracle() const { return scheme == SharingScheme::perfect || (searches() && (predictor == "oracle" || selector == "nearest")); }
  /// C: number of other SMs that are searched, in a cluster of `cores` >= 2 (RS-43).
  unsigned targets(unsigned cores) const {
    const auto cores_searched = coverage_percent == 0 ? coverage : static_cast<unsigned>(std::lround(coverage_percent * cores / 100.0));
    return std::clamp(cores_searched, 1u, cores - 1);
  }

  void bind(config::Binder& b) {
    using config::Unit;
    b.choice("scheme", scheme, {{"none", SharingScheme::none}, {"perfect", SharingScheme::perfect}, {"probe", SharingScheme::probe}},
             "none: misses go to L2. perfect: data of other SMs arrive in zero time (PP). probe: probes search other SMs");
    b.integer_or("gpc", "cluster_sms", cluster_sms, Unit::count,
                 "SMs next to each other that search only each other's L1s (ATA-O29); 0: all; gpc: those of a GPC (CL-7)", 0, 160);
    b.policy("predictor", predictor, sharing_predictor_catalogue_names(), "which misses are predicted shared (remote_sharing section 5)");
    b.real("oracle_precision_percent", oracle_precision_percent, Unit::percent,
           "100 minus this percentage of the non-shared misses is predicted shared (remote_sharing section 5.2)", 0.0, 100.0);
    b.group("pc_two_bit", pc_two_bit, "the pc-based two-bit predictor of one SM");
    b.integers("hint_pcs", hint_pcs, Unit::none, "pcs of loads that the program declares shared", 0, 0xFFFF'FFFFu);
    b.policy("selector", selector, core_selector_catalogue_names(), "which SMs are searched (remote_sharing section 6)");
    b.group("supplier", supplier, "the counts behind the supplier selector");
    b.integer("coverage", coverage, Unit::count, "C: other SMs that are searched per miss, at most all others", 1, 159);
    b.integer("coverage_percent", coverage_percent, Unit::percent, "C as a share of the cluster's SMs (RS-43); 0: coverage applies", 0,
              100);
    b.integer("probes", probes, Unit::count, "S: probes that share the C targets of a miss, at most C (RS-26)", 1, 16);
    b.real("probability", probability, Unit::ratio,
           "P: a miss gets S probes with this probability, else S - 1; with no probe it goes to L2", 0.0, 1.0);
    b.choice("probing", probing, {{"single", Probing::single}, {"two_level", Probing::two_level}},
             "single: every probe may bring data. two_level: only leaders may; scouts list candidates for a second level "
             "(remote_sharing section 7)");
    b.choice("leader_share", leader_share, {{"larger", LeaderShare::larger}, {"smaller", LeaderShare::smaller}},
             "which share of an uneven split the leader takes (RS-24)");
    b.limit("timeout_cycles", timeout_cycles, Unit::cycles, "core cycles after which a searched miss is sent to L2 (RS-22, RS-34)", 1,
            1u << 30);
    b.integer("drop_after_cycles", drop_after_cycles, Unit::cycles, "network cycles after which a blocked probe is dropped (RS-33)", 1,
              1u << 30);
    b.group("lookup", lookup, "latencies of a probe at the SM that it visits");
    b.integer("return_cycles", return_cycles, Unit::cycles, "from a probe's return without data to its consequence (ATA-O29)", 0, 1000);
    b.integer("fill_cycles", fill_cycles, Unit::cycles, "from the arrival of another SM's data to data at this SM; 0: as l1.fill_cycles", 0,
              1000);
    b.choice("written_lines", written_lines, {{"give", WrittenLines::give}, {"withhold", WrittenLines::withhold}},
             "whether an SM supplies a line that it has written since the fill; if withheld, misses go to L2 (ata section 6.4)");
    b.choice("probe_after_own_store", probe_after_own_store, {{"allow", AfterOwnStore::allow}, {"forbid", AfterOwnStore::forbid}},
             "whether a line that this SM wrote in this kernel may be fetched from another SM, which may hold an older copy (CM-32)");
    b.integer("reply_latch", reply_latch, Unit::count, "replies per network that wait for the L1", 1, 64);
    b.integer("near_ctas", near_ctas, Unit::ctas, "largest CTA distance to the nearest supplier that counts as near (RS-42)", 0, 1u << 20);
    b.group("queues", queues, "queues of one SM");
    limit_effects(b);
    b.require(selector != "nearest" || (probes == 1 && probability == 1.0), "selector", "nearest selects a single SM",
              "set probes: 1 and probability: 1");
  }

 private:
  void limit_effects(config::Binder& b) {
    const auto only = [&](bool effective, const char* key, const char* reason) { b.ineffective_unless(effective, key, reason); };
    for (const char* key :
         {"predictor", "selector", "coverage", "coverage_percent", "probes", "probability", "probing", "leader_share", "timeout_cycles",
          "supplier", "pc_two_bit", "hint_pcs", "oracle_precision_percent", "lookup", "return_cycles", "written_lines"})
      only(searches(), key, "remote_sharing.scheme is not probe");
    // Members added to the catalogue, such as pc_two_bit's RTL, may have its table.
    only((predictor != "oracle" && predictor != "hints") || !searches(), "pc_two_bit", "remote_sharing.predictor is oracle or hints");
    only(predictor == "hints" || !searches(), "hint_pcs", "remote_sharing.predictor is not hints");
    only(predictor == "oracle" || !searches(), "oracle_precision_percent", "remote_sharing.predictor is not oracle");
    only(selector == "supplier" || !searches(), "supplier", "remote_sharing.selector is not supplier");
    only(queues.deflection == Deflection::latch, "drop_after_cycles", "remote_sharing.queues.deflection is in_place: no probe is blocked");
    for (const char* key : {"probe_after_own_store", "cluster_sms", "fill_cycles"})
      only(searches() || scheme == SharingScheme::perfect, key, "remote_sharing.scheme asks no other SM by itself");
  }
};

}  // namespace wharf
