#include "platforms/catalogue.h"

#include "platforms/designs/ata/ata_platform.h"
#include "platforms/designs/dc_l1/dc_l1_platform.h"
#include "platforms/designs/morpheus/characterise_platform.h"
#include "platforms/designs/morpheus/morpheus_platform.h"
#include "platforms/designs/private/private_platform.h"
#include "platforms/designs/remote_sharing/remote_sharing_platform.h"
#include "platforms/designs/shared_l1/shared_l1_platform.h"
#include "policies/catalogue.h"

namespace wharf {
namespace {

using Make = std::unique_ptr<GpuFrame> (*)(const GpuParams&, const RunOptions&, Stimulus&, stats::Registry&, RunObserver&);

template <class Platform>
std::unique_ptr<GpuFrame> make(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                               RunObserver& observer) {
  return std::make_unique<Platform>(params, options, stimulus, registry, observer);
}

struct Entry {
  const char* name;
  const char* help;
  Make make;
};

constexpr Entry kCatalogue[] = {
    {"private", "front end, SM - L1 - NIC - network - NIC - L2 - DRAM; each SM its own L1", make<PrivatePlatform>},
    {"remote_sharing", "as private, with an agent behind each L1 that fetches lines from other SMs' L1s", make<RemoteSharingPlatform>},
    {"shared_l1", "SM - home router + L1 - network - NIC - L2 - DRAM; an L1 works for its SM, or is a home for all",
     make<SharedL1Platform>},
    {"dc_l1", "SM - NoC#1 - DC-L1 node - NoC#2 - L2 - DRAM; or a CDXBar, the two NoCs behind L1s in the cores", make<DcL1Platform>},
    {"ata", "as private, in clusters: one array holds the tags of all L1s, and a miss reads from the L1 that has the sectors",
     make<AtaPlatform>},
    {"characterise", "as private, with one SM in cache mode that always has a read for each of its warps waiting",
     make<CharacterisePlatform>},
    {"morpheus", "as private, with a controller before the L2 slices of each partition and an extended LLC in the SMs that take no CTAs",
     make<MorpheusPlatform>},
};

}  // namespace

std::vector<config::PolicyName> platform_names() { return names_of(kCatalogue); }

std::unique_ptr<GpuFrame> make_platform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                                        RunObserver& observer) {
  return find_policy(kCatalogue, "platform", params.platform).make(params, options, stimulus, registry, observer);
}

}  // namespace wharf
