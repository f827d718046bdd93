#pragma once
// Energy per event and power per structure (common section 14). platforms/configs/energy/default.yaml, which all GPUs extend, gives every
// value and its source; a test checks that the defaults here equal it. The model claims ratios, not absolute watts.

#include "model/base/config/binder.h"

namespace wharf::energy {

enum class IdleSms { active, gated };

struct CoreParams {
  double warp_instruction_pj = 280, sm_on_w = 0.7, sm_gated_w = 0.07;

  void bind(config::Binder& b) {
    using config::Unit;
    b.real("warp_instruction_pj", warp_instruction_pj, Unit::picojoules, "a warp instruction: issue, registers, execution", 0, 1e6);
    b.real("sm_on_w", sm_on_w, Unit::watts, "static power of an SM that runs CTAs or serves as a cache", 0, 1000);
    b.real("sm_gated_w", sm_gated_w, Unit::watts, "static power of a power-gated SM", 0, 1000);
    b.require(sm_gated_w <= sm_on_w, "sm_gated_w", "is more than sm_on_w: gating would cost power", "make it smaller");
  }
};

/// L1 caches and shared memory.
struct SmMemoryParams {
  double access_pj = 1500, tag_pj = 30, leakage_mw_per_16kib = 5;

  void bind(config::Binder& b) {
    using config::Unit;
    b.real("access_pj", access_pj, Unit::picojoules, "128 B read or written; fewer bytes cost less in proportion", 0, 1e6);
    b.real("tag_pj", tag_pj, Unit::picojoules, "one lookup of an L1's tags", 0, 1e6);
    b.real("leakage_mw_per_16kib", leakage_mw_per_16kib, Unit::milliwatts, "leakage of 16 KiB", 0, 1e6);
  }
};

/// Coefficients a, b and l of the formula in noc.h.
struct NocCoefficients {
  double crosspoint, port, link_mm;

  void bind(config::Binder& b) {
    using config::Unit;
    b.real("crosspoint", crosspoint, Unit::ratio, "a: per pair of an input and an output of a switch, fitted", 0, 1);
    b.real("port", port, Unit::ratio, "b: per input and per output of a switch, fitted", 0, 1);
    b.real("link_mm", link_mm, Unit::ratio, "l: per mm of link, fitted", 0, 1);
  }
};

struct LinkLengths {
  double chip = 12.3, cluster = 3.3, router = 2.0;

  void bind(config::Binder& b) {
    using config::Unit;
    b.real("chip", chip, Unit::millimetres, "link at a port of a crossbar that reaches the L2 slices", 0, 1000);
    b.real("cluster", cluster, Unit::millimetres, "link at a port of a crossbar inside a cluster of SMs, such as NoC#1", 0, 1000);
    b.real("router", router, Unit::millimetres, "link from router to router", 0, 1000);
  }
};

struct NocParams {
  double switch_pj = 6, switch_port_pj = 0.25, link_pj_per_mm = 6.4, traversal_pj_per_byte = 0, dyn_scale = 0.1793, static_w = 0.7;
  NocCoefficients area{3.098e-4, 1.244e-3, 4.91e-5}, leakage{1.929e-4, 2.658e-3, 1.514e-4};
  LinkLengths link_mm;

  void bind(config::Binder& b) {
    using config::Unit;
    b.real("switch_pj", switch_pj, Unit::picojoules, "a 32 B flit through a switch of any size", 0, 1e6);
    b.real("switch_port_pj", switch_port_pj, Unit::picojoules,
           "a 32 B flit through a switch, additional energy per input and output of that switch", 0, 1e6);
    b.real("link_pj_per_mm", link_pj_per_mm, Unit::picojoules, "a 32 B flit over a mm of link", 0, 1e6);
    b.real("traversal_pj_per_byte", traversal_pj_per_byte, Unit::picojoules,
           "per byte through a network, in place of the energy of switches and links; 0: use switches and links", 0, 1e6);
    b.real("dyn_scale", dyn_scale, Unit::ratio, "factor of all dynamic energy of networks, calibrated once (docs/howto-energy.md)", 0,
           1000);
    b.real("static_w", static_w, Unit::watts, "static power of an 80 x 32 crossbar for requests and one for replies", 0, 1000);
    b.group("area", area, "area relative to that pair");
    b.group("leakage", leakage, "static power relative to that pair");
    b.group("link_mm", link_mm, "lengths of links");
  }
};

struct L2Params {
  double read_pj = 800, write_pj = 900, fill_pj = 900, tag_pj = 30, count_pj = 0.5, wake_pj = 0;
  double data_line_mw = 0.146, tag_leakage_share = 0.03, gated_leakage_share = 0;

