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
  /// Appends a transaction that is ready in cycle `ready`, and sets this cycle in its header.
  void push_back(Transaction& transaction, Cycle ready) {
    transaction.message.ready = ready;
    push_back(transaction);
  }
  /// The cycle in which the oldest is ready; kNever if the list is empty.
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

/// A list that takes one word, for an owner with no room for more: a circle that is entered at its newest element.
class TransactionCircle {
 public:
  bool empty() const { return newest_ == nullptr; }
  /// `transaction` must be in no other list.
  void push_back(Transaction& transaction) {
    transaction.next = empty() ? &transaction : std::exchange(newest_->next, &transaction);
    newest_ = &transaction;
  }
  /// Empties the circle and returns its oldest transaction; null if it is empty. `next` leads from there to the newest and then is null.
  Transaction* take_all() {
    if (empty()) return nullptr;
    return std::exchange(std::exchange(newest_, nullptr)->next, nullptr);
  }

 private:
  Transaction* newest_ = nullptr;
};

}  // namespace wharf
