#pragma once
// What each instruction of each kernel cost one SM, and where its loads found their data. Kept with the cycle stack.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "model/base/access.h"
#include "model/base/warp_instruction.h"
#include "stimuli/stimulus.h"

namespace wharf {

class InstructionProfile {
 public:
  /// Some kernels have several instructions at one pc, such as the comparison and the branch of a loop; their units tell them apart.
  using Key = std::uint64_t;
  static constexpr Key kNoKey = ~Key{0};
  static Key key_of(const WarpInstruction& instruction) { return Key{instruction.pc} << 8 | static_cast<Key>(instruction.unit); }

  struct Entry {
    Key key = 0;
    std::uint64_t slots = 0;                        // millionths of slots lost to it
    std::array<std::uint64_t, kServedBy> served{};  // accesses of loads and atomics, by who answered
    std::uint64_t misses = 0, held_elsewhere = 0;   // primary misses of the L1; those of which another L1 held sectors
    std::uint64_t not_supplied = 0;                 // those of held_elsewhere of which no other L1 supplied a sector

    std::uint32_t pc() const { return static_cast<std::uint32_t>(key >> 8); }
    Unit unit() const { return static_cast<Unit>(key & 0xFF); }
    Entry& operator+=(const Entry& other) {
      slots += other.slots;
      misses += other.misses;
      held_elsewhere += other.held_elsewhere;
      not_supplied += other.not_supplied;
      for (unsigned server = 0; server < kServedBy; ++server) served[server] += other.served[server];
      return *this;
    }
  };
  /// Launches with equal names are one kernel.
  struct Kernel {
    std::string name, source_file;
    std::uint32_t pcs_a_line = 0;
    std::map<Key, Entry> entries;

    template <class File>
    void archive(File& file) {
      std::vector<Entry> in_order;
      for (const auto& [key, entry] : entries) in_order.push_back(entry);
      file(name, source_file, pcs_a_line, in_order);
      if (!file.loads()) return;
      entries.clear();
      for (const Entry& entry : in_order) entries[entry.key] = entry;
    }
  };

  /// `launch` starts at a place among the kernels that run together. Instructions belong to it from now on, until resume().
  void start(const KernelLaunch& launch, std::size_t place = 0) {
    recent_ = {};
    if (place >= places_.size()) places_.resize(place + 1);
    for (running_ = 0; running_ < kernels_.size(); ++running_)
      if (kernels_[running_].name == launch.name) break;
    if (running_ == kernels_.size()) kernels_.push_back({launch.name, launch.source_file, launch.pcs_a_line, {}});
    places_[place] = running_;
  }
  /// Returns the kernel at `place`, for resume().
  std::size_t kernel_at(std::size_t place) const { return places_[place]; }
  /// Instructions belong to `kernel` from now on.
  void resume(std::size_t kernel) {
    if (kernel == running_) return;
    running_ = kernel;
    recent_ = {};
  }
  /// Returns the entry of an instruction of the running kernel. The entry does not move.
  Entry& at(Key key) {
    Entry* const recent = recent_[place_of(key)];
    return recent != nullptr && recent->key == key ? *recent : look_up(key);
  }

  /// The first one has no name; it holds the instructions before any launch.
  const std::deque<Kernel>& kernels() const { return kernels_; }
  /// Millionths of slots lost to all instructions.
  std::uint64_t slots() const {
    std::uint64_t sum = 0;
    for (const Kernel& kernel : kernels_)
      for (const auto& [key, entry] : kernel.entries) sum += entry.slots;
    return sum;
  }

  /// Called between kernels (model/base/archive.h), when nobody refers to an entry.
  template <class File>
  void archive(File& file) {
    std::uint64_t kernels = kernels_.size(), running = running_;
    file(kernels, running);
    kernels_.resize(kernels);
    running_ = running;
    for (Kernel& kernel : kernels_) file(kernel);
    recent_ = {};
  }

 private:
  static unsigned place_of(Key key) { return static_cast<unsigned>((key * 0x9E37'79B9'7F4A'7C15) >> 58); }
  Entry& look_up(Key key);

  std::deque<Kernel> kernels_{Kernel()};
  std::size_t running_ = 0;
  std::vector<std::size_t> places_{0};
  std::array<Entry*, 64> recent_{};  // recent entries of the running kernel, by a hash of the key: most instructions repeat soon
};

}  // namespace wharf
