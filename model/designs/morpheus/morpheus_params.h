#pragma once
// Parameters of Morpheus (morpheus sections 4 and 5). The parameters of the kernel in the cache-mode SMs form a separate group.

#include <cstdint>
#include <string>

#include "model/base/config/binder.h"
#include "model/designs/morpheus/cache_mode/ellc_kernel_params.h"
#include "policies/hit_predictor/hit_predictor.h"

namespace wharf {

/// What a waiting request blocks: all requests to the partition, or only those behind it in its bank's queue.
enum class HoldsUp : std::uint8_t { partition, bank };

struct MorpheusParams {
  std::uint32_t banks_per_partition = 4;
  std::string hit_predictor = "bloom";
  BloomParams bloom;
  std::uint32_t request_queue = 16, payload_slots = 7;
  std::uint32_t write_buffer = 8, read_buffer = 8;
  HoldsUp holds_up = HoldsUp::partition;
  bool combine = true;
  std::uint32_t mshr_entries = 192, mshr_merges = 4;
  MissFetch miss_fetch = MissFetch::controller;
  bool fill_drop = true;
  std::uint32_t fill_drop_percent = 75;
  EllcKernelParams kernel;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("banks_per_partition", banks_per_partition, Unit::count, "L2 slices behind one controller", 1, 64);
    b.policy("hit_predictor", hit_predictor, hit_predictor_catalogue_names(),
             "predicts whether a request is sent to its set or directly to DRAM");
    b.group("bloom", bloom, "the Bloom filters of a set");
    // Members added to the catalogue, such as bloom's RTL, may have filters too.
    b.ineffective_unless(hit_predictor != "none" && hit_predictor != "perfect", "bloom", "hit_predictor is none or perfect");
    b.integer("request_queue", request_queue, Unit::count, "operations per partition that wait for the warps of their sets", 2, 256);
    b.integer("payload_slots", payload_slots, Unit::count, "operations in request_queue that can carry data", 1, 256);
    b.integer("write_buffer", write_buffer, Unit::count, "operations with data that wait for the network to a warp", 1, 256);
    b.integer("read_buffer", read_buffer, Unit::count, "blocks from warps that wait for the network to an SM", 1, 256);
    b.choice("holds_up", holds_up, {{"partition", HoldsUp::partition}, {"bank", HoldsUp::bank}},
             "what a waiting request for the extended LLC blocks. partition: all requests to the partition, including those for "
             "conventional lines. bank: later requests for the extended LLC to its bank");
    b.flag("combine", combine,
           "a request merges with the youngest operation on its line if that operation still waits and has the same kind: a write adds its "
           "data, and up to mshr_merges reads share one answer; false: each request is a separate operation, and a hot line can cause a "
           "standstill");
    b.integer("mshr_entries", mshr_entries, Unit::count, "extended-LLC lines outstanding at DRAM, per bank of the partition", 1, 1u << 16);
    b.integer("mshr_merges", mshr_merges, Unit::accesses,
              "requests that one entry or one combined read serves; those from the request queue do not count", 1, 1u << 16);
    b.choice("miss_fetch", miss_fetch, {{"controller", MissFetch::controller}, {"warp", MissFetch::warp}},
             "who reads a line from DRAM that was predicted present in its set but is absent (morpheus section 5.4)");
    b.flag("fill_drop", fill_drop, "a clean line from DRAM that finds no payload slot may stay out of the extended LLC");
    b.integer("fill_drop_percent", fill_drop_percent, Unit::percent, "share of MSHRs in use above which such a line stays out", 0, 100);
    b.ineffective_unless(fill_drop, "fill_drop_percent", "fill_drop is false");
    b.group("kernel", kernel, "the extended LLC kernel of a cache-mode SM");
    b.require(kernel.service == EllcService::warps || miss_fetch == MissFetch::controller, "miss_fetch",
              "is warp, but morpheus.kernel.service is rate", "choose controller");
    b.require(payload_slots <= request_queue, "payload_slots", "are more than request_queue", "make it at most request_queue");
  }
};

}  // namespace wharf
