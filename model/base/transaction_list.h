#pragma once
// Transactions in order of arrival, linked through their own `next`: a queue that allocates nothing.

#include <cstdint>
#include <utility>

#include "model/base/access.h"

namespace wharf {

class TransactionList {
 public:
  bool empty() const { return first_ == nullptr; }
  std::uint32_t size() const { return size_; }
  /// The oldest transaction. The list must not be empty.
  Transaction& front() const { return *first_; }

  /// `transaction` must be in no other list.
  void push_back(Transaction& transaction) {
    transaction.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &transaction;
    last_ = &transaction;
    ++size_;
  }
  /// The same for one that is ready in cycle `ready`, as its header says from now on.
  void push_back(Transaction& transaction, Cycle ready) {
    transaction.message.ready = ready;
    push_back(transaction);
  }
  /// The cycle in which the oldest is ready; kNever where there is none.
  Cycle next_ready() const { return empty() ? kNever : first_->message.ready; }
  /// Removes and returns the oldest transaction. The list must not be empty.
  Transaction& pop_front() {
    Transaction& oldest = *first_;
    first_ = oldest.next;
    --size_;
    return oldest;
  }
  /// Visits oldest first.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Transaction* transaction = first_; transaction != nullptr; transaction = transaction->next) visit(*transaction);
  }

 private:
  Transaction* first_ = nullptr;
  Transaction* last_ = nullptr;  // meaningless while the list is empty
  std::uint32_t size_ = 0;
};

/// The same in one word, for an owner that has room for no more: a circle that is entered at its newest.
class TransactionCircle {
 public:
  bool empty() const { return newest_ == nullptr; }
  /// `transaction` must be in no other list.
  void push_back(Transaction& transaction) {
    transaction.next = empty() ? &transaction : std::exchange(newest_->next, &transaction);
    newest_ = &transaction;
  }
  /// Empties the circle and returns its oldest transaction, from which `next` leads to the newest and ends; null where there is none.
  Transaction* take_all() {
    if (empty()) return nullptr;
    return std::exchange(std::exchange(newest_, nullptr)->next, nullptr);
  }

 private:
  Transaction* newest_ = nullptr;
};

}  // namespace wharf
