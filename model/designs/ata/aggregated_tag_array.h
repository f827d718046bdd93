#pragma once
// The aggregated tag array: the tags of all L1s of a cluster (ata section 4). One lookup tells which L1s hold which sectors of a line.
//
// Each L1 has one lookup port. A read at a line's address returns the line's HitVector as of the last commit. A write at a line's address
// reports which sectors of the line are VALID in the port's L1 from now on. A write at kEveryLine reports that this L1 is empty. Writes
// take effect at the end of the cycle. So all lookups of one cycle see the same tags, and two L1s that miss the same line both see it
// absent (ata section 4.2).
//
// In hardware a bank holds one set of one L1, and one read of a bank serves any number of ports, so lookups never conflict
// (ata section 4.1). This block therefore models no time: each L1 adds extra_tag_cycles itself. The form of the tag storage is selected by
// name (cluster_tags.h).
//
// Not modelled: PENDING sectors, which only their own L1 considers (ATA-O15), area and leakage (ata section 10).

#include <memory>
#include <systemc>
#include <vector>

#include "model/designs/ata/cluster_tags.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/lookup_link.h"

namespace wharf {

class AggregatedTagArray : public sc_core::sc_module, public Committed, private LookupTarget {
 public:
  /// Not a line address: a write here empties the port's L1.
  static constexpr Address kEveryLine = ~Address{0};

  /// `tags`: name of the form of tag storage. Throws InputError as cluster_tags::make does.
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
