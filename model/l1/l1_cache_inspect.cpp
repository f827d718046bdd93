// The view of an L1 for debug access and the watchdog.

#include "model/l1/l1_companion.h"
#include "model/tlm/debug_access.h"

namespace wharf {

/// A dirty victim is visible here until it leaves; so is a store that is sent below.
unsigned L1Cache::debug(unsigned index, tlm::tlm_generic_payload& transaction) {
  Port& port = ports_[index];
  const auto held = [&](LineAddress line, SectorVersions& versions) {
    SectorMask here = 0;
    for (std::uint32_t i = 0; i < port.misses.size(); ++i) apply_stored(*port.misses[i], line, here, versions);
    SectorVersions kept{};
    const SectorMask valid = logic_.held(line, kept);
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if (valid >> s & 1) versions[s] = kept[s];
    return static_cast<SectorMask>(here | valid);
  };
  return debug_through(transaction, pool_.contents(), held, [&](tlm::tlm_generic_payload& part) { return port.downstream.debug(part); });
}

/// Names the network interface that takes this cache's requests for `access`.
std::string L1Cache::nic_of(const Access& access) const {
  return "nic.sm[" + std::to_string(detached_ ? static_cast<unsigned>(group_.instance()) : access.sm) + "]";
}

/// Names the resource that the head of a bank waits for.
const char* L1Cache::resource_of(const Refused& refused) {
  if (refused.counted_to == kNever) return ".pipeline";
  switch (refused.cause) {
    case Refusal::queue_full:
      return ".miss_queue";
    case Refusal::no_way:
      return ".ways";
    case Refusal::bank_busy:
      return ".data_banks";
    case Refusal::peers_full:
      return ".peer_requests";
    case Refusal::replies_full:
      return ".fills";
    case Refusal::mshr_full:
    case Refusal::targets_full:
    case Refusal::pending_store:
      break;
  }
  return ".mshr";
}

void L1Cache::inspect(std::vector<Wait>& waits) const {
  const std::string path = group_.path();
  for (const Port& port : ports_) {
    for (unsigned bank = 0; bank < port.banks.size(); ++bank) {
      const RequestQueue& queue = port.banks[bank].queue;
      if (queue.empty()) continue;
      const Access& access = queue.front().access();
      waits.push_back({path + ".bank[" + std::to_string(bank) + "]", path + resource_of(port.banks[bank].refused), access.id,
                       access.line.byte_address(), access.issue_cycle});
    }
    if (!port.misses.empty()) {
      const Access& access = port.misses.front()->access();
      waits.push_back({path + ".miss_queue", nic_of(access) + ".request", access.id, access.line.byte_address(), access.issue_cycle});
    }
  }
  for (const auto& companion : companions_) companion->inspect(waits);
  logic_.mshrs().for_each([&](const MshrFile::Entry& entry) {
    if (entry.first == nullptr) return;
    const Access& access = entry.first->access;
    waits.push_back({path + ".mshr", nic_of(access) + ".reply", access.id, access.line.byte_address(), access.issue_cycle});
  });
}

}  // namespace wharf
