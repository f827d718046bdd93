#pragma once
// cuda::atomic, cuda::atomic_ref and cuda::atomic_thread_fence. Values have 1, 2, 4 or 8 bytes; those of 1 and 2 are parts of a word that is
// compared and swapped.

namespace wharf_atomics {

/// The operations on a value at `place`.
template <class Value, cuda::thread_scope scope>
class Place {
  static_assert(std::is_trivially_copyable<Value>::value, "the value of an atomic object must be trivially copyable");
  static_assert(sizeof(Value) == 1 || sizeof(Value) == 2 || sizeof(Value) == 4 || sizeof(Value) == 8,
                "atomic objects of 1, 2, 4 and 8 bytes are supported");
  using Word = typename WordOf<sizeof(Value)>::Word;
  static constexpr bool is_whole = sizeof(Value) >= 4, is_number = std::is_integral<Value>::value && !std::is_same<Value, bool>::value;

 public:
  __host__ __device__ explicit Place(Value* place)
      : word_(reinterpret_cast<Word*>(reinterpret_cast<size_t>(place) & ~(sizeof(Word) - 1))),
        shift_(static_cast<unsigned>(reinterpret_cast<size_t>(place) % sizeof(Word)) * 8) {}

  __host__ __device__ Value load(int order) const {
    if (order == __ATOMIC_SEQ_CST) fence<scope>(order);
    const Value value = of_word(wharf_atomics::load(word_));
    if (acquires(order)) fence<scope>(order);
    return value;
  }
  __host__ __device__ void store(Value value, int order) {
    if (releases(order)) fence<scope>(order);
    if constexpr (is_whole)
      wharf_atomics::store(word_, with(0, value));
    else
      change([value](Value) { return value; });
    if (order == __ATOMIC_SEQ_CST) fence<scope>(order);
  }
  __host__ __device__ Value exchange(Value value, int order) {
    return ordered(order, [&] {
      if constexpr (is_whole)
        return of_word(wharf_atomics::exchange<scope>(word_, with(0, value)));
      else
        return change([value](Value) { return value; });
    });
  }
  __host__ __device__ bool compare_exchange(Value& expected, Value desired, int order) {
    return ordered(order, [&] {
      for (Word before = is_whole ? with(0, expected) : wharf_atomics::load(word_);;) {
        if (!same(of_word(before), expected)) {
          expected = of_word(before);
          return false;
        }
        const Word found = compare_and_swap<scope>(word_, before, with(before, desired));
        if (found == before) return true;
        before = found;
      }
    });
  }
  __host__ __device__ Value fetch_add(Value value, int order) {
    return ordered(order, [&] {
      if constexpr (is_whole && is_number)
        return of_word(wharf_atomics::fetch_add<scope>(word_, with(0, value)));
#if defined(__CUDA_ARCH__)
      else if constexpr (std::is_floating_point<Value>::value)
        return wharf_atomics::fetch_add<scope>(reinterpret_cast<Value*>(word_), value);
#endif
      else
        return change([value](Value before) { return static_cast<Value>(before + value); });
    });
  }
  __host__ __device__ Value fetch_and(Value value, int order) {
    return bitwise(
        value, order, [](auto* word, auto bits) { return wharf_atomics::fetch_and<scope>(word, bits); },
        [](Value a, Value b) { return static_cast<Value>(a & b); });
  }
  __host__ __device__ Value fetch_or(Value value, int order) {
    return bitwise(
        value, order, [](auto* word, auto bits) { return wharf_atomics::fetch_or<scope>(word, bits); },
        [](Value a, Value b) { return static_cast<Value>(a | b); });
  }
  __host__ __device__ Value fetch_xor(Value value, int order) {
    return bitwise(
        value, order, [](auto* word, auto bits) { return wharf_atomics::fetch_xor<scope>(word, bits); },
        [](Value a, Value b) { return static_cast<Value>(a ^ b); });
  }
  template <class Function>
  __host__ __device__ Value fetch(Function function, int order) {
    return ordered(order, [&] { return change(function); });
  }

