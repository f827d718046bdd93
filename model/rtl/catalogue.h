#pragma once
// The members of policy families that are RTL.

#include <memory>

#include "model/designs/ata/cluster_tags.h"
#include "policies/arbitration/port_allocator.h"
#include "policies/hit_predictor/hit_predictor.h"
#include "policies/sharing_predictor/sharing_predictor.h"

namespace wharf::rtl {

/// Adds them to their families, once per process, before the first configuration is read. Without Verilator, the names exist and refuse to
/// be built.
void add_to_catalogues();
/// True where the program was built with Verilator.
bool is_built();
/// Adds the refusing members.
void add_absent_members();

// These throw InputError where no built parameter set fits the options.
std::unique_ptr<HitPredictor> make_bloom_rtl(const HitPredictorOptions& options);
std::unique_ptr<SharingPredictor> make_pc_two_bit_rtl(const SharingPredictorOptions& options);
std::unique_ptr<arbitration::PortAllocator> make_islip_rtl(unsigned inputs, unsigned outputs, unsigned iterations);
std::unique_ptr<ClusterTags> make_tag_array_rtl(const ClusterShape& shape);

}  // namespace wharf::rtl
