#pragma once
// The RTL members of policy families.

#include <memory>

#include "model/designs/ata/cluster_tags.h"
#include "policies/arbitration/port_allocator.h"
#include "policies/hit_predictor/hit_predictor.h"
#include "policies/sharing_predictor/sharing_predictor.h"

namespace wharf::rtl {

/// Adds the RTL members to their families, once per process, before the first configuration is read. Without Verilator, their names exist,
/// but making one throws InputError.
void add_to_catalogues();
/// True if the program was built with Verilator.
bool is_built();
/// Adds members that throw InputError when they are made.
void add_absent_members();

// These throw InputError if no built parameter set fits the options.
std::unique_ptr<HitPredictor> make_bloom_rtl(const HitPredictorOptions& options);
std::unique_ptr<SharingPredictor> make_pc_two_bit_rtl(const SharingPredictorOptions& options);
std::unique_ptr<arbitration::PortAllocator> make_islip_rtl(unsigned inputs, unsigned outputs, unsigned iterations);
std::unique_ptr<ClusterTags> make_tag_array_rtl(const ClusterShape& shape);

}  // namespace wharf::rtl
