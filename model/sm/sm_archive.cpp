// State that an SM keeps between kernels (model/base/archive.h), when no warp is resident and nothing is in flight.

#include "model/base/archive.h"
#include "model/sm/sm_logic.h"

namespace wharf {

void SmLogic::archive(Archive& file) {
  if (!filter_->archive(file)) Archive::refuse("sm.warp_filter: " + params_.warp_filter);
  file.expect_quiet(!busy() && order_.empty() && arrivals_.empty() && finished_.empty() && results_.next() == kNever &&
                        (collector_ == nullptr || collector_->idle()) && (subcores_ == nullptr || subcores_->idle()),
                    "sm[" + std::to_string(number_) + "]");
  if (interference_ != nullptr) file(*interference_);
  if (prediction_ != nullptr) file(*prediction_);
  if (cycle_stack_ != nullptr) file(*cycle_stack_);
  file(predictor_preferred_, stacks_, filter_counted_to_);
  for (Scheduler& scheduler : schedulers_) {
    if (!scheduler.order->archive(file)) Archive::refuse("sm.warp_scheduler: " + params_.warp_scheduler);
    file(scheduler.ready, scheduler.unit_free, scheduler.unit_open, scheduler.present, scheduler.loads, scheduler.next_issue);
  }
  if (collector_ != nullptr) file(*collector_);
  if (subcores_ != nullptr) file(*subcores_);
  if (copies_ != nullptr) file(*copies_);
  file(free_places_, memory_free_, port_blocked_, port_free_, memory_, free_entries_, answered_, next_access_, now_, counted_to_,
       peers_blocked_, peers_free_, barriers_free_, copies_first_);
  queue_.resize(free_places_.size());  // all places are free
}

}  // namespace wharf
