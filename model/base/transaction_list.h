#pragma once
// Transactions in order of arrival, linked by themselves: a queue without memory of its own.

#include <cstdint>

#include "model/base/access.h"

namespace wharf {

class TransactionList {
 public:
  bool empty() const { return first_ == nullptr; }
  std::uint32_t size() const { return size_; }
  /// The oldest, of a list that is not empty.
  Transaction& front() const { return *first_; }

  /// `transaction` is in no other list.
  void push_back(Transaction& transaction) {
    transaction.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &transaction;
    last_ = &transaction;
    ++size_;
  }
  /// Of a list that is not empty.
  Transaction& pop_front() {
    Transaction& oldest = *first_;
    first_ = oldest.next;
    --size_;
    return oldest;
  }
  /// Oldest first.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Transaction* transaction = first_; transaction != nullptr; transaction = transaction->next) visit(*transaction);
  }

 private:
  Transaction* first_ = nullptr;
  Transaction* last_ = nullptr;  // nobody's where the list is empty
  std::uint32_t size_ = 0;
};

}  // namespace wharf
