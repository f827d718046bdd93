// Miss status holding registers: entries, targets and the order in which waiters are served (CM-14).

#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "model/cache/mshr_file.h"

using namespace wharf;

namespace {

std::vector<std::uint64_t> waiting_keys(const MshrFile& file) {
  std::vector<std::uint64_t> keys;
  file.for_each([&](const MshrFile::Entry& entry) { keys.push_back(entry.key); });
  return keys;
}

}  // namespace

TEST_CASE("mshr file: it holds as many keys as it has entries and finds each of them") {
  MshrFile file(2, kUnlimited);
  CHECK(file.empty());
  const MshrFile::Index first = file.allocate(0), second = file.allocate(77);
  CHECK(file.full());
  CHECK_FALSE(file.empty());
  CHECK(file.find(0) == first);
  CHECK(file.find(77) == second);
  CHECK(first != second);
  CHECK(file.find(1) == MshrFile::kNone);
}

TEST_CASE("mshr file: a key is found whatever is guessed of its entry, and no other key is taken for it") {
  MshrFile file(40, kUnlimited);  // has several sets
  const MshrFile::Index first = file.allocate(0), second = file.allocate(77);
  for (const MshrFile::Index guess : {first, second, MshrFile::Index{31}, MshrFile::Index{65535}, MshrFile::kNone}) {
    CHECK(file.find_near(guess, 0) == first);
    CHECK(file.find_near(guess, 77) == second);
    CHECK(file.find_near(guess, 5) == MshrFile::kNone);
  }
  file.release(first);
  CHECK(file.find_near(first, 0) == MshrFile::kNone);
}

TEST_CASE("mshr file: a released entry is free for another key and forgets what it was") {
  MshrFile file(1, 1);
  Transaction waiter;
  const MshrFile::Index index = file.allocate(5);
  file.add(index, waiter);
  file[index].outstanding = 3;
  file[index].no_install = 1;
  file.remove_waiting(index, [](Transaction&) { return true; });
  file.release(index);
  CHECK(file.empty());
  CHECK(file.find(5) == MshrFile::kNone);
  const MshrFile::Index again = file.allocate(6);
  CHECK(file[again].targets == 0);
  CHECK(file[again].outstanding == 0);
  CHECK(file[again].no_install == 0);
  CHECK(file[again].first == nullptr);
}

TEST_CASE("mshr file: an entry takes as many accesses as it has targets, the primary one included") {
  MshrFile file(1, 2);
  std::array<Transaction, 2> waiters;
  const MshrFile::Index index = file.allocate(5);
  CHECK_FALSE(file.targets_full(index));
  file.add(index, waiters[0]);
  CHECK_FALSE(file.targets_full(index));
  file.add(index, waiters[1]);
  CHECK(file.targets_full(index));
}

TEST_CASE("mshr file: waiters are served in order of arrival, and those that are not served keep their order and their targets") {
  MshrFile file(1, kUnlimited);
  std::array<Transaction, 5> waiters;
  const MshrFile::Index index = file.allocate(9);
  for (unsigned i = 0; i < waiters.size(); ++i) {
    waiters[i].access.id = i;
    file.add(index, waiters[i]);
  }
  std::vector<std::uint64_t> served;
  const auto serve = [&](auto chosen) {
    served.clear();
    file.remove_waiting(index, [&](Transaction& waiter) {
      if (!chosen(waiter.access.id)) return false;
      served.push_back(waiter.access.id);
      waiter.next = &waiters[0];  // a server may link the waiter elsewhere
      return true;
    });
  };
  serve([](std::uint64_t id) { return id % 2 == 0; });
  CHECK(served == std::vector<std::uint64_t>{0, 2, 4});
  CHECK(file[index].targets == 2);
  serve([](std::uint64_t) { return true; });
  CHECK(served == std::vector<std::uint64_t>{1, 3});
  CHECK(file[index].first == nullptr);
}

