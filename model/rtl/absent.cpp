#include "model/base/error.h"
#include "model/rtl/catalogue.h"
#include "model/rtl/members.h"
#include "policies/arbitration/catalogue.h"

namespace wharf::rtl {
namespace {

/// Replaces the function that makes a member of the family. Throws InputError.
template <class Policy, class... Options>
std::unique_ptr<Policy> refuse(Options...) {
  throw InputError(
      "this program was built without Verilator, so no policy called rtl or lockstep is available; `./wharf setup rtl` builds them in");
}

}  // namespace

void add_absent_members() {
  for (const Member& member : {kBloomRtl, kBloomLockstep}) add_hit_predictor({member.name, member.help, refuse});
  for (const Member& member : {kPcTwoBitRtl, kPcTwoBitLockstep}) add_sharing_predictor({member.name, member.help, refuse});
  for (const Member& member : {kIslipRtl, kIslipLockstep}) arbitration::add({member.name, member.help, refuse, true});
  for (const Member& member : {kTagArrayRtl, kTagArrayLockstep}) cluster_tags::add({member.name, member.help, refuse});
}

}  // namespace wharf::rtl
