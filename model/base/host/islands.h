#pragma once
// Islands: the parts of a machine that host threads advance at the same time, one thread for each (RunOptions::threads).
//
// A block or port belongs to the island in whose Scope it was built; without one, to the mainland. In an edge in which a block of the
// mainland acts, one thread calls all blocks, as without islands. In any other edge, all islands act at the same time, and then the group
// `last()` acts alone. While islands act, a block calls only blocks of its own island; a message for anything else goes by mail, which is
// delivered, by the addressee's thread, when all islands have acted. Without islands such a call is made at once, perhaps before the
// addressee acts. The results are equal, because within an edge nothing depends on the order of blocks (CM-2).

#include <cstdint>
#include <functional>
#include <mutex>

#include "model/base/types.h"

namespace wharf {

struct Transaction;  // model/base/access.h

class Islands {
 public:
  static constexpr unsigned kMainland = 0;  // the islands are 1 to count()
  static constexpr unsigned kMost = 64;

  /// Receives calls that go by mail.
  class Addressee {
   public:
    virtual ~Addressee() = default;
    /// The call with `transaction` that arrives at time `at`, as of the edge in which it was sent.
    virtual void deliver(Transaction& transaction, Picoseconds at) = 0;
  };

  /// Everything that is built during the life of a scope belongs to island `island`; without islands, to the mainland.
  class Scope {
   public:
    explicit Scope(unsigned island) : before_(built_) { built_ = count_ == 0 ? kMainland : island; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { built_ = before_; }

   private:
    unsigned before_;
  };

  /// Prepares `threads` islands, 2 to kMost, for the machine that is built next. They end with the object.
  explicit Islands(unsigned threads);
  Islands(const Islands&) = delete;
  Islands& operator=(const Islands&) = delete;
  ~Islands();

  /// 0 without islands.
  static unsigned count() { return count_; }
  /// Blocks that act in one thread, after the islands.
  static unsigned last() { return count_ == 0 ? kMainland : count_ + 1; }
  /// Number of the parts: the mainland, the islands and the last.
  static unsigned parts() { return last() + 1; }
  /// The island of what is the `i`th of `n` equal parts.
  static unsigned of_part(unsigned i, unsigned n) { return 1 + i % n * count_ / n; }
  /// The island of what is being built.
  static unsigned built() { return built_; }
  /// The island whose thread calls; the mainland while no islands act.
  static unsigned here() { return here_; }
  /// True if a call for something on `island` must go by mail.
  static bool are_apart(unsigned island) { return here_ != kMainland && here_ != island; }
  /// Holds `mutex` if islands act.
  class Lock {
   public:
    explicit Lock(std::mutex& mutex) : lock_(mutex, std::defer_lock) {
      if (here_ != kMainland) lock_.lock();
    }

   private:
    std::unique_lock<std::mutex> lock_;
  };

  static void send(unsigned island, Addressee& to, Transaction& transaction, Picoseconds at);
  /// Throws OneThreadNeeded, with `why`, while islands act.
  static void require_mainland(const char* why);
  /// Calls `what` when the islands have acted; at once while they do not act.
  static void on_mainland(std::function<void()> what);

  /// Calls `act` with each island in its thread, and delivers all mail. Then rethrows the first exception of the lowest island.
  static void act(const std::function<void(unsigned island)>& act);
  /// Number of calls of act() so far.
  static std::uint64_t turns() { return turns_; }

 private:
  friend class IslandThreads;

  inline static unsigned count_ = 0;
  inline static unsigned built_ = kMainland;
  inline static std::uint64_t turns_ = 0;
  inline static thread_local unsigned here_ = kMainland;
};

}  // namespace wharf
