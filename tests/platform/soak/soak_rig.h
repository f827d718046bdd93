#pragma once
// The common part of every soak: random traffic through a machine with golden memory and all protocol checkers, repeated in other orders of
// the blocks, which must give the same result.

#include <functional>

#include "tests/platform/machines/apart.h"
#include "tests/platform/soak/random_traffic.h"

namespace wharf::test {

using Settings = std::vector<std::string>;

/// Both lists; `b` wins if they have the same key.
Settings operator+(const Settings& a, const Settings& b);

/// Sixteen CTAs on a few lines, so that loads of every kind, stores and atomics of all SMs meet.
inline const TrafficShape kFewLines = {2, 16, 2, 40, 6, 60, 3, true};

/// One place in every queue of L2 and DRAM, sets of two ways.
inline const Settings kSmallestL2 = {
    "l2.slice_kib=1",  "l2.ways=2",        "l2.access_cycles=1",     "l2.input_queue=1",     "l2.mshr_entries=1",     "l2.mshr_targets=1",
    "l2.miss_queue=2", "l2.reply_queue=1", "l2.dram_extra_cycles=1", "dram.queue_entries=1", "dram.return_entries=1", "dram_link_queue=1"};

/// Checks conservation on a run of random traffic that has ended; may be empty.
using Conserved = std::function<void(const Outcome&)>;

/// Checks that the run ends without failure, with the same result in another order of the blocks and with every block called in every
/// cycle.
Outcome soak(const std::string& configuration, const Settings& settings, std::uint64_t seed, const TrafficShape& shape = kFewLines,
             const Conserved& conserved = {});

}  // namespace wharf::test
