#pragma once
// Micro-kernels that measure one latency or one bandwidth of a machine, as published microbenchmarks do: `chase` and `stream`.
//
// Each runs a kernel `short` and then a kernel `long` with twice as many accesses. The difference of their cycles is the time of `short`'s
// number of accesses in the steady state, because launch, first fills and drain are the same in both. Where `warm` asks for it, a kernel
// `warm_up` reads the table into L2 before them.
//
// The table starts at a multiple of 1 MiB that the seed chooses. With `half` 0 or 1 it consists of the first 4 KiB of one in two chunks of
// 8 KiB: those whose number has that parity, which is the half of L2 that holds them (MG-10; also where a chunk is 4 KiB).

#include <cstdint>
#include <memory>
#include <string>

#include "stimuli/stimulus.h"

namespace wharf {

/// Dependent loads by one thread, on the SM that takes CTA 0. The seed also chooses the order of the lines.
struct ChaseParams {
  std::uint32_t loads = 64;   // of the short kernel, 1 to 10^6
  std::uint32_t lines = 256;  // of the table, 1 to 2^24; a load reads the first sector of one
  std::uint32_t warm = 1;     // 0: nothing is cached; 1: L2 has the table; 2: each kernel reads it into the L1 before it starts
  std::uint32_t warm_by = 0;  // the SM that reads the table into L2, 0 to 4095. Where it is not 0, no line is read twice by SM 0
  std::uint32_t half = 2;     // of L2: 0, 1, or 2 for both
  std::uint32_t shared = 0;   // 1: the table is in shared memory; warm and half then do not matter
  // CTAs of the thread-block cluster, 2 to 16, or 1 for none; with shared=1 the CTA of rank `from` reads the shared memory of rank `of`.
  std::uint32_t cluster = 1, from = 0, of = 0;

  /// True if `long` reads no line that `short` has read.
  bool reads_once() const { return warm == 0 || warm_by != 0; }
};

/// Independent coalesced accesses by chosen SMs, one CTA on each (with the CTA scheduler round_robin). Neighbouring warps access neighbouring
/// pieces of the table; the table is read again from its start when its end is reached.
struct StreamParams {
  std::uint32_t accesses = 64;   // per warp of the short kernel, 0 to 10^6; 0: the kernels are empty
  std::uint32_t ctas = 1;        // that work, 1 to 4096; all others are empty
  std::uint32_t first = 0;       // SM of the first that works, 0 to 4095
  std::uint32_t step = 1;        // from the SM of one to the SM of the next, 1 to 64: 2 is one SM per TPC of two
  std::uint32_t warps = 32;      // per CTA, 1 to 32
  std::uint32_t bytes = 16;      // per lane: 4, 8 or 16
  std::uint32_t lines = 65'536;  // of the table, 1 to 2^24
  std::uint32_t in_flight = 4;   // loads per warp before the first one's data are awaited, 1 to 16
  std::uint32_t warm = 1;        // 0: nothing is cached; 1: L2 has the table
  std::uint32_t half = 2;        // of L2: 0, 1, or 2 for both
  std::uint32_t l1 = 0;          // 1: loads use the L1; 0: they bypass it
  std::uint32_t store = 0;       // 1: stores instead of loads
  // CTAs of the thread-block clusters, 2 to 16, or 1 for none: rank 0 accesses the shared memory of rank 1 instead of the table, or with
  // ring=1 each CTA that of the next rank, or with gather=1 all others that of rank 0. first=0 and step=1 then.
  std::uint32_t cluster = 1, ring = 0, gather = 0;
  std::uint32_t together = 0;  // 1: every CTA accesses the pieces of the first one, in the same order; 0: pieces of its own

  /// CTAs that access pieces of their own.
  std::uint32_t apart() const { return together != 0 ? 1 : ctas; }
  /// Data bytes that a warp instruction moves.
  std::uint32_t bytes_per_instruction() const { return kLanes * bytes; }
};

/// Parses any subset of the fields above, such as "loads=32,half=0". Throws InputError for an unknown, repeated or out-of-range argument,
/// and for a table in which accesses would hit that must not.
ChaseParams parse_chase(const std::string& arguments);
StreamParams parse_stream(const std::string& arguments);

std::unique_ptr<Stimulus> make_chase(const ChaseParams& params, std::uint64_t seed);
std::unique_ptr<Stimulus> make_stream(const StreamParams& params, std::uint64_t seed);

}  // namespace wharf
