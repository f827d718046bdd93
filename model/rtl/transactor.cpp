#include "model/rtl/transactor.h"

#include <algorithm>

#include "model/base/error.h"
#include "model/base/host/islands.h"
#include "model/rtl/waves.h"

namespace wharf::rtl {
namespace {

void collect(const std::vector<sc_core::sc_object*>& objects, std::vector<Transactor*>& found) {
  for (sc_core::sc_object* object : objects) {
    if (auto* transactor = dynamic_cast<Transactor*>(object)) found.push_back(transactor);
    collect(object->get_child_objects(), found);
  }
}

}  // namespace

Transactor::Transactor(sc_core::sc_module_name name, const char* block, const char* parameters)
    : sc_module(name), block_(block), parameters_(parameters) {
  if (Islands::count() != 0) throw OneThreadNeeded("one simulates RTL");
}

void Transactor::sample() { waves_->sample(); }

void Transactor::add_cost(std::vector<Cost>& costs) const {
  auto line =
      std::find_if(costs.begin(), costs.end(), [this](const Cost& cost) { return cost.block == block_ && cost.parameters == parameters_; });
  if (line == costs.end()) line = costs.insert(costs.end(), {block_, parameters_});
  ++line->instances;
  line->operations += operations_;
  line->evaluations += evaluations_;
  line->crowded_cycles += crowded_cycles_;
  const std::uint64_t timed = operations_ / kTimedOperation;
  if (timed != 0)
    line->host_s += std::chrono::duration<double>(timed_).count() * static_cast<double>(operations_) / static_cast<double>(timed);
}

std::vector<Transactor*> transactors() {
  std::vector<Transactor*> found;
  collect(sc_core::sc_get_top_level_objects(), found);
  return found;
}

std::vector<Cost> costs() {
  std::vector<Cost> costs;
  for (const Transactor* transactor : transactors()) transactor->add_cost(costs);
  return costs;
}

}  // namespace wharf::rtl
