#pragma once
// Parameters of distributed shared memory (modern_gpus section 4).

#include <cstdint>

#include "model/base/access.h"
#include "model/base/config/binder.h"
#include "model/sm/copies/copy_engine.h"
#include "model/sm/copies/copy_params.h"

namespace wharf {

struct ClusterParams {
  std::uint32_t own_extra = 4;
  std::uint32_t barrier_cycles = 20;
  std::uint32_t queue = 16;
  std::uint32_t age_limit = 16;
  std::uint32_t command_bytes = 32;
  std::uint32_t store_header_bytes = 16;
  std::uint32_t reply_header_bytes = 8;
  CopyParams tma;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("own_extra", own_extra, Unit::cycles, "added to sm.shared_cycles of an access through an address of the cluster", 0, 1000);
    b.integer("barrier_cycles", barrier_cycles, Unit::cycles, "from the last CTA's arrival at rank 0 to the release of all", 1, 1000);
    b.integer("queue", queue, Unit::accesses, "accesses of other SMs that wait for an SM's shared memory, and its own that wait to leave",
              1, 1024);
    b.integer("age_limit", age_limit, Unit::cycles,
              "after which an access of another SM goes before the program's instructions; until then it uses cycles that they leave free",
              1, 1u << 20);
    b.integer("command_bytes", command_bytes, Unit::bytes, "of a load, and of an arrival at the barrier and its release", 8, 128);
    b.integer("store_header_bytes", store_header_bytes, Unit::bytes, "of a store or atomic, in front of its sectors", 8, 128);
    b.integer("reply_header_bytes", reply_header_bytes, Unit::bytes, "in front of the sectors of a reply; an acknowledgement has no more",
              8, 128);
    b.group("tma", tma, "the copy engine of an SM (CL-8)");
    for (const auto& [key, bytes] : {std::pair{"command_bytes", command_bytes},
                                     {"store_header_bytes", store_header_bytes},
                                     {"reply_header_bytes", reply_header_bytes}})
      b.require(bytes % kFlitBytes == 0, key, "is not a multiple of the 8 B that networks of ports count", "choose a multiple of 8");
  }

  /// Flits of a request and of its answer.
  std::uint8_t request_flits(const Access& access) const {
    const bool commands = access.kind == AccessKind::load || access.kind == AccessKind::barrier;
    // What is copied is a part of a long message.
    return flits(commands ? command_bytes : (is_copied(access) ? 0 : store_header_bytes) + data_bytes(access));
  }
  std::uint8_t reply_flits(const Access& access) const {
    if (access.kind == AccessKind::barrier) return flits(command_bytes);
    return flits(reply_header_bytes + (access.kind == AccessKind::store || access.kind == AccessKind::shared ? 0 : data_bytes(access)));
  }

 private:
  static constexpr std::uint32_t kFlitBytes = 8;
  static std::uint8_t flits(std::uint32_t bytes) { return static_cast<std::uint8_t>(bytes / kFlitBytes); }
  static std::uint32_t data_bytes(const Access& access) { return sector_count(access.sectors) * kSectorBytes; }
};

}  // namespace wharf
