#pragma once
// The members of policy families that are RTL.

#include <memory>

#include "model/l1_sharing/ata/cluster_tags.h"
#include "policies/arbitration/port_allocator.h"
#include "policies/hit_predictor/hit_predictor.h"
#include "policies/sharing_predictor/sharing_predictor.h"

namespace wharf::rtl {

/// Adds them to their families, once a process, before the first configuration is read. Built without Verilator they have their names and
/// refuse to be made.
void add_to_catalogues();
/// Whether the program was built with Verilator.
bool is_built();
/// The refusing ones.
void add_absent_members();

// Throw InputError where no parameter set was built that fits the options.
std::unique_ptr<HitPredictor> make_bloom_rtl(const HitPredictorOptions& options);
std::unique_ptr<SharingPredictor> make_pc_two_bit_rtl(const SharingPredictorOptions& options);
std::unique_ptr<arbitration::PortAllocator> make_islip_rtl(unsigned inputs, unsigned outputs, unsigned iterations);
std::unique_ptr<ClusterTags> make_tag_array_rtl(const ClusterShape& shape);

}  // namespace wharf::rtl
