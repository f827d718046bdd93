#pragma once
// RAM of the host: offers DMI, honours byte enables and streaming width. The GPU's lanes compute on the same bytes.
//
// Pages that the GPU was given are shared: its caches may hold their lines, dirty ones too. A pointer would go past them, so none is given there
// and those that have been are taken back; accesses go the GPU's coherent way instead, and take longer. A page is the host's own again when
// no cache may hold a line of it.

#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "model/base/types.h"

namespace wharf::vp {

/// What the caches of the GPU have of RAM. Addresses count from its beginning.
class Coherence {
 public:
  virtual ~Coherence() = default;
  /// The GPU runs: what is read now depends on the time, so whoever asks must not be ahead of the kernel.
  virtual bool active() const = 0;
  /// Some cache may hold a line with one of these bytes, or get one.
  virtual bool holds(std::uint64_t begin, std::uint64_t bytes) const = 0;
  /// A debug access that sees what caches hold; the bytes it has moved, 0 where it cannot tell.
  virtual unsigned debug(tlm::tlm_generic_payload& transaction) = 0;
};

class Ram : public sc_core::sc_module {
 public:
  struct Latencies {
    sc_core::sc_time own;     // of an access that does not go by DMI,
    sc_core::sc_time shared;  // and of one that asks the caches of the GPU
  };
  /// `bytes`: whole pages; all 0. Throws InputError where the machine has not as much.
  Ram(sc_core::sc_module_name name, std::uint64_t bytes, const Latencies& latencies, Coherence& coherence);

  tlm_utils::simple_target_socket<Ram> socket{"socket"};

  std::byte* data() const { return memory_.get(); }
  std::uint64_t bytes() const { return bytes_; }

  /// The GPU is about to access these bytes.
  void share(std::uint64_t begin, std::uint64_t bytes);
  /// The GPU has done something: caches may hold other lines than before.
  void reconsider() { ++changes_; }

  static constexpr std::uint64_t kPage = 4096;

 private:
  struct Unmap {
    std::uint64_t bytes;
    void operator()(std::byte* memory) const;
  };
  void transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  bool direct(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi);
  unsigned debug(tlm::tlm_generic_payload& transaction);
  /// Moves the bytes that are enabled; false where some lie outside.
  bool copy(tlm::tlm_generic_payload& transaction);
  bool touches_shared(const tlm::tlm_generic_payload& transaction);
  /// The same by way of the GPU's caches where it touches a shared page.
  bool move(tlm::tlm_generic_payload& transaction, bool shared);
  bool move_through_caches(tlm::tlm_generic_payload& transaction);
  /// Whether the page is shared; it is no longer where no cache holds a line of it.
  bool is_shared(std::uint64_t page);

  const std::uint64_t bytes_;
  const Latencies latencies_;
  Coherence& coherence_;
  std::unique_ptr<std::byte, Unmap> memory_;
  std::uint64_t changes_ = 1;
  std::vector<std::uint64_t> shared_;  // [page] changes_ when it was last found shared; 0: it is the host's own
};

}  // namespace wharf::vp
