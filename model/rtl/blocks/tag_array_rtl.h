#pragma once
// The transactor of aggregated_tag_array.sv, behind the lookup links of an AggregatedTagArray. `Model` is a Verilated parameter set of
// aggregated_tag_array.sv, or of any other RTL with the same ports.
//
// An L1 names a line, but the hardware needs set, way and tag. The set is the L1's own (its set index), and the tag is the rest of the line
// number: lines that differ only in the bits of a linear index never share a set. The link does not carry the L1's way, so a line takes the
// first way that is free here, and keeps it; the choice changes no answer.
//
// A lookup is combinational. The writes of a cycle enter the banks at the end of the cycle: each L1 writes one way per period of the RTL's
// clock.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/error.h"
#include "model/designs/ata/cluster_tags.h"
#include "model/rtl/port_signals.h"
#include "model/rtl/verilated_transactor.h"

namespace wharf::rtl {

/// Serves at most as many L1s, sets and ways as `Model` has. The unused ones stay empty, which changes no answer.
template <class Model>
class TagArrayRtl final : public VerilatedTransactor<Model>, public ClusterTags {
 public:
  TagArrayRtl(sc_core::sc_module_name name, const char* block, const char* parameters, const ClusterShape& shape)
      : VerilatedTransactor<Model>(name, block, parameters),
        shape_(shape),
        lookup_use_(shape.l1s),
        lines_(std::size_t{shape.l1s} * shape.set_index.sets() * shape.ways, kFree),
        writes_(shape.l1s) {}

  HitVector lookup(unsigned l1, LineAddress line) override {
    const typename Transactor::Operation operation(*this, lookup_use_[l1]);
    write_word(lookup_, std::uint64_t{1} << l1);
    write_word(lookup_set_[l1], shape_.set_index(line.number));
    write_word(lookup_tag_[l1], tag_of(line));
    this->settle();
    const std::uint64_t all = hits_[l1].read();
    HitVector hits;
    for (unsigned s = 0; s < kSectorsPerLine; ++s) hits[s] = all >> s * kPorts & ((std::uint64_t{1} << kPorts) - 1);
    return hits;
  }

  void hold(unsigned l1, LineAddress line, SectorMask valid) override {
    const std::uint32_t set = shape_.set_index(line.number);
    const auto first = lines_.begin() + (std::size_t{l1} * shape_.set_index.sets() + set) * shape_.ways, last = first + shape_.ways;
    auto way = std::find(first, last, line.number);
    if (way == last) {
      if (valid == 0) return;
      way = std::find(first, last, kFree);
    }
    if (way == last)
      throw SimulationError(std::string(this->name()) + ": L1 " + std::to_string(l1) + " of the cluster holds more than " +
                            std::to_string(shape_.ways) + " lines in set " + std::to_string(set) + "; check what the L1 reports");
    *way = valid == 0 ? kFree : line.number;
    writes_[l1].push_back({false, set, static_cast<std::uint32_t>(way - first), tag_of(line), valid});
  }

  void empty(unsigned l1) override {
    const std::size_t size = lines_.size() / shape_.l1s;
    std::fill_n(lines_.begin() + l1 * size, size, kFree);
    writes_[l1].push_back({true, 0, 0, 0, 0});
  }

  void commit() override {
    write_word(lookup_, 0);
    for (std::size_t nth = 0; write(nth); ++nth) {
      const typename Transactor::Operation operation(*this, write_use_);
      this->clock_edge();
    }
    for (auto& writes : writes_) writes.clear();
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // not a line number: those have 57 bits

  struct Write {
    bool clear;
    std::uint32_t set, way;
    std::uint64_t tag;
    SectorMask sectors;
  };

  std::uint64_t tag_of(LineAddress line) const { return line.number / shape_.set_index.sets(); }

  /// Applies the nth write of every L1 to the pins; returns false if no L1 has that many.
  bool write(std::size_t nth) {
    std::uint64_t write = 0, clear = 0;
    for (unsigned l1 = 0; l1 < shape_.l1s; ++l1) {
      if (nth >= writes_[l1].size()) continue;
      const Write& next = writes_[l1][nth];
      (next.clear ? clear : write) |= std::uint64_t{1} << l1;
      write_word(write_set_[l1], next.set);
      write_word(write_way_[l1], next.way);
      write_word(write_tag_[l1], next.tag);
      write_word(write_sectors_[l1], next.sectors);
    }
    write_word(write_, write);
    write_word(clear_, clear);
    return (write | clear) != 0;
  }

  using VerilatedTransactor<Model>::dut;
  SignalOf<decltype(Model::lookup)> lookup_{dut.lookup};
  SignalArray<decltype(Model::lookup_set)> lookup_set_{dut.lookup_set};
  SignalArray<decltype(Model::lookup_tag)> lookup_tag_{dut.lookup_tag};
  SignalArray<decltype(Model::hits)> hits_{dut.hits};
  SignalOf<decltype(Model::write)> write_{dut.write};
  SignalArray<decltype(Model::write_set)> write_set_{dut.write_set};
  SignalArray<decltype(Model::write_way)> write_way_{dut.write_way};
  SignalArray<decltype(Model::write_tag)> write_tag_{dut.write_tag};
  SignalArray<decltype(Model::write_sectors)> write_sectors_{dut.write_sectors};
  SignalOf<decltype(Model::clear)> clear_{dut.clear};
  static constexpr unsigned kPorts = decltype(hits_)::kSize;
  static_assert(kPorts * kSectorsPerLine <= 64, "a hit vector is one word: at most 16 L1s");

  ClusterShape shape_;
  std::vector<Transactor::PortUse> lookup_use_;
  Transactor::PortUse write_use_;
  std::vector<std::uint64_t> lines_;        // [L1][set][way] line number
  std::vector<std::vector<Write>> writes_;  // [L1] writes of this cycle, in order
};

}  // namespace wharf::rtl