TEST_CASE("mshr file: the access that has waited longest may stand in another list meanwhile") {
  MshrFile file(1, kUnlimited);
  std::array<Transaction, 3> waiters;
  Transaction elsewhere;
  const MshrFile::Index index = file.allocate(9);
  waiters[0].next = &elsewhere;
  for (Transaction& waiter : waiters) file.add(index, waiter);
  file.remove_waiting(index, [&](Transaction& waiter) { return &waiter == &waiters[1]; });
  CHECK(waiters[0].next == &elsewhere);
  std::vector<const Transaction*> served;
  file.remove_waiting(index, [&](Transaction& waiter) {
    served.push_back(&waiter);
    return true;
  });
  CHECK(served == std::vector<const Transaction*>{&waiters[0], &waiters[2]});
}

TEST_CASE("mshr file: what is released leaves the others where they are, with those that wait for them") {
  MshrFile file(8, kUnlimited);
  std::array<Transaction, 8> waiters;
  for (std::uint64_t round = 0; round < 50; ++round) {
    std::array<MshrFile::Index, 8> indices;
    for (std::uint64_t k = 0; k < 8; ++k) {
      indices[k] = file.allocate(round * 8 + k);
      file.add(indices[k], waiters[k]);
    }
    for (std::uint64_t gone = 0; gone < 8; ++gone) {
      const MshrFile::Index index = file.find(round * 8 + gone);
      file.remove_waiting(index, [](Transaction&) { return true; });
      file.release(index);
      CHECK(file.find(round * 8 + gone) == MshrFile::kNone);
      for (std::uint64_t k = gone + 1; k < 8; ++k) {
        CHECK(file.find(round * 8 + k) == indices[k]);
        CHECK(file[indices[k]].first == &waiters[k]);
      }
    }
    CHECK(file.empty());
  }
}

TEST_CASE("mshr file: it fills up whatever the keys are, and finds each where its set had no place left") {
  // With 33 to 1,024 entries there are several sets, and some of them exceed their share.
  for (const std::uint32_t entries : {31u, 32u, 33u, 48u, 64u, 1000u, 1024u}) {
    MshrFile file(entries, kUnlimited);
    for (std::uint64_t round = 0; round < 3; ++round) {
      const auto key = [round](std::uint64_t k) { return (round + k) << 20 * round; };
      for (std::uint64_t k = 0; k < entries; ++k) file.allocate(key(k));
      CHECK(file.full());
      unsigned found = 0;
      for (std::uint64_t k = 0; k < entries; ++k) {
        const MshrFile::Index index = file.find(key(k));
        found += index != MshrFile::kNone && file[index].key == key(k);
      }
      CHECK(found == entries);
      CHECK(file.find(key(entries)) == MshrFile::kNone);
      for (std::uint64_t k = 0; k < entries; ++k) file.release(file.find(key(k)));
      CHECK(file.empty());
      CHECK(waiting_keys(file).empty());
    }
  }
}

TEST_CASE("mshr file: an entry whose set had no place left is found, and no longer when it is released") {
  // 33 entries, 4 sets: keys of one set until it overflows. A key's place in an empty file shows its set.
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = 0; keys.size() < 33; ++key) {
    MshrFile empty(33, kUnlimited);
    if (empty.allocate(key) < 32) keys.push_back(key);
  }
  MshrFile file(33, kUnlimited);
  for (const std::uint64_t key : keys) file.allocate(key);
  const MshrFile::Index stray = file.find(keys.back());
  CHECK(stray >= 32);
  CHECK(file[stray].key == keys.back());
  file.release(file.find(keys.front()));
  CHECK(file.find(keys.back()) == stray);
  file.release(stray);
  CHECK(file.find(keys.back()) == MshrFile::kNone);
  CHECK(file.allocate(keys.back()) < 32);
  CHECK(file.find(keys.back()) < 32);
}

TEST_CASE("mshr file: the report visits the entries in use and no released one") {
  MshrFile file(3, kUnlimited);
  file.allocate(0);
  const MshrFile::Index gone = file.allocate(11);
  file.allocate(12);
  file.release(gone);
  CHECK(waiting_keys(file) == std::vector<std::uint64_t>{0, 12});
}
