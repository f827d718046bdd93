#include "model/designs/ata/aggregated_tag_array.h"

#include <cstring>

namespace wharf {

AggregatedTagArray::AggregatedTagArray(sc_core::sc_module_name name, std::string_view tags, const ClusterShape& shape, ClockDomain& clock)
    : sc_module(name), clock_(clock), tags_(cluster_tags::make(tags, shape)) {
  LookupTarget& target = *this;
  for (unsigned i = 0; i < shape.l1s; ++i) ports_.push_back(std::make_unique<LookupTargetPort>("port" + std::to_string(i), target, i));
}

void AggregatedTagArray::read(unsigned port, Address address, unsigned char* data, unsigned length) {
  const HitVector hits = tags_->lookup(port, LineAddress::of(address));
  if (length != sizeof(hits)) throw SimulationError(std::string(name()) + ": a lookup is answered with a hit vector");
  std::memcpy(data, hits.data(), sizeof(hits));
}

void AggregatedTagArray::write(unsigned port, Address address, const unsigned char* data, unsigned length) {
  if (length != sizeof(SectorMask)) throw SimulationError(std::string(name()) + ": what is written is a mask of sectors");
  clock_.request_commit(*this);
  if (address == kEveryLine)
    tags_->empty(port);
  else
    tags_->hold(port, LineAddress::of(address), *data);
}

}  // namespace wharf
