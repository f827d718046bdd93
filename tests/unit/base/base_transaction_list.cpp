// A queue of transactions linked through their own members.

#include "model/base/transaction_list.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace wharf;

namespace {

std::vector<std::uint64_t> ids(const TransactionList& list) {
  std::vector<std::uint64_t> ids;
  list.for_each([&](const Transaction& transaction) { ids.push_back(transaction.access.id); });
  return ids;
}

}  // namespace

TEST_CASE("transaction list: what was put in first comes out first, and what has come out can be put in again") {
  Transaction transactions[3];
  for (std::uint64_t i = 0; i < 3; ++i) transactions[i].access.id = i + 1;
  TransactionList list;
  CHECK(list.empty());
  list.push_back(transactions[0]);
  list.push_back(transactions[1]);
  CHECK(&list.front() == &transactions[0]);
  CHECK(&list.pop_front() == &transactions[0]);
  list.push_back(transactions[2]);
  list.push_back(transactions[0]);
  CHECK(list.size() == 3);
  CHECK(ids(list) == std::vector<std::uint64_t>{2, 3, 1});
}

TEST_CASE("transaction list: one that has been emptied begins anew") {
  Transaction transactions[2];
  transactions[1].access.id = 7;
  TransactionList list;
  list.push_back(transactions[0]);
  list.pop_front();
  CHECK(list.empty());
  CHECK(list.size() == 0);
  CHECK(ids(list).empty());
  list.push_back(transactions[1]);
  CHECK(ids(list) == std::vector<std::uint64_t>{7});
}

TEST_CASE("transaction circle: it gives up all that was put in, oldest first, and begins anew") {
  Transaction transactions[3];
  TransactionCircle circle;
  CHECK(circle.take_all() == nullptr);
  for (Transaction& transaction : transactions) circle.push_back(transaction);
  CHECK_FALSE(circle.empty());
  const Transaction* oldest = circle.take_all();
  CHECK(circle.empty());
  for (Transaction& transaction : transactions) {
    REQUIRE(oldest == &transaction);
    oldest = oldest->next;
  }
  CHECK(oldest == nullptr);
  circle.push_back(transactions[1]);
  CHECK(circle.take_all() == &transactions[1]);
  CHECK(transactions[1].next == nullptr);
}