 private:
  template <class Operation>
  __host__ __device__ static auto ordered(int order, Operation operation) {
    if (releases(order)) fence<scope>(order);
    const auto result = operation();
    if (acquires(order)) fence<scope>(order);
    return result;
  }
  template <class OfWord, class OfValue>
  __host__ __device__ Value bitwise(Value value, int order, OfWord of_words, OfValue of_values) {
    return ordered(order, [&] {
      if constexpr (is_whole)
        return of_word(of_words(word_, with(0, value)));
      else
        return change([=](Value before) { return of_values(before, value); });
    });
  }
  /// Replaces the value by function(value), and returns it.
  template <class Function>
  __host__ __device__ Value change(Function function) {
    for (Word before = wharf_atomics::load(word_);;) {
      const Word found = compare_and_swap<scope>(word_, before, with(before, function(of_word(before))));
      if (found == before) return of_word(before);
      before = found;
    }
  }
  /// The word with the value in its place.
  __host__ __device__ Word with(Word word, Value value) const {
    Word bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    if constexpr (is_whole) return bits;
    const Word mask = ((Word{1} << (8 * sizeof(Value) % (8 * sizeof(Word)))) - 1) << shift_;
    return (word & ~mask) | (bits << shift_);
  }
  __host__ __device__ Value of_word(Word word) const {
    Value value;
    if constexpr (!is_whole) word >>= shift_;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
  }
  __host__ __device__ bool same(Value a, Value b) const { return with(0, a) == with(0, b); }

  Word* word_;
  unsigned shift_;  // of the value in the word, in bits
};

}  // namespace wharf_atomics

namespace cuda {

enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};

inline __host__ __device__ void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (scope == thread_scope_system) wharf_atomics::fence<thread_scope_system>(order);
  if (scope == thread_scope_device) wharf_atomics::fence<thread_scope_device>(order);
  if (scope == thread_scope_block) wharf_atomics::fence<thread_scope_block>(order);
}

/// A value that others may change at the same time.
template <class Value, thread_scope scope = thread_scope_system>
class atomic_ref {
  using Place = wharf_atomics::Place<Value, scope>;

 public:
  using value_type = Value;
  static constexpr size_t required_alignment = sizeof(Value);
  static constexpr bool is_always_lock_free = true;

  __host__ __device__ explicit atomic_ref(Value& value) : value_(&value) {}
  __host__ __device__ bool is_lock_free() const { return true; }
  __host__ __device__ Value operator=(Value value) const {
    store(value);
    return value;
  }
  __host__ __device__ operator Value() const { return load(); }
  __host__ __device__ Value load(memory_order order = memory_order_seq_cst) const { return Place(value_).load(order); }
  __host__ __device__ void store(Value value, memory_order order = memory_order_seq_cst) const { Place(value_).store(value, order); }
  __host__ __device__ Value exchange(Value value, memory_order order = memory_order_seq_cst) const {
    return Place(value_).exchange(value, order);
  }
  __host__ __device__ bool compare_exchange_strong(Value& expected, Value desired, memory_order order = memory_order_seq_cst) const {
    return Place(value_).compare_exchange(expected, desired, order);
  }
  __host__ __device__ bool compare_exchange_strong(Value& expected, Value desired, memory_order order, memory_order) const {
    return Place(value_).compare_exchange(expected, desired, order);
  }
  __host__ __device__ bool compare_exchange_weak(Value& expected, Value desired, memory_order order = memory_order_seq_cst) const {
    return Place(value_).compare_exchange(expected, desired, order);
  }
  __host__ __device__ bool compare_exchange_weak(Value& expected, Value desired, memory_order order, memory_order) const {
    return Place(value_).compare_exchange(expected, desired, order);
  }
  __host__ __device__ Value fetch_add(Value value, memory_order order = memory_order_seq_cst) const {
    return Place(value_).fetch_add(value, order);
  }
  __host__ __device__ Value fetch_sub(Value value, memory_order order = memory_order_seq_cst) const {
    return Place(value_).fetch_add(static_cast<Value>(-value), order);
  }
  __host__ __device__ Value fetch_and(Value value, memory_order order = memory_order_seq_cst) const {
    return Place(value_).fetch_and(value, order);
  }
  __host__ __device__ Value fetch_or(Value value, memory_order order = memory_order_seq_cst) const {
    return Place(value_).fetch_or(value, order);
  }
  __host__ __device__ Value fetch_xor(Value value, memory_order order = memory_order_seq_cst) const {
    return Place(value_).fetch_xor(value, order);
  }
  __host__ __device__ Value fetch_min(Value value, memory_order order = memory_order_seq_cst) const {
    return Place(value_).fetch([value](Value before) { return value < before ? value : before; }, order);
  }
  __host__ __device__ Value fetch_max(Value value, memory_order order = memory_order_seq_cst) const {
    return Place(value_).fetch([value](Value before) { return before < value ? value : before; }, order);
  }
  __host__ __device__ Value operator++() const { return fetch_add(1) + 1; }
  __host__ __device__ Value operator++(int) const { return fetch_add(1); }
  __host__ __device__ Value operator--() const { return fetch_sub(1) - 1; }
  __host__ __device__ Value operator--(int) const { return fetch_sub(1); }
  __host__ __device__ Value operator+=(Value value) const { return fetch_add(value) + value; }
  __host__ __device__ Value operator-=(Value value) const { return fetch_sub(value) - value; }
  __host__ __device__ Value operator&=(Value value) const { return fetch_and(value) & value; }
  __host__ __device__ Value operator|=(Value value) const { return fetch_or(value) | value; }
  __host__ __device__ Value operator^=(Value value) const { return fetch_xor(value) ^ value; }
  /// Returns when the value is another one.
  __host__ __device__ void wait(Value old, memory_order order = memory_order_seq_cst) const {
    while (load(order) == old) {
    }
  }
  __host__ __device__ void notify_one() const {}
  __host__ __device__ void notify_all() const {}