  void bind(config::Binder& b) {
    using config::Unit;
    b.real("read_pj", read_pj, Unit::picojoules, "a 128 B line read", 0, 1e6);
    b.real("write_pj", write_pj, Unit::picojoules, "a 128 B line written by a store", 0, 1e6);
    b.real("fill_pj", fill_pj, Unit::picojoules, "a 128 B line written by a fill", 0, 1e6);
    b.real("tag_pj", tag_pj, Unit::picojoules, "a lookup that touches no data: a miss, a probe of counts", 0, 1e6);
    b.real("count_pj", count_pj, Unit::picojoules, "an access count of a line changed", 0, 1e6);
    b.real("wake_pj", wake_pj, Unit::picojoules, "a gated line switched on", 0, 1e6);
    b.real("data_line_mw", data_line_mw, Unit::milliwatts, "leakage of the data of a powered line", 0, 1e6);
    b.real("tag_leakage_share", tag_leakage_share, Unit::ratio, "leakage of a line's tag, as a share of its data's leakage", 0, 1);
    b.real("gated_leakage_share", gated_leakage_share, Unit::ratio, "leakage of gated data, as a share of the leakage of powered data", 0,
           1);
  }
};

struct ExtendedLlcParams {
  double pj_per_byte = 40.4, tag_only_share = 0.5;

  void bind(config::Binder& b) {
    using config::Unit;
    b.real("pj_per_byte", pj_per_byte, Unit::picojoules,
           "a byte of a block that the extended LLC reads or writes, including its messages and the kernel's instructions", 0, 1e6);
    b.real("tag_only_share", tag_only_share, Unit::ratio, "energy of an operation that moves no block, as a share of one that does", 0, 1);
  }
};

/// Power and energy that designs add to those of the arrays above.
struct ExtrasParams {
  double remote_sharing_mw_per_sm = 2.022, ata_mw = 5.55, loscache_mw = 0, loscache_table_pj = 1, ciao_mw = 79, morpheus_share = 0.0093;

  void bind(config::Binder& b) {
    using config::Unit;
    b.real("remote_sharing_mw_per_sm", remote_sharing_mw_per_sm, Unit::milliwatts, "blocks of an SM that search other L1s", 0, 1e6);
    b.real("ata_mw", ata_mw, Unit::milliwatts, "comparators and crossbars of all aggregated tag arrays", 0, 1e6);
    b.real("loscache_mw", loscache_mw, Unit::milliwatts, "prediction tables and counts of all SMs and lines", 0, 1e6);
    b.real("loscache_table_pj", loscache_table_pj, Unit::picojoules, "an access to a prediction table", 0, 1e6);
    b.real("ciao_mw", ciao_mw, Unit::milliwatts,
           "victim tags, lists and translation of all SMs, where warps are isolated or stalled by them", 0, 1e6);
    b.real("morpheus_share", morpheus_share, Unit::ratio, "Morpheus controllers, as a share of all other power", 0, 1);
  }
};

}  // namespace wharf::energy

namespace wharf {

struct EnergyParams {
  energy::IdleSms idle_sms = energy::IdleSms::active;
  double constant_w = 25, dram_pj_per_byte = 112;
  energy::CoreParams core;
  energy::SmMemoryParams sm_memory;
  energy::NocParams noc;
  energy::L2Params l2;
  energy::ExtendedLlcParams ellc;
  energy::ExtrasParams extras;

  void bind(config::Binder& b) {
    using config::Unit;
    b.choice("idle_sms", idle_sms, {{"active", energy::IdleSms::active}, {"gated", energy::IdleSms::gated}},
             "SMs beyond front_end.eligible_sms leak as if they ran, or are power-gated");
    b.real("constant_w", constant_w, Unit::watts, "board, I/O and clocks", 0, 10000);
    b.real("dram_pj_per_byte", dram_pj_per_byte, Unit::picojoules, "a byte read from or written to DRAM", 0, 1e6);
    b.group("core", core, "SMs without their memories");
    b.group("sm_memory", sm_memory, "L1 caches and shared memory");
    b.group("noc", noc, "networks");
    b.group("l2", l2, "L2 slices");
    b.group("ellc", ellc, "LLC in the memories of cache-mode SMs");
    b.group("extras", extras, "what designs add");
  }
};

}  // namespace wharf
