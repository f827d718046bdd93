#include "platforms/catalogue.h"

#include "platforms/designs/ata/ata_design.h"
#include "platforms/designs/ata/ata_platform.h"
#include "platforms/designs/cluster/cluster_design.h"
#include "platforms/designs/cluster/cluster_platform.h"
#include "platforms/designs/dc_l1/dc_l1_design.h"
#include "platforms/designs/dc_l1/dc_l1_platform.h"
#include "platforms/designs/morpheus/characterise_platform.h"
#include "platforms/designs/morpheus/morpheus_design.h"
#include "platforms/designs/morpheus/morpheus_platform.h"
#include "platforms/designs/private/private_design.h"
#include "platforms/designs/private/private_platform.h"
#include "platforms/designs/remote_sharing/remote_sharing_design.h"
#include "platforms/designs/remote_sharing/remote_sharing_platform.h"
#include "platforms/designs/shared_l1/shared_l1_design.h"
#include "platforms/designs/shared_l1/shared_l1_platform.h"
#include "platforms/frame/table_memory.h"
#include "policies/catalogue.h"

namespace wharf {
namespace {

constexpr DesignEntry kTable[] = {
    design_entry<PrivatePlatform, PrivateDesign>("private", "front end, SM - L1 - NIC - network - NIC - L2 - DRAM; each SM its own L1"),
    design_entry<RemoteSharingPlatform, RemoteSharingDesign>(
        "remote_sharing", "as private, with an agent behind each L1 that fetches lines from other SMs' L1s", "remote_sharing/baseline"),
    design_entry<SharedL1Platform, SharedL1Design>(
        "shared_l1", "SM - home router + L1 - network - NIC - L2 - DRAM; an L1 works for its SM, or is a home for all",
        "shared_l1/baseline"),
    design_entry<DcL1Platform, DcL1Design>(
        "dc_l1", "SM - NoC#1 - DC-L1 node - NoC#2 - L2 - DRAM; or a CDXBar, the two NoCs behind L1s in the SMs", "dc_l1/private"),
    design_entry<AtaPlatform, AtaDesign>(
        "ata", "as private, in clusters: one array holds the tags of all L1s, and a miss reads from the L1 that has the sectors",
        "ata/private"),
    design_entry<ClusterPlatform, ClusterDesign>(
        "cluster", "as private, with thread-block clusters: an SM accesses the shared memory of other SMs of its GPC"),
    design_entry<CharacterisePlatform, CharacteriseDesign>(
        "characterise", "as private, with one SM in cache mode that always has a read for each of its warps waiting"),
    design_entry<MorpheusPlatform, MorpheusDesign>(
        "morpheus", "as private, with a controller before the L2 slices of each partition and an extended LLC in the SMs that take no CTAs",
        "morpheus/bl"),
};

Catalogue<DesignEntry>& catalogue() {
  static Catalogue<DesignEntry> designs("platform", kTable);
  return designs;
}

}  // namespace

std::vector<config::PolicyName> platform_names() { return catalogue().names(); }

const std::vector<DesignEntry>& design_entries() { return catalogue().entries(); }

std::size_t design_row(std::string_view name) { return static_cast<std::size_t>(&catalogue().find(name) - design_entries().data()); }

void add_design(const DesignEntry& entry) { catalogue().add(entry); }

Designs::Designs() {
  for (const DesignEntry& entry : design_entries()) designs_.push_back(catalogue().made_by(entry, entry.design()));
}

std::unique_ptr<GpuFrame> make_platform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                                        RunObserver& observer) {
  const DesignEntry& entry = catalogue().find(params.platform);
  require_memory(params, options.verify);
  return catalogue().made_by(entry, entry.platform(params, options, stimulus, registry, observer));
}

}  // namespace wharf
