#pragma once
// One direction of a hierarchical crossbar as a module.

#include <memory>

#include "model/network/hierarchical/hierarchical_logic.h"
#include "model/network/hierarchical/multicast.h"
#include "model/network/port_network.h"

namespace wharf {

/// The payloads behind the handles of packets that are merged or copied.
class CoalescedPayloads final : public network::CoalescedMessages, public network::MulticastMessages {
 public:
  Request request(std::uint64_t handle) const override;
  void joined(std::uint64_t handle) const override;
  void list_copies(std::uint64_t reply, std::vector<network::CopiedReplies::Copy>& to) const override;
  void answer(std::uint64_t reply, std::uint64_t copy) const override;
  void forget_copies(std::uint64_t reply) const override;
};

class HierarchicalNetwork final : public PortNetwork<network::HierarchicalLogic> {
 public:
  /// `prefix` is that of the counters, e.g. "net.request". `requests` is null for the network of requests; that of replies gives the
  /// credits of sm_slice_credits back to it, and shares its coalescer. `coalescer` is null if nothing is merged, `multicast` if no bulk
  /// copy's replies are copied.
  HierarchicalNetwork(sc_core::sc_module_name name, const network::HierarchicalParams& params, const EndpointRange& sources,
                      const EndpointRange& destinations, unsigned near_sms, const std::string& prefix, ClockDomain& clock,
                      stats::Registry& registry, HierarchicalNetwork* requests = nullptr,
                      std::shared_ptr<network::Coalescer> coalescer = nullptr, std::unique_ptr<network::Multicast> multicast = nullptr)
      : PortNetwork(name, {sources, destinations}, params.queue, prefix, clock, params, shape(sources, destinations, near_sms), registry,
                    prefix, coalescer.get(), multicast.get()),
        first_sm_(std::min(sources.first, destinations.first)),
        first_slice_(std::max(sources.first, destinations.first)),
        requests_(params.sm_slice_credits == kUnlimited ? nullptr : requests),
        coalescer_(std::move(coalescer)),
        multicast_(std::move(multicast)) {}

  /// Null if nothing is merged.
  const std::shared_ptr<network::Coalescer>& coalescer() const { return coalescer_; }
  void kernel_starts() override {
    if (coalescer_ != nullptr) coalescer_->kernel_starts(clock_.present_cycle());
  }
  bool archive(Archive& file) override {
    file.expect_quiet(coalescer_ == nullptr || coalescer_->idle(), "coalescer");
    return PortNetwork::archive(file);
  }

 private:
  static network::HierarchicalLogic::Shape shape(const EndpointRange& sources, const EndpointRange& destinations, unsigned near_sms) {
    const bool requests = sources.first < destinations.first;
    return {requests, requests ? sources.count : destinations.count, requests ? destinations.count : sources.count, near_sms};
  }

  void arrives(Payload& reply, Cycle at) override {
    if (requests_ == nullptr || reply.access().kind == AccessKind::shared) return;  // a copy for another SM, which has taken no credits
    const MessageHeader& header = reply.message();
    requests_->return_credits(header.destination - first_sm_, header.source - first_slice_, sector_count(reply.access().sectors), at);
  }

  void return_credits(unsigned sm, unsigned slice, unsigned sectors, Cycle at) {
    logic_.return_credits(sm, slice, sectors, at);
    clock_.wake(block_, at);
  }

  const unsigned first_sm_, first_slice_;  // first endpoint of each side
  HierarchicalNetwork* const requests_;
  const std::shared_ptr<network::Coalescer> coalescer_;  // of both directions
  const std::unique_ptr<network::Multicast> multicast_;  // of replies
};

}  // namespace wharf
