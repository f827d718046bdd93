#pragma once
// Groups of neighbouring SMs, which may differ in size: the SMs whose L1s supply each other, or those of a GPC.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/base/types.h"

namespace wharf {

/// As the number of SMs in a group: all SMs of its GPC. Configurations say `gpc`.
inline constexpr std::uint32_t kGpcGroups = kUnlimited;

class SmGroups {
 public:
  struct Group {
    unsigned first = 0, size = 0;  // SMs first .. first + size - 1
  };

  /// No groups.
  SmGroups() = default;
  /// Groups of these sizes, in the order of their SMs.
  explicit SmGroups(const std::vector<std::uint32_t>& sizes) {
    for (const std::uint32_t size : sizes) add(size);
  }
  /// `sms` SMs in groups of `size`, the last of which may have fewer. 0 stands for all SMs.
  static SmGroups of(unsigned sms, unsigned size) {
    SmGroups groups;
    const unsigned most = size == 0 ? sms : size;
    while (groups.sms() < sms) groups.add(std::min(most, sms - groups.sms()));
    return groups;
  }

  bool empty() const { return groups_.empty(); }
  unsigned count() const { return static_cast<unsigned>(groups_.size()); }
  unsigned sms() const { return static_cast<unsigned>(number_of_.size()); }
  const Group& operator[](unsigned number) const { return groups_[number]; }
  std::vector<Group>::const_iterator begin() const { return groups_.begin(); }
  std::vector<Group>::const_iterator end() const { return groups_.end(); }

  unsigned number_of(unsigned sm) const { return number_of_[sm]; }
  /// The group of an SM.
  const Group& around(unsigned sm) const { return groups_[number_of_[sm]]; }

  unsigned smallest() const {
    unsigned size = sms();
    for (const Group& group : groups_) size = std::min(size, group.size);
    return size;
  }
  unsigned largest() const {
    unsigned size = 0;
    for (const Group& group : groups_) size = std::max(size, group.size);
    return size;
  }
  bool are_equal() const { return smallest() == largest(); }
  /// True if each group lies in one group of `outer`.
  bool lie_within(const SmGroups& outer) const {
    return std::all_of(groups_.begin(), groups_.end(), [&](const Group& group) {
      const unsigned last = group.first + group.size - 1;
      return last < outer.sms() && outer.number_of(group.first) == outer.number_of(last);
    });
  }

 private:
  void add(std::uint32_t size) {
    groups_.push_back({sms(), size});
    number_of_.resize(sms() + size, count() - 1);
  }

  std::vector<Group> groups_;
  std::vector<unsigned> number_of_;  // [SM]
};

}  // namespace wharf
