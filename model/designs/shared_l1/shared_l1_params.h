#pragma once
// Parameters of the shared L1 organisation (specification shared_l1; SL-n are its choices).

#include <cstdint>
#include <string>

#include "model/base/config/binder.h"
#include "model/l1_sharing/write_forward.h"
#include "policies/cache_organisation/cache_organisation.h"
#include "policies/home_map/home_map.h"

namespace wharf {

enum class HopTie { home, l2 };

struct SharedL1Params {
  std::string organisation = "dyn_eb";
  std::uint32_t group_sms = 0;
  std::string home_map = "tag_low_bits";
  HomeFold home_fold = HomeFold::mod;
  bool chunk = true;
  bool nearer_of_home_and_l2 = true;
  HopTie hop_tie = HopTie::home;
  WriteForward write_forward = WriteForward::payload;
  std::uint32_t request_queue = 8;
  std::uint32_t in_queue = 4;
  std::uint32_t out_queue = 8;
  bool leftover_victim_first = false;
  DynamicParams dynamic;

  void bind(config::Binder& b) {
    using config::Unit;
    b.policy("organisation", organisation, cache_organisation_catalogue_names(), "which SMs an L1 serves");
    const bool shares = ever_shares(organisation), changes = is_dynamic(organisation);
    const char* const no_homes = "shared_l1.organisation is private: no line has a home";
    b.integer_or("gpc", "group_sms", group_sms, Unit::count,
                 "SMs next to each other whose L1s are homes for each other; 0: all; gpc: those of a GPC (CL-7)", 0, 160);
    b.ineffective_unless(shares, "group_sms", no_homes);
    b.policy("home_map", home_map, home_map_catalogue_names(), "line to home (CM-21)");
    b.ineffective_unless(shares, "home_map", no_homes);
    b.choice("home_fold", home_fold, {{"mod", HomeFold::mod}, {"spread", HomeFold::spread}},
             "home of a line whose home bits name no SM. mod: the bits modulo the SMs. spread: the tag above them modulo the SMs (SL-2)");
    b.ineffective_unless(shares, "home_fold", no_homes);
    b.flag("chunk", chunk, "a reply that is not installed carries only the requested 32 B sectors (shared_l1 section 7.1, SL-5)");
    b.ineffective_unless(shares, "chunk", no_homes);
    b.flag("nearer_of_home_and_l2", nearer_of_home_and_l2,
           "Min(H,L2): an access goes directly to L2 if that is fewer hops away than the home (shared_l1 section 7.2)");
    b.ineffective_unless(shares, "nearer_of_home_and_l2", no_homes);
    b.choice("hop_tie", hop_tie, {{"home", HopTie::home}, {"l2", HopTie::l2}},
             "where an access goes if home and L2 are equally near (SL-13)");
    b.ineffective_unless(shares && nearer_of_home_and_l2, "hop_tie", "shared_l1.nearer_of_home_and_l2 is false");
    b.choice("write_forward", write_forward, {{"payload", WriteForward::payload}, {"full_line", WriteForward::full_line}},
             "what the home sends to L2 for a store that hits: the written sectors or the line (SL-6)");
    b.ineffective_unless(shares, "write_forward", no_homes);
    b.integer("request_queue", request_queue, Unit::count, "accesses of the SM, to homes or directly to L2, that wait for the network", 2,
              4096);
    b.integer("in_queue", in_queue, Unit::count,
              "accesses from other SMs that wait at the home, in addition to one per l1.tag_cycles stage (SL-10)", 1, 4096);
    b.integer("out_queue", out_queue, Unit::count,
              "answers to other SMs at the home; an entry is reserved when the L1 starts to read the data (SL-10)", 1, 4096);
    b.flag("leftover_victim_first", leftover_victim_first,
           "while an SM shares, lines in its L1 whose home is another SM, including textures, are evicted first (SL-26)");
    b.ineffective_unless(changes, "leftover_victim_first", "shared_l1.organisation is not dynamic");
    b.group("dynamic", dynamic, "sampling, decision and execution of the dynamic organisations");
    b.ineffective_unless(changes, "dynamic", "shared_l1.organisation is not dynamic");
  }
};

}  // namespace wharf
