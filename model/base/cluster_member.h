#pragma once
// Thread-block clusters: where the CTAs of a cluster run, and how addresses name their shared memory (modern_gpus section 4).

#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/access.h"
#include "model/base/types.h"

namespace wharf {

/// CTAs that a cluster may have.
inline constexpr std::uint32_t kMostClusterCtas = 16;

/// The place of a CTA of a cluster.
struct CtaPlace {
  std::uint16_t sm = 0, slot = 0;
};

/// The places of a cluster's CTAs, by rank.
using ClusterPlaces = std::vector<CtaPlace>;

/// What a CTA knows of its cluster; null if it is alone.
struct ClusterMember {
  std::shared_ptr<const ClusterPlaces> places;
  std::uint32_t rank = 0;
};

/// An instruction names a byte of a cluster's shared memory by the rank of its CTA and the offset there, which is below 2^32.
constexpr Address cluster_address(unsigned rank, Address offset) { return Address{rank} << 32 | offset; }
constexpr unsigned rank_of(Address address) { return static_cast<unsigned>(address >> 32); }
constexpr std::uint32_t offset_in_cta(Address address) { return static_cast<std::uint32_t>(address); }

/// An access between SMs names the SM, the CTA slot and the offset in its shared memory, which is below 16 MiB.
constexpr Address shared_address(CtaPlace place, Address offset) { return Address{place.sm} << 32 | Address{place.slot} << 24 | offset; }
constexpr CtaPlace place_of(LineAddress line) {
  const Address address = line.byte_address();
  return {static_cast<std::uint16_t>(address >> 32), static_cast<std::uint16_t>(address >> 24 & 0xFF)};
}

/// Access::written_bytes of a store to shared memory of the cluster: its turns at the memory, and the bytes that an mbarrier there counts.
/// Other accesses have no such bytes.
constexpr std::uint32_t store_work(std::uint32_t turns, std::uint32_t counted) { return turns | counted << 8; }
inline std::uint32_t counted_bytes(const Access& access) { return access.kind == AccessKind::store ? access.written_bytes >> 8 : 0; }

/// True for a part of a copy on its way to shared memory; other accesses of this kind are arrivals at an mbarrier.
inline bool is_copied(const Access& access) { return access.kind == AccessKind::shared && access.sectors != 0; }
/// True for such a part that comes with a copy of the reply of L2. Its slot has the number of the cluster (SmLogic::Cta::cluster_number).
inline bool comes_with_reply(const Access& access) { return is_copied(access) && access.cache_op == CacheOp::bypass_l1; }
/// True for a part of a copy that reads the SM's shared memory; the program's loads of the cluster's shared memory do not name the L1.
inline bool is_read_by_copy(const Access& access) { return access.kind == AccessKind::load && access.cache_op == CacheOp::bypass_l1; }

}  // namespace wharf
