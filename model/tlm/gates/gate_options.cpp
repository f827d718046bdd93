#include "model/tlm/gates/gate_options.h"

#include <list>

namespace wharf {

namespace {

constexpr const char* kName = "wharf_gate";
using Attribute = sc_core::sc_attribute<GateOptions>;

}  // namespace

void set_gate(sc_core::sc_object& socket, const GateOptions& options) {
  static std::list<Attribute> attributes;  // SystemC refers to the attributes but does not own them
  if (auto* set = dynamic_cast<Attribute*>(socket.get_attribute(kName))) {
    set->value = options;
    return;
  }
  socket.add_attribute(attributes.emplace_back(kName, options));
}

GateOptions gate_options(const sc_core::sc_object& socket) {
  const auto* set = dynamic_cast<const Attribute*>(socket.get_attribute(kName));
  return set == nullptr ? GateOptions{} : set->value;
}

}  // namespace wharf
