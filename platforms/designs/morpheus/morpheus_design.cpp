#include "platforms/designs/morpheus/morpheus_design.h"

#include <string>

#include "model/cache/mshr_file.h"
#include "model/designs/morpheus/ellc_geometry.h"
#include "platforms/frame/gpu_params.h"

namespace wharf {

namespace {

/// Checks the parameters for the source of requests to cache-mode SMs: the controllers, or the closed loop.
void check_extended_llc(config::Binder& b, const GpuParams& gpu, bool closed_loop) {
  const MorpheusParams& morpheus = gpu.of<MorpheusParams>();
  const NetworkParams& network = gpu.network;
  const std::uint32_t banks = morpheus.banks_per_partition;
  const bool whole = banks != 0 && banks % gpu.slices_per_channel == 0 && gpu.slices() % banks == 0;
  b.require(whole, "morpheus", "banks_per_partition does not make partitions of whole channels", "choose a multiple of slices_per_channel");
  b.require(gpu.cache_sms() * 4 <= gpu.sms * 3, "front_end",
            "eligible_sms leaves more than 75 % of the SMs in cache mode (morpheus section 3)", "make it at least a quarter of sms");
  b.require(gpu.transaction == TransactionUnit::line, "transaction", "sector: the extended LLC keeps lines", "set transaction: line");
  b.require(!gpu.single_l1, "l1", "single leaves a cache-mode SM no L1 of its own", "set l1.single: false");
  b.require(
      !gpu.l2.gates_lines(), "l2",
      "line_policy: loscache learns from accesses that lines of L2 count, and those of the extended LLC count none and have nothing to "
      "switch off",
      "set l2.line_policy: none, or another platform");
  b.require(network.entry().two_sided, "network",
            "topology does not have SMs on one side and slices on the other, as the traffic of an extended LLC needs",
            "set network.topology: rate or crossbar");
  b.require(network.keeps_apart(2), "network", "topology does not keep two classes apart (morpheus section 5.6)",
            "set network.topology: rate, or crossbar with network.crossbar.virtual_channels: 2 or more");
  b.require(!closed_loop || morpheus.kernel.delivery == Delivery::parked, "morpheus",
            "kernel.delivery: spin has no controller to poll: the closed loop hands each warp its next read itself",
            "set morpheus.kernel.delivery: parked");
  if (!whole) return;
  const unsigned rows = EllcGeometry(morpheus.kernel, gpu.cache_sms(), partitions(gpu)).most_rows();
  b.require(rows <= EllcGeometry::kMostRows, "morpheus",
            "kernel makes " + std::to_string(rows) + " sets in a partition, and a controller has rows for " +
                std::to_string(EllcGeometry::kMostRows),
            "choose fewer warps or cache-mode SMs");
}

}  // namespace

std::uint32_t partitions(const GpuParams& gpu) { return gpu.slices() / gpu.of<MorpheusParams>().banks_per_partition; }

void MorpheusDesign::bind(config::Binder& b, const GpuParams& gpu) {
  b.group("morpheus", params, "an extended LLC in the SMs that take no CTAs (front_end.eligible_sms)");
  b.ineffective_unless(gpu.platform == "morpheus" || gpu.platform == "characterise", "morpheus",
                       "platform is neither morpheus nor characterise");
}

void MorpheusDesign::check(config::Binder& b, const GpuParams& gpu) const { check_extended_llc(b, gpu, false); }

DesignFacts MorpheusDesign::facts(const GpuParams& gpu) const {
  constexpr std::uint64_t kLine = 68;  // bytes per line of the extended LLC, measured
  const std::uint64_t kib = std::uint64_t{params.kernel.register_file_kib} + params.kernel.l1_kib;
  DesignFacts facts;
  facts.cache_sms = gpu.front_end.eligible_sms < gpu.sms ? gpu.sms - gpu.front_end.eligible_sms : 0;  // all SMs that take no CTAs
  facts.tables = {{"morpheus.kernel.register_file_kib: " + std::to_string(params.kernel.register_file_kib),
                   facts.cache_sms * kib * (1024 / kLineBytes) * kLine},
                  {"morpheus.mshr_entries: " + std::to_string(params.mshr_entries),
                   gpu.slices() * MshrFile::bytes(params.mshr_entries) * 8 / 5}};  // measured: 1.6 times an MSHR file of as many
  return facts;
}

void CharacteriseDesign::bind(config::Binder& b, const GpuParams& gpu) {
  b.group("closed_loop", params, "the closed loop that reads blocks from one SM in cache mode");
  b.ineffective_unless(gpu.platform == "characterise", "closed_loop", "platform is not characterise");
}

void CharacteriseDesign::check(config::Binder& b, const GpuParams& gpu) const { check_extended_llc(b, gpu, true); }

}  // namespace wharf
