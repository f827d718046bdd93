#pragma once
// Groups of neighbouring SMs, which may differ in size: the SMs whose L1s supply each other, or those of a GPC.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
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
    for (const std::uint32_t size : sizes) {
      unequal_.push_back({sms_, size});
      sms_ += size;
    }
  }
  /// `sms` SMs in groups of `size`, the last of which may have fewer. 0 stands for all SMs.
  static SmGroups of(unsigned sms, unsigned size) {
    SmGroups groups;
    groups.sms_ = sms;
    groups.size_ = size == 0 ? sms : size;
    return groups;
  }

  bool empty() const { return sms_ == 0; }
  unsigned count() const { return size_ == 0 ? static_cast<unsigned>(unequal_.size()) : (sms_ + size_ - 1) / size_; }
  unsigned sms() const { return sms_; }
  Group operator[](unsigned number) const {
    if (size_ == 0) return unequal_[number];
    return {number * size_, std::min(size_, sms_ - number * size_)};
  }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Group;
    using difference_type = std::ptrdiff_t;
    using pointer = const Group*;
    using reference = Group;

    Iterator(const SmGroups& groups, unsigned number) : groups_(&groups), number_(number) {}
    Group operator*() const { return (*groups_)[number_]; }
    Iterator& operator++() {
      ++number_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return number_ == other.number_; }
    bool operator!=(const Iterator& other) const { return number_ != other.number_; }

   private:
    const SmGroups* groups_;
    unsigned number_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, count()}; }

  unsigned number_of(unsigned sm) const {
    if (size_ != 0) return sm / size_;
    const auto behind = [](unsigned place, const Group& group) { return place < group.first; };
    return static_cast<unsigned>(std::upper_bound(unequal_.begin(), unequal_.end(), sm, behind) - unequal_.begin()) - 1;
  }
  /// The group of an SM.
  Group around(unsigned sm) const { return (*this)[number_of(sm)]; }

  unsigned smallest() const {
    unsigned size = sms();
    for (const Group& group : *this) size = std::min(size, group.size);
    return size;
  }
  unsigned largest() const {
    unsigned size = 0;
    for (const Group& group : *this) size = std::max(size, group.size);
    return size;
  }
  bool are_equal() const { return smallest() == largest(); }
  /// True if each group lies in one group of `outer`.
  bool lie_within(const SmGroups& outer) const {
    return std::all_of(begin(), end(), [&](const Group& group) {
      const unsigned last = group.first + group.size - 1;
      return last < outer.sms() && outer.number_of(group.first) == outer.number_of(last);
    });
  }

 private:
  unsigned sms_ = 0, size_ = 0;  // of a group, but for the last; 0: `unequal_` has them
  std::vector<Group> unequal_;
};

}  // namespace wharf
