#pragma once
// Kernels that programs of Parboil and Mars take from a library: exclusive prefix sums of an array, and the radix sort of keys with their
// values that uses them (workloads sections 3.7 and 6.0).

#include <cstdint>
#include <string>

#include "stimuli/kernels/support.h"
#include "stimuli/spmd/memory.h"
#include "stimuli/spmd/warp.h"
#include "stimuli/spmd/workload.h"

namespace wharf::spmd {

inline constexpr int kScanThreads = 512, kScanElements = 2 * kScanThreads;  // per CTA

/// Replaces a CTA's elements by their prefix sums, and stores their total in sums[CTA].
void scan_block(Warp& w, const Array<std::int32_t>& data, int count, const Array<std::int32_t>& sums);
/// data[i] += starts[i's CTA].
void add_starts(Warp& w, const Array<std::int32_t>& data, int count, const Array<std::int32_t>& starts);

/// A workload with prefix sums among its launches.
class SummingWorkload : public Workload {
 protected:
  /// Adds up to three launches. `sums` has room for the totals of 1024 CTAs.
  void add_scan(const std::string& name, const Array<std::int32_t>& data, const Array<std::int32_t>& sums,
                const Array<std::int32_t>& total);
};

inline constexpr int kDigitBits = 4, kDigits = 1 << kDigitBits, kSortThreads = 256, kSortElements = 4 * kSortThreads;  // per CTA

/// One pass over whole CTAs of keys and values: sorts them by one digit.
struct SortPass {
  Array<std::int32_t> in[2], out[2];
  Array<std::int32_t> digits;  // [digit][CTA] number of the CTA's elements with that digit; a scan turns it into places
  int pass;                    // the digit, 0 for the lowest

  int ctas() const { return static_cast<int>(in[0].size) / kSortElements; }
};

/// Shared memory of split(): counts of digits, two copies of sums, a total, sorted elements.
inline constexpr std::uint32_t kSorted = 4 * kDigits + 8 * kSortThreads + 16, kSplitBytes = kSorted + 4 * kSortElements;
/// Sorts the elements of each CTA by the digit, in place, bit by bit, and counts its digits.
void split(Warp& w, const SortPass& k);

inline constexpr std::uint32_t kRearrangeBytes = 8 * kDigits + 4 * kSortElements;
/// Moves each element to its place in the whole array: after those of smaller digits, and of equal digits in earlier CTAs.
void rearrange(Warp& w, const SortPass& k);

}  // namespace wharf::spmd
