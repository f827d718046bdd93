#include "model/base/host/islands.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "model/base/access.h"
#include "model/base/error.h"

namespace wharf {

namespace {

struct Mail {
  Islands::Addressee* to;
  Transaction* transaction;
  Picoseconds at;
};

struct alignas(64) Post {
  std::vector<std::vector<Mail>> sent[2];  // [round % 2][island]
  bool has_sent[2] = {};                   // [round % 2]: to an island
  std::vector<std::function<void()>> for_mainland;
  std::exception_ptr error;
};
std::vector<Post> posts;  // [island]

thread_local unsigned present_round = 0;  // mail sent now is delivered in the next one

/// True if mail to an island was sent in round `round`.
bool is_mail(unsigned round) {
  return std::any_of(posts.begin(), posts.end(), [round](const Post& post) { return post.has_sent[round % 2]; });
}

/// Delivers the mail to `island` that was sent in round `round`, in order of the islands it comes from.
void deliver(unsigned island, unsigned round) {
  constexpr std::size_t kAhead = 2;  // another thread has written a transaction, so it is far away
  for (Post& from : posts) {
    std::vector<Mail>& mail = from.sent[round % 2][island];
    for (std::size_t i = 0; i < mail.size(); ++i) {
      if (i + kAhead < mail.size()) mail[i + kAhead].transaction->prefetch();
      mail[i].to->deliver(*mail[i].transaction, mail[i].at);
    }
    mail.clear();
  }
}

}  // namespace

/// The threads of all islands; that of the first is the caller's.
class IslandThreads {
 public:
  explicit IslandThreads(unsigned islands) : islands_(islands) {
    for (unsigned island = 2; island <= islands; ++island) threads_.emplace_back([this, island] { work(island); });
  }
  ~IslandThreads() {
    act_ = nullptr;
    start();
    for (std::thread& thread : threads_) thread.join();
  }

  void act(const std::function<void(unsigned island)>& act) {
    act_ = &act;
    start();
    turn(1);
  }

 private:
  /// Once per edge, in the thread of an island. Deliveries may send mail.
  void turn(unsigned island) {
    Islands::here_ = island;
    begin_round(island, 0);
    guard(island, [&] { (*act_)(island); });
    while (meet()) {
      begin_round(island, present_round + 1);
      guard(island, [&] { deliver(island, present_round - 1); });
    }
    Islands::here_ = Islands::kMainland;
  }
  static void begin_round(unsigned island, unsigned round) {
    present_round = round;
    posts[island].has_sent[round % 2] = false;
  }
  template <class What>
  static void guard(unsigned island, What what) {
    try {
      what();
    } catch (...) {
      if (posts[island].error == nullptr) posts[island].error = std::current_exception();
    }
  }
  /// Returns when all islands have called it: true if any has sent mail to another in this round.
  bool meet() {
    const std::uint64_t meeting = meetings_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == islands_) {
      arrived_.store(0, std::memory_order_relaxed);
      is_mail_ = is_mail(present_round);
      meetings_.store(meeting + 1, std::memory_order_release);
    } else {
      spin([&] { return meetings_.load(std::memory_order_acquire) != meeting; });
    }
    return is_mail_;
  }

  void work(unsigned island) {
    for (std::uint64_t turns = 0;; ++turns) {
      await(turns);
      if (act_ == nullptr) return;
      turn(island);
    }
  }
  void start() {
    turns_.fetch_add(1);
    if (sleepers_.load() == 0) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    wake_.notify_all();
  }
  /// Returns when another turn than `turns` has started.
  void await(std::uint64_t turns) {
    constexpr unsigned kPatience = 20'000;  // checks until the thread sleeps
    unsigned checks = 0;
    spin([&] { return turns_.load(std::memory_order_acquire) != turns || ++checks == kPatience; });
    if (checks < kPatience) return;
    std::unique_lock<std::mutex> lock(mutex_);
    ++sleepers_;
    wake_.wait(lock, [&] { return turns_.load() != turns; });
    --sleepers_;
  }

  /// Waits until `reached` is true: busily at first, because the islands act for a few microseconds. Then it leaves the processor to others;
  /// at once if the host has fewer processors than there are islands.
  template <class Reached>
  void spin(Reached reached) const {
    for (unsigned i = 0; !reached(); ++i) {
      if (i < busy_)
        pause();
      else
        std::this_thread::yield();
    }
  }
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  const unsigned islands_;
  const unsigned busy_ = std::thread::hardware_concurrency() >= islands_ ? 4000 : 0;
  const std::function<void(unsigned)>* act_ = nullptr;  // null: the threads end
  alignas(64) std::atomic<std::uint64_t> turns_{0};
  alignas(64) std::atomic<unsigned> arrived_{0};
  alignas(64) std::atomic<std::uint64_t> meetings_{0};
  bool is_mail_ = false;
  alignas(64) std::atomic<unsigned> sleepers_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::thread> threads_;
};

namespace {

std::unique_ptr<IslandThreads> threads_of_islands;

}  // namespace

Islands::Islands(unsigned threads) {
  count_ = threads;
  turns_ = 0;
  posts = std::vector<Post>(parts());
  for (Post& post : posts)
    for (auto& sent : post.sent) sent.resize(parts());
  threads_of_islands = std::make_unique<IslandThreads>(threads);
}

Islands::~Islands() {
  threads_of_islands.reset();
  posts.clear();
  count_ = 0;
}

void Islands::send(unsigned island, Addressee& to, Transaction& transaction, Picoseconds at) {
  Post& post = posts[here_];
  post.sent[present_round % 2][island].push_back({&to, &transaction, at});
  post.has_sent[present_round % 2] |= island != kMainland && island != last();
}

void Islands::require_mainland(const char* why) {
  if (here_ != kMainland) throw OneThreadNeeded(why);
}

void Islands::on_mainland(std::function<void()> what) {
  if (here_ == kMainland) return what();
  posts[here_].for_mainland.push_back(std::move(what));
}

void Islands::act(const std::function<void(unsigned island)>& act) {
  ++turns_;
  threads_of_islands->act(act);
  std::exception_ptr first;
  for (Post& post : posts)
    if (const std::exception_ptr error = std::exchange(post.error, nullptr); first == nullptr) first = error;
  if (first != nullptr) std::rethrow_exception(first);
  // Nothing goes by mail now.
  for (const unsigned part : {kMainland, last()})
    for (unsigned round = 0; round < 2; ++round) deliver(part, round);
  for (Post& post : posts) {
    for (const auto& what : post.for_mainland) what();
    post.for_mainland.clear();
  }
}

}  // namespace wharf
