// Islands: who acts, in which order mail arrives, and what is left for the mainland.

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "model/base/access.h"
#include "model/base/host/islands.h"

namespace wharf {
namespace {

/// Logs the mail that it gets, and may answer it.
class Box final : public Islands::Addressee {
 public:
  void deliver(Transaction&, Picoseconds at) override {
    got.push_back(at);
    threads.push_back(Islands::here());
    if (answer != nullptr) Islands::send(answer_to, *answer, transaction, at + 1000);
  }
  std::vector<Picoseconds> got;
  std::vector<unsigned> threads;  // the island that called
  Box* answer = nullptr;
  unsigned answer_to = 0;
  Transaction transaction;
};

TEST_CASE("islands: without threads, everything is built on the mainland and nothing goes by mail") {
  const Islands::Scope scope(3);
  CHECK(Islands::count() == 0);
  CHECK(Islands::parts() == 1);
  CHECK(Islands::built() == Islands::kMainland);
  CHECK_FALSE(Islands::are_apart(3));
  bool called = false;
  Islands::on_mainland([&] { called = true; });
  CHECK(called);
}

TEST_CASE("islands: what is built belongs to the innermost scope") {
  const Islands islands(3);
  CHECK(Islands::parts() == 5);
  CHECK(Islands::last() == 4);
  CHECK(Islands::built() == Islands::kMainland);
  {
    const Islands::Scope outer(1);
    {
      const Islands::Scope inner(Islands::last());
      CHECK(Islands::built() == 4);
    }
    CHECK(Islands::built() == 1);
  }
  CHECK(Islands::built() == Islands::kMainland);
}

TEST_CASE("islands: parts are spread over the islands in order and evenly") {
  const Islands islands(3);
  std::vector<unsigned> of;
  for (unsigned i = 0; i < 6; ++i) of.push_back(Islands::of_part(i, 6));
  CHECK(of == std::vector<unsigned>{1, 1, 2, 2, 3, 3});
  CHECK(Islands::of_part(0, 2) == 1);
  CHECK(Islands::of_part(1, 2) == 2);
}

TEST_CASE("islands: each acts once in a thread of its own, and act() returns after all of them") {
  const Islands islands(3);
  std::array<std::atomic<unsigned>, 4> calls{};
  std::array<std::thread::id, 4> ids;
  std::array<unsigned, 4> here{};
  for (unsigned turn = 1; turn <= 100; ++turn) {
    Islands::act([&](unsigned island) {
      here[island] = Islands::here();
      ++calls[island];
      ids[island] = std::this_thread::get_id();
    });
    CHECK(Islands::here() == Islands::kMainland);
    for (unsigned island = 1; island <= 3; ++island) REQUIRE(calls[island] == turn);
  }
  CHECK(Islands::turns() == 100);
  CHECK(here == std::array<unsigned, 4>{0, 1, 2, 3});
  CHECK(ids[1] == std::this_thread::get_id());
  CHECK(ids[2] != ids[1]);
  CHECK(ids[3] != ids[1]);
  CHECK(ids[2] != ids[3]);
}

TEST_CASE("islands: mail arrives after all have acted, in the addressee's thread, in order of its senders") {
  const Islands islands(3);
  Box box;
  std::array<bool, 4> apart{};
  for (unsigned turn = 0; turn < 20; ++turn) {
    box.got.clear();
    box.threads.clear();
    Islands::act([&](unsigned island) {
      apart[island] = Islands::are_apart(2);
      if (island == 2) return;
      for (unsigned i = 0; i < 3; ++i) Islands::send(2, box, box.transaction, 10 * island + i);
    });
    CHECK(box.got == std::vector<Picoseconds>{10, 11, 12, 30, 31, 32});
    CHECK(box.threads == std::vector<unsigned>(6, 2));
    CHECK(apart == std::array<bool, 4>{false, true, false, true});
  }
}

TEST_CASE("islands: answers to mail, and answers to them, arrive before act() returns") {
  const Islands islands(2);
  Box first, second, third, mainland;
  first.answer = &second;  // on island 2, which answers to 1, which answers to 2
  first.answer_to = 1;
  second.answer = &third;
  second.answer_to = 2;
  third.answer = &mainland;
  third.answer_to = Islands::kMainland;
  Islands::act([&](unsigned island) {
    if (island == 1) Islands::send(2, first, first.transaction, 1);
  });
  CHECK(first.got == std::vector<Picoseconds>{1});
  CHECK(second.got == std::vector<Picoseconds>{1001});
  CHECK(second.threads == std::vector<unsigned>{1});
  CHECK(third.got == std::vector<Picoseconds>{2001});
  CHECK(third.threads == std::vector<unsigned>{2});
  CHECK(mainland.got == std::vector<Picoseconds>{3001});
  CHECK(mainland.threads == std::vector<unsigned>{Islands::kMainland});
}

TEST_CASE("islands: what is for the mainland is called there, in order of the islands, after the mail") {
  const Islands islands(3);
  Box box;
  std::vector<unsigned> order;
  Islands::act([&](unsigned island) {
    Islands::on_mainland([&, island] {
      CHECK(box.got.size() == 1);
      order.push_back(island);
    });
    if (island == 3) Islands::send(1, box, box.transaction, 0);
  });
  CHECK(order == std::vector<unsigned>{1, 2, 3});
}

TEST_CASE("islands: the exception of the lowest island is rethrown, and the others go on") {
  const Islands islands(3);
  unsigned third = 0;
  const auto act = [&](unsigned island) {
    if (island == 3) ++third;
    if (island != 3) throw std::runtime_error("island " + std::to_string(island));
  };
  CHECK_THROWS_WITH(Islands::act(act), "island 1");
  CHECK(third == 1);
  Islands::act([&](unsigned island) { third += island == 3; });
  CHECK(third == 2);
}

TEST_CASE("islands: threads that sleep, because nothing acted for long, wake up") {
  const Islands islands(2);
  std::atomic<unsigned> calls{0};
  for (unsigned turn = 1; turn <= 3; ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    Islands::act([&](unsigned) { ++calls; });
    CHECK(calls == 2 * turn);
  }
}

}  // namespace
}  // namespace wharf
