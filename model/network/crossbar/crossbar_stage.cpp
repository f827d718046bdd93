#include "model/network/crossbar/crossbar_stage.h"

#include <algorithm>

#include "model/base/error.h"
#include "model/base/host/islands.h"

namespace wharf {

CrossbarStage::CrossbarStage(const std::string& name, const NetworkParams& params, StageShape shape, const Names& names, ClockDomain& clock,
                             stats::Registry& registry)
    : shape_(shape), names_(names), flit_bytes_(params.of<network::CrossbarParams>().flit_bytes) {
  for (unsigned i = 0; i < shape.crossbars; ++i) {
    const EndpointRange upper{i * shape.upper, shape.upper}, lower{first_lower() + i * shape.lower, shape.lower};
    const int instance = shape.crossbars == 1 ? stats::Group::kOnly : static_cast<int>(i);
    const auto make = [&](const char* way, EndpointRange from, EndpointRange to, const std::string& prefix) {
      return std::make_unique<Crossbar>((name + way + std::to_string(i)).c_str(), params, from, to, prefix, clock, registry,
                                        TrafficClasses{}, instance);
    };
    // Among several crossbars, those of neighbouring SMs are together.
    const Islands::Scope with_sms(shape.crossbars == 1 ? Islands::of_part(0, 2) : Islands::of_part(i, shape.crossbars));
    requests_.push_back(make("_request", upper, lower, names.request));
    const Islands::Scope of_replies(shape.crossbars == 1 ? Islands::of_part(1, 2) : Islands::of_part(i, shape.crossbars));
    replies_.push_back(make("_reply", lower, upper, names.reply));
  }
  network::derive_port_metrics(registry, names.request, names.cycles);
  network::derive_port_metrics(registry, names.reply, names.cycles);
}

std::vector<energy::NocNetwork> CrossbarStage::shapes(energy::Reach reach) const {
  return {energy::crossbars(names_.request, shape_.crossbars, shape_.upper, shape_.lower, flit_bytes_, reach),
          energy::crossbars(names_.reply, shape_.crossbars, shape_.lower, shape_.upper, flit_bytes_, reach)};
}

Crossbar& CrossbarStage::of(unsigned endpoint, Traffic traffic) {
  if (traffic != Traffic::to_l2 && traffic != Traffic::from_l2)
    throw SimulationError("network: a stage of crossbars carries requests to L2 and their answers, nothing from SM to SM");
  const bool upper = endpoint < first_lower();
  const unsigned number = upper ? endpoint / shape_.upper : (endpoint - first_lower()) / shape_.lower;
  return *(traffic == Traffic::to_l2 ? requests_ : replies_).at(number);
}

void CrossbarStage::inspect(std::vector<Wait>& waits) const {
  for (const auto* crossbars : {&requests_, &replies_})
    for (const auto& crossbar : *crossbars) crossbar->inspect(waits);
}

bool CrossbarStage::archive(Archive& file) {
  const auto all = [&](auto& crossbars) {
    return std::all_of(crossbars.begin(), crossbars.end(), [&](const auto& crossbar) { return crossbar->archive(file); });
  };
  return all(requests_) && all(replies_);
}

}  // namespace wharf
