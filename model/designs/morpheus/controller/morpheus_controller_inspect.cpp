// Reports to the watchdog what the accesses in a controller wait for.
#include "model/designs/morpheus/controller/morpheus_controller.h"
#include "model/tlm/debug_access.h"

namespace wharf {

/// Returns the sectors of a line in its set, or on their way to DRAM. Reads the sets of other SMs as an oracle. While an operation of the
/// line is in flight, it returns the state before that operation.
SectorMask MorpheusController::held(LineAddress line, SectorVersions& versions) const {
  if (rows_.empty() || !in_set_) return 0;
  const AddressSeparator::Home home = home_of(line);
  if (!home.extended) return 0;
  SectorMask here = 0;
  for (Payload* payload : dram_[channel_of(line)]->queue()) apply_stored(*payload, line, here, versions);
  SectorVersions kept{};
  const SectorMask valid = in_set_(rows_[home.row], line, kept);
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (valid >> s & 1) versions[s] = kept[s];
  return static_cast<SectorMask>(here | valid);
}

void MorpheusController::inspect(std::vector<Wait>& waits) const {
  const std::string path = group_.path();
  const auto wait = [&waits](const std::string& holder, const std::string& resource, const Access& access) {
    waits.push_back({holder, resource, access.id, access.line.byte_address(), access.issue_cycle});
  };
  const std::string cause = refused_ == &logic_.counters().reply_full     ? ".reply_queue"
                            : refused_ == &logic_.counters().mshr_full    ? ".mshr"
                            : refused_ == &logic_.counters().dram_full    ? ".dram_queue"
                            : refused_ == &logic_.counters().targets_full ? ".mshr"
                                                                          : ".request_queue";
  for (const auto& bank : banks_) {
    if (!bank->requests.empty()) wait(path + ".input", path + cause, bank->requests.front().access());
    if (bank->port.held() != nullptr) wait(path + ".outside", path + ".input", bank->port.held()->access());
    if (!bank->results.empty()) wait(path + ".results", path + ".read_buffer", bank->results.front().access());
    if (bank->port.oldest_reply() != nullptr) wait(path + ".reply_queue", "nic." + path + ".reply", bank->port.oldest_reply()->access());
    if (!bank->messages.empty()) wait(path + ".to_warps", "to_ellc", bank->messages.front()->access);
  }
  for (const auto& dram : dram_)
    if (!dram->queue().empty()) wait(path + ".dram_queue", "dram", dram->queue().front()->access());
  if (logic_.queue().size() != 0) {
    const EllcOperation& oldest = logic_.queue().oldest();
    waits.push_back({path + ".request_queue", path + ".row[" + std::to_string(oldest.row) + "]",
                     oldest.requester != nullptr ? oldest.requester->access.id : 0, oldest.line.byte_address(),
                     oldest.requester != nullptr ? oldest.requester->access.issue_cycle : 0});
  }
  for (std::size_t row = 0; row < logic_.rows().size(); ++row) {
    const ControllerLogic::Row& state = logic_.rows()[row];
    if (state.busy && state.operation.requester != nullptr)
      wait(path + ".row[" + std::to_string(row) + "]", state.fetching ? "dram" : "ellc", state.operation.requester->access);
  }
  logic_.misses().for_each([&](const EllcMiss& miss) {
    if (!miss.list.empty() && miss.list.front().requester != nullptr)
      wait(path + ".mshr", miss.arrived ? path + ".request_queue" : "dram", miss.list.front().requester->access);
  });
}

}  // namespace wharf
