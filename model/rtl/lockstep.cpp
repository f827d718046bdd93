#include "model/rtl/lockstep.h"

#include <fmt/core.h>

#include "model/base/error.h"
#include "model/tlm/clock_domain.h"

namespace wharf::rtl {
namespace {

/// "cycle 12 of l2_clock, ..." of every clock of the simulation.
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
    report_difference(instance_, "update with " + text_of(block) + (all_touched ? ", all touched" : ", not all touched"), text(tlm), text(rtl));
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

}  // namespace wharf::rtl
