#include "model/rtl/lockstep.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "model/base/error.h"
#include "model/tlm/clock_domain.h"

namespace wharf::rtl {
namespace {

/// "cycle 12 of l2_clock, ..." for every clock of the simulation.
std::string present_cycles() {
  std::string text;
  for (sc_core::sc_object* object : sc_core::sc_get_top_level_objects()) {
    const auto* clock = dynamic_cast<const ClockDomain*>(object);
    if (clock != nullptr) text += fmt::format("{}cycle {} of {}", text.empty() ? "" : ", ", clock->present_cycle(), clock->name());
  }
  return text.empty() ? "no clock" : text;
}

std::string text_of(const HitPredictor::Block& block) { return fmt::format("row {}, tag {:#x}", block.row, block.tag); }

std::string text_of(const SharingPredictor::Answer& answer) {
  return fmt::format("{} (entry {}, epoch {})", answer.shared ? "shared" : "not shared", answer.ticket.entry, answer.ticket.epoch);
}

using arbitration::Grant;
using arbitration::Matching;
using arbitration::PortMask;

std::string text_of(const PortMask& ports) {
  std::string text;
  ports.for_each([&](unsigned port) { text += fmt::format("{}{}", text.empty() ? "" : " ", port); });
  return text.empty() ? "none" : text;
}

std::string text_of(const arbitration::RequestView& requests) {
  std::string text = "free inputs " + text_of(requests.inputs);
  requests.outputs.for_each([&](unsigned output) {
    const PortMask asking = requests.by_output[output] & requests.inputs;
    if (asking.any()) text += fmt::format("; output {} asked by {}", output, text_of(asking));
  });
  return text;
}

std::string text_of(const std::vector<Grant>& pairs) {
  std::string text;
  for (const Grant& pair : pairs) text += fmt::format("{}{} -> {}", text.empty() ? "" : ", ", pair.input, pair.output);
  return text.empty() ? "no match" : text;
}

/// Sorted by output, because the order within a matching has no meaning.
std::vector<Grant> sorted(const Matching& matching) {
  std::vector<Grant> pairs(matching.begin(), matching.end());
  std::sort(pairs.begin(), pairs.end(), [](const Grant& a, const Grant& b) { return a.output < b.output; });
  return pairs;
}

std::string text_of(const HitVector& hits) {
  std::string text;
  for (unsigned s = 0; s < kSectorsPerLine; ++s) text += fmt::format("{}sector {} {:#x}", s == 0 ? "L1s that hold " : ", ", s, hits[s]);
  return text;
}

}  // namespace

void report_difference(const std::string& instance, const std::string& inputs, const std::string& tlm, const std::string& rtl) {
  throw SimulationError(fmt::format("{}: RTL and TLM form differ at {} ps ({})\n  inputs: {}\n  TLM:    {}\n  RTL:    {}", instance,
                                    sc_core::sc_time_stamp().value(), present_cycles(), inputs, tlm, rtl));
}

std::string instance_name() {
  const sc_core::sc_object* object = sc_core::sc_get_current_object();
  return object == nullptr ? "a block outside the hierarchy" : object->name();
}

bool LockstepHitPredictor::predict_hit(const Block& block) const {
  const bool tlm = tlm_->predict_hit(block), rtl = rtl_->predict_hit(block);
  const auto text = [](bool hit) { return hit ? "hit" : "miss"; };
  if (tlm != rtl) report_difference(instance_, "query of " + text_of(block), text(tlm), text(rtl));
  return tlm;
}

bool LockstepHitPredictor::accessed(const Block& block, bool all_touched) {
  const bool tlm = tlm_->accessed(block, all_touched), rtl = rtl_->accessed(block, all_touched);
  const auto text = [](bool swap) { return swap ? "swap" : "no swap"; };
  if (tlm != rtl)
    report_difference(instance_, "update with " + text_of(block) + (all_touched ? ", all touched" : ", not all touched"), text(tlm),
                      text(rtl));
  return tlm;
}

SharingPredictor::Answer LockstepSharingPredictor::predict(const Miss& miss) {
  const Answer tlm = tlm_->predict(miss), rtl = rtl_->predict(miss);
  if (tlm.shared != rtl.shared || tlm.ticket.packed() != rtl.ticket.packed())
    report_difference(instance_, fmt::format("miss of pc {:#x}", miss.pc), text_of(tlm), text_of(rtl));
  return tlm;
}

void LockstepSharingPredictor::filled(Ticket ticket, bool from_core) {
  tlm_->filled(ticket, from_core);
  rtl_->filled(ticket, from_core);
}

void LockstepSharingPredictor::kernel_started() {
  tlm_->kernel_started();
  rtl_->kernel_started();
}

void LockstepAllocator::allocate(const arbitration::RequestView& requests, Matching& matching) {
  tlm_->allocate(requests, matching);
  rtl_->allocate(requests, of_rtl_);
  const auto same = [](const Grant& a, const Grant& b) { return a.input == b.input && a.output == b.output; };
  const std::vector<Grant> tlm = sorted(matching), rtl = sorted(of_rtl_);
  if (!std::equal(tlm.begin(), tlm.end(), rtl.begin(), rtl.end(), same))
    report_difference(instance_, text_of(requests), text_of(tlm), text_of(rtl));
}

HitVector LockstepClusterTags::lookup(unsigned l1, LineAddress line) {
  const HitVector tlm = tlm_->lookup(l1, line), rtl = rtl_->lookup(l1, line);
  if (tlm != rtl)
    report_difference(instance_, fmt::format("lookup of L1 {}, line {:#x}", l1, line.byte_address()), text_of(tlm), text_of(rtl));
  return tlm;
}

void LockstepClusterTags::hold(unsigned l1, LineAddress line, SectorMask valid) {
  tlm_->hold(l1, line, valid);
  rtl_->hold(l1, line, valid);
}

void LockstepClusterTags::empty(unsigned l1) {
  tlm_->empty(l1);
  rtl_->empty(l1);
}

void LockstepClusterTags::commit() {
  tlm_->commit();
  rtl_->commit();
}

}  // namespace wharf::rtl
