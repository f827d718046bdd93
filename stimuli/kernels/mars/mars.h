#pragma once
// Mars, a MapReduce framework (workloads section 6.0): the common part of its jobs. Threads emit records, whose keys and values have any
// number of bytes, in two passes. The first only counts. Prefix sums of the counts tell each thread where to write in the second. A bitonic
// network sorts the records' index by key, and equal keys become groups.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "stimuli/kernels/radix_sort.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd::mars {

using Byte = std::uint8_t;
using Word = std::int32_t;

inline constexpr int kThreads = 256, kStageWords = 5, kStageBytes = 4 * kStageWords;  // per CTA; words of shared memory per thread

/// The place of a record's key and value. Records that pad a sort have negative offsets.
struct Record {
  Word key_offset, key_size, value_offset, value_size;
};
/// Number of bytes of keys and of values.
struct Bytes {
  Word keys, values;
};
/// A text as a key: compared by its hash first.
struct HashedKey {
  std::int64_t base;
  Word offset, hash;
};
/// An input record that is a part of a text.
struct Block {
  std::int64_t base;
  Word begin, size;
};

/// The records that the threads of a launch emit.
struct Emission {
  Array<Word> key_bytes, value_bytes, count;  // [thread]; after the prefix sums, those of the earlier threads; one more at the end
  Array<Bytes> written;                       // [thread] so far
  Array<Word> current;                        // [thread] records so far
  Array<Byte> keys, values;
  Array<Record> index;
};

/// The records of a job on the host, in the order of the threads.
struct Records {
  std::vector<Byte> keys, values;
  std::vector<Record> index;

  void emit(const void* key, std::size_t key_size, const void* value, std::size_t value_size);
};

/// Compares the keys of two records: negative, 0 or positive.
struct Order {
  std::function<Lanes<int>(Warp&, const Lanes<Record>&, const Lanes<Record>&)> on_gpu;
  std::function<int(const Record&, const Record&)> on_host;
};

/// Element of an array of T at which a record's key or value starts.
template <class T>
Lanes<int> key_place(const Lanes<Record>& record) {
  return lanewise([](Record r) { return r.key_offset / int(sizeof(T)); }, record);
}
template <class T>
Lanes<int> value_place(const Lanes<Record>& record) {
  return lanewise([](Record r) { return r.value_offset / int(sizeof(T)); }, record);
}

/// The framework's instructions have pcs of their own, whichever file the job is in.
constexpr Site here(std::uint32_t line = __builtin_LINE()) { return {10000 + line}; }

/// Counting pass: the thread will emit a record.
void count_record(Warp& w, const Emission& out, const Lanes<int>& thread, const Lanes<int>& key_size, const Lanes<int>& value_size);
/// Writing pass, before the first record: loads the place of the thread's first record.
void begin_records(Warp& w, const Emission& out, const Lanes<int>& thread);

/// Four words of a thread's shared memory, which buffer data before they are copied out byte by byte.
class Stage {
 public:
  explicit Stage(Warp& w)
      : w_(w), words_(w.shared<Word>(0, kThreads * kStageWords)), bytes_(w.shared<Byte>(0, kThreads * kStageBytes)), t_(w.thread_x()) {}
  void put(int word, const Lanes<Word>& value, Site site = Site()) { w_.store(words_, t_ * kStageWords + word, value, site); }
  /// Stores a HashedKey in words 0 to 3.
  void put_key(const Lanes<Word>& offset, const Lanes<Word>& hash) {
    put(0, 0, here());
    put(1, 0, here());
    put(2, offset, here());
    put(3, hash, here());
  }
  Lanes<Byte> byte(int word, const Lanes<int>& k, Site site = Site()) { return w_.load(bytes_, t_ * kStageBytes + 4 * word + k, site); }

 private:
  Warp& w_;
  SharedArray<Word> words_;
  SharedArray<Byte> bytes_;
  Lanes<int> t_;
};

