// The contract of every DRAM scheduler in the catalogue.

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "model/base/error.h"
#include "policies/dram_scheduler/dram_scheduler.h"

using namespace wharf;

namespace {

constexpr unsigned kSlots = 64;

/// The queue of one bank, as the controller shows it.
class BankQueue {
 public:
  BankQueue() = default;
  BankQueue(const BankQueue&) = delete;
  BankQueue& operator=(const BankQueue&) = delete;

  void accept(bool row_hit) {
    const unsigned slot = static_cast<unsigned>(__builtin_ctzll(~occupied_));
    if (chain_.empty())
      view.first = slot;
    else
      next_[chain_.back()] = static_cast<std::uint8_t>(slot);
    chain_.push_back(slot);
    occupied_ |= bit(slot);
    view.candidates = occupied_;
    if (row_hit) view.row_hits |= bit(slot);
    arrival_[slot] = view.arrivals++;
  }
  void serve(unsigned slot) {
    chain_.erase(std::find(chain_.begin(), chain_.end(), slot));
    occupied_ &= ~bit(slot);
    view.candidates &= occupied_;
    view.row_hits &= ~bit(slot);
    for (std::size_t i = 0; i + 1 < chain_.size(); ++i) next_[chain_[i]] = static_cast<std::uint8_t>(chain_[i + 1]);
    if (!chain_.empty()) view.first = chain_.front();
  }
  static std::uint64_t bit(unsigned slot) { return std::uint64_t{1} << slot; }
  std::size_t size() const { return chain_.size(); }
  std::uint64_t occupied() const { return occupied_; }
  std::uint64_t arrival(unsigned slot) const { return arrival_[slot]; }
  unsigned oldest() const { return chain_.front(); }

 private:
  std::uint64_t occupied_ = 0;
  std::vector<unsigned> chain_;
  std::array<std::uint64_t, kSlots> arrival_{};
  std::array<std::uint8_t, kSlots> next_{};

 public:
  DramBankView view{0, 0, 0, arrival_.data(), next_.data(), 0};
};

}  // namespace

TEST_CASE("dram_scheduler contract: only candidates are chosen", "[dram]") {
  for (const auto& [name, help, arguments] : dram_scheduler_catalogue_names()) {
    for (const std::uint32_t age_cap : {1u, 20u, kUnlimited}) {
      INFO(name << " with age_cap " << age_cap);
      const auto scheduler = make_dram_scheduler(name, {age_cap});
      std::mt19937_64 random(1);
      BankQueue queue;
      for (unsigned step = 0; step < 20000; ++step) {
        if (queue.size() < kSlots && (queue.size() == 0 || random() % 2 == 0)) queue.accept(random() % 3 == 0);
        queue.view.candidates = queue.occupied() & random();  // some have to wait
        if (queue.view.candidates == 0) queue.view.candidates = queue.occupied();
        const unsigned slot = scheduler->choose(queue.view);
        REQUIRE(slot < kSlots);
        REQUIRE((queue.view.candidates & BankQueue::bit(slot)) != 0);
        queue.serve(slot);
      }
    }
  }
}

TEST_CASE("dram_scheduler contract: no request is overtaken by more than age_cap later ones", "[dram]") {
  for (const auto& [name, help, arguments] : dram_scheduler_catalogue_names()) {
    for (const std::uint32_t age_cap : {1u, 5u, 64u}) {
      INFO(name << " with age_cap " << age_cap);
      const auto scheduler = make_dram_scheduler(name, {age_cap});
      std::mt19937_64 random(3);
      BankQueue queue;
      std::array<std::uint32_t, kSlots> overtaken{};
      for (unsigned step = 0; step < 20000; ++step) {  // nearly all are row hits, without a pause
        while (queue.size() < kSlots && (queue.size() == 0 || random() % 2 == 0)) queue.accept(random() % 16 != 0);
        const unsigned served = scheduler->choose(queue.view);
        for (unsigned slot = 0; slot < kSlots; ++slot) {
          const bool waits = slot != served && (queue.occupied() & BankQueue::bit(slot)) != 0;
          if (waits && queue.arrival(slot) < queue.arrival(served)) REQUIRE(++overtaken[slot] <= age_cap);
        }
        overtaken[served] = 0;
        queue.serve(served);
      }
    }
  }
}

TEST_CASE("dram_scheduler contract: whatever the cap every request of a finite stream is served", "[dram]") {
  for (const auto& [name, help, arguments] : dram_scheduler_catalogue_names()) {
    INFO(name);
    const auto scheduler = make_dram_scheduler(name, {});
    BankQueue queue;
    for (unsigned i = 0; i < kSlots; ++i) queue.accept(i % 3 == 1);
    std::vector<bool> served(kSlots, false);
    for (unsigned i = 0; i < kSlots; ++i) {
      const unsigned slot = scheduler->choose(queue.view);
      REQUIRE_FALSE(served[queue.arrival(slot)]);
      served[queue.arrival(slot)] = true;
      queue.serve(slot);
    }
    CHECK(queue.size() == 0);
  }
}

TEST_CASE("dram_scheduler contract: among equals the oldest is chosen", "[dram]") {
  for (const auto& [name, help, arguments] : dram_scheduler_catalogue_names()) {
    for (const bool row_hit : {false, true}) {
      INFO(name << " row_hit " << row_hit);
      const auto scheduler = make_dram_scheduler(name, {});
      BankQueue queue;
      for (unsigned i = 0; i < 40; ++i) queue.accept(row_hit);
      queue.serve(queue.oldest());
      queue.accept(row_hit);  // reuses the lowest slot: a slot's number does not give its age
      for (unsigned expected = 1; expected <= 40; ++expected) {
        const unsigned slot = scheduler->choose(queue.view);
        REQUIRE(queue.arrival(slot) == expected);
        queue.serve(slot);
      }
    }
  }
}

TEST_CASE("dram_scheduler contract: the answer depends on the view alone", "[dram]") {
  for (const auto& [name, help, arguments] : dram_scheduler_catalogue_names()) {
    INFO(name);
    const auto used = make_dram_scheduler(name, {7}), fresh = make_dram_scheduler(name, {7});
    std::mt19937_64 random(2);
    BankQueue queue;
    for (unsigned step = 0; step < 2000; ++step) {
      if (queue.size() < kSlots && (queue.size() == 0 || random() % 2 == 0)) queue.accept(random() % 3 == 0);
      const unsigned slot = used->choose(queue.view);
      REQUIRE(used->choose(queue.view) == slot);
      if (step % 100 == 0) REQUIRE(fresh->choose(queue.view) == slot);
      queue.serve(slot);
    }
  }
}

TEST_CASE("dram_scheduler catalogue: names are unique and explained, an unknown one is refused", "[dram]") {
  const auto names = dram_scheduler_catalogue_names();
  REQUIRE(names.size() >= 2);
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK_FALSE(names[i].help.empty());
    CHECK(make_dram_scheduler(names[i].name, {}) != nullptr);
    for (std::size_t j = 0; j < i; ++j) CHECK(names[i].name != names[j].name);
  }
  CHECK_THROWS_AS(make_dram_scheduler("", {}), InputError);
}
