#pragma once
// The tags of all L1s of a cluster in one place (ata section 4): one lookup says which of them hold which sectors of a line.
//
// One lookup port for each L1. A read at a line's address is answered with its HitVector as of the last commit. A write there says which
// sectors of the line are VALID in the L1 of the port from now on, a write at kEveryLine that it holds nothing any more; both apply at the
// end of the cycle. So lookups of one cycle see the same tags, and two L1s that miss the same line both see it absent (ata section 4.2).
//
// In hardware a bank holds one set of one L1, and a read of it serves any number of ports: no two lookups conflict (ata section 4.1). So
// time is none of its business: extra_tag_cycles is the L1's. How the tags are kept has a name (cluster_tags.h).
//
// Not modelled: PENDING sectors, which only their own L1 looks at (ATA-O15), area and leakage (ata section 10).

#include <memory>
#include <systemc>
#include <vector>

#include "model/designs/ata/cluster_tags.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/lookup_link.h"

namespace wharf {

class AggregatedTagArray : public sc_core::sc_module, public Committed, private LookupTarget {
 public:
  /// Not the address of a line.
  static constexpr Address kEveryLine = ~Address{0};

  /// `tags`: the name of the form in which they are kept. Throws InputError as cluster_tags::make does.
  AggregatedTagArray(sc_core::sc_module_name name, std::string_view tags, const ClusterShape& shape, ClockDomain& clock);

  tlm::tlm_target_socket<>& port(unsigned index) { return ports_.at(index)->socket; }
  void commit() override { tags_->commit(); }
  bool archive(Archive& file) { return tags_->archive(file); }

 private:
  void read(unsigned port, Address address, unsigned char* data, unsigned length) override;
  void write(unsigned port, Address address, const unsigned char* data, unsigned length) override;

  ClockDomain& clock_;
  std::unique_ptr<ClusterTags> tags_;
  std::vector<std::unique_ptr<LookupTargetPort>> ports_;
};

}  // namespace wharf