/// Writing pass: stores a record. The two functions load its bytes.
template <class KeyByte, class ValueByte>
void emit(Warp& w, const Emission& out, const Lanes<int>& thread, const Lanes<int>& key_size, const Lanes<int>& value_size,
          KeyByte key_byte, ValueByte value_byte) {
  w.barrier(here());
  const auto written = w.load(out.written, thread, here());
  const auto first_key = w.load(out.key_bytes, thread, here());
  const auto first_value = w.load(out.value_bytes, thread, here());
  const auto key_to = w.compute(2, lanewise([](Word first, Bytes b) { return first + b.keys; }, first_key, written), here());
  const auto value_to = w.compute(2, lanewise([](Word first, Bytes b) { return first + b.values; }, first_value, written), here());
  const auto copy_key = [&](const Lanes<int>& k) {
    const auto byte = key_byte(k);
    w.store(out.keys, key_to + k, byte, here());
    w.alu(4, here());
  };
  const auto copy_value = [&](const Lanes<int>& k) {
    const auto byte = value_byte(k);
    w.store(out.values, value_to + k, byte, here());
    w.alu(4, here());
  };
  w.for_lanes(0, key_size, copy_key, here());
  w.for_lanes(0, value_size, copy_value, here());
  const auto add = [](Bytes b, int keys, int values) { return Bytes{b.keys + keys, b.values + values}; };
  const auto more = w.compute(2, lanewise(add, written, key_size, value_size), here());
  w.store(out.written, thread, more, here());
  const auto current = w.load(out.current, thread, here());
  const auto first = w.load(out.count, thread, here());
  const auto at = w.compute(1, first + current, here());
  auto record = w.load(out.index, at, here());
  const auto follow = [&] {
    const auto before = w.load(out.index, at - 1, here());
    const auto behind = [](Record last, Record own) {
      return Record{last.key_offset + last.key_size, own.key_size, last.value_offset + last.value_size, own.value_size};
    };
    w.update(record, 2, lanewise(behind, before, record), here());
  };
  w.where(current > 0, follow, here());
  const auto sized = [](Record r, int keys, int values) { return Record{r.key_offset, keys, r.value_offset, values}; };
  w.store(out.index, at, lanewise(sized, record, key_size, value_size), here());
  w.store(out.current, thread, current + 1, here());
}

/// Device and host sides of an order by HashedKey. The texts end with a zero.
Order hashed_order(const Array<Byte>& keys, const std::vector<Byte>& host_keys, const Array<Byte>& text,
                   const std::vector<Byte>& host_text);
/// The hash extended by the next character.
constexpr Word hashed(Word hash, Byte character) { return static_cast<Word>(static_cast<std::uint32_t>(hash) * 31u + character); }

/// One step of a bitonic network: compares element i with element i ^ distance, ascending where i & size is 0.
struct SortStep {
  int size, distance;
};
/// The steps for `padded` elements, a power of two, by launch. In shared memory, a launch does all consecutive steps within chunks of 256
/// elements. `most` limits the launches; 0 means all.
std::vector<std::vector<SortStep>> sort_launches(int padded, bool in_shared, int most);

/// Sorted records as groups of equal keys.
struct Groups {
  Array<Word> key_bytes, value_bytes;  // [record] where it is copied to
  Array<Byte> keys, values;            // in sorted order
  Array<Word> number;                  // [record] number of groups that begin before it; one more at the end
};

/// Options of a job's sort.
struct SortOptions {
  int launches;    // 0: all
  bool in_shared;  // chunks of 256 records
  std::uint32_t registers;
};

/// The host side: launches the framework's kernels.
class Job : public SummingWorkload {
 protected:
  Job(Memory& memory, std::string name);

  /// Makes arrays for the records that `threads` threads emit. With `sorted`, they have room for the padding of a sort.
  Emission make_emission(const std::string& name, int threads, const Records& expected, bool sorted);
  /// Adds the counting pass, the prefix sums and the writing pass. The last has the shared memory of a Stage.
  void add_emitting(const std::string& name, int threads, const Emission& out, std::function<void(Warp&)> count,
                    std::function<void(Warp&)> write);
  /// Sorts the emission's index and makes groups of it, also on the host. Afterwards `expected` is in sorted order.
  Groups add_grouping(const std::string& name, const Emission& out, Records& expected, const Order& order, const SortOptions& options);
  /// [group] its first record; one more at the end. `expected_groups` are the groups that add_grouping() found.
  Array<Word> add_group_starts(const std::string& name, const Groups& groups, int expected_groups);
  /// Group numbers of the last add_grouping().
  const std::vector<Word>& group_numbers() const { return group_numbers_.back(); }

  bool check_emission(const std::string& name, const Emission& out, const Records& expected, std::string& why) const;
  bool check_groups(std::size_t which, const Groups& groups, const Records& expected, std::string& why) const;

  Memory& memory_;
  std::string name_;

 private:
  void add_sums(const std::string& name, const Array<Word>& data) { add_scan(name, data, sums_, total_); }
  void add_sort(const std::string& name, const Array<Record>& index, const Order& order, const SortOptions& options);

  Array<Word> sums_, total_;
  std::vector<std::vector<Word>> group_numbers_;
};

}  // namespace wharf::spmd::mars