 private:
  Value* value_;
};

/// An object with the value, which has at least a word to itself.
template <class Value, thread_scope scope = thread_scope_system>
class atomic {
 public:
  using value_type = Value;
  static constexpr bool is_always_lock_free = true;

  atomic() = default;
  __host__ __device__ constexpr atomic(Value value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  __host__ __device__ bool is_lock_free() const { return true; }
  __host__ __device__ Value operator=(Value value) { return ref() = value; }
  __host__ __device__ operator Value() const { return ref(); }
  __host__ __device__ Value load(memory_order order = memory_order_seq_cst) const { return ref().load(order); }
  __host__ __device__ void store(Value value, memory_order order = memory_order_seq_cst) { ref().store(value, order); }
  __host__ __device__ Value exchange(Value value, memory_order order = memory_order_seq_cst) { return ref().exchange(value, order); }
  template <class... Orders>
  __host__ __device__ bool compare_exchange_strong(Value& expected, Value desired, Orders... orders) {
    return ref().compare_exchange_strong(expected, desired, orders...);
  }
  template <class... Orders>
  __host__ __device__ bool compare_exchange_weak(Value& expected, Value desired, Orders... orders) {
    return ref().compare_exchange_weak(expected, desired, orders...);
  }
  __host__ __device__ Value fetch_add(Value value, memory_order order = memory_order_seq_cst) { return ref().fetch_add(value, order); }
  __host__ __device__ Value fetch_sub(Value value, memory_order order = memory_order_seq_cst) { return ref().fetch_sub(value, order); }
  __host__ __device__ Value fetch_and(Value value, memory_order order = memory_order_seq_cst) { return ref().fetch_and(value, order); }
  __host__ __device__ Value fetch_or(Value value, memory_order order = memory_order_seq_cst) { return ref().fetch_or(value, order); }
  __host__ __device__ Value fetch_xor(Value value, memory_order order = memory_order_seq_cst) { return ref().fetch_xor(value, order); }
  __host__ __device__ Value fetch_min(Value value, memory_order order = memory_order_seq_cst) { return ref().fetch_min(value, order); }
  __host__ __device__ Value fetch_max(Value value, memory_order order = memory_order_seq_cst) { return ref().fetch_max(value, order); }
  __host__ __device__ Value operator++() { return ++ref(); }
  __host__ __device__ Value operator++(int) { return ref()++; }
  __host__ __device__ Value operator--() { return --ref(); }
  __host__ __device__ Value operator--(int) { return ref()--; }
  __host__ __device__ Value operator+=(Value value) { return ref() += value; }
  __host__ __device__ Value operator-=(Value value) { return ref() -= value; }
  __host__ __device__ Value operator&=(Value value) { return ref() &= value; }
  __host__ __device__ Value operator|=(Value value) { return ref() |= value; }
  __host__ __device__ Value operator^=(Value value) { return ref() ^= value; }
  __host__ __device__ void wait(Value old, memory_order order = memory_order_seq_cst) const { ref().wait(old, order); }
  __host__ __device__ void notify_one() {}
  __host__ __device__ void notify_all() {}

 private:
  __host__ __device__ atomic_ref<Value, scope> ref() const { return atomic_ref<Value, scope>(const_cast<Value&>(value_)); }

  alignas(sizeof(Value) < 4 ? 4 : sizeof(Value)) Value value_;
};

namespace std {

template <class Value>
using atomic = cuda::atomic<Value, thread_scope_system>;
template <class Value>
using atomic_ref = cuda::atomic_ref<Value, thread_scope_system>;
using cuda::memory_order;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_consume;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;

}  // namespace std
}  // namespace cuda
