#include "stimuli/kernels/mars/mars.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace wharf::spmd::mars {
namespace {

constexpr int kChunk = kThreads;  // records that a CTA sorts in shared memory
constexpr Record kPadding = {-1, 0, -1, 0};

int sign(int x) { return int(x > 0) - int(x < 0); }

/// Compares records; padding is greater than everything.
Lanes<int> compare(Warp& w, const Order& order, const Lanes<Record>& a, const Lanes<Record>& b) {
  const auto padding = [](Record x, Record y) { return int(x.key_offset < 0) - int(y.key_offset < 0); };
  auto result = w.compute(2, lanewise(padding, a, b));
  const auto both = lanewise([](Record x, Record y) { return int(x.key_offset >= 0 && y.key_offset >= 0); }, a, b);
  w.where(both == 1, [&] {
    const auto keys = order.on_gpu(w, a, b);
    w.update(result, 1, keys);
  });
  return result;
}

/// The sign of the comparison at which the two elements are exchanged.
Lanes<int> wrong(const Lanes<int>& i, const SortStep& step) {
  return lanewise([step](int x) { return (x & step.size) == 0 ? 1 : -1; }, i);
}

void sort_in_memory(Warp& w, const Array<Record>& index, const SortStep& step, const Order& order) {
  const auto i = w.global_x();
  const auto partner = lanewise([step](int x) { return x ^ step.distance; }, i);
  w.alu(8);
  w.where(partner > i, [&] {
    const auto own = w.load(index, i);
    const auto other = w.load(index, partner);
    const auto result = compare(w, order, own, other);
    w.where(result == wrong(i, step), [&] {
      w.store(index, i, other);
      w.store(index, partner, own);
    });
  });
}

void sort_in_shared(Warp& w, const Array<Record>& index, const std::vector<SortStep>& steps, const Order& order) {
  const auto chunk = w.shared<Record>(0, kChunk);
  const auto i = w.global_x(), t = w.thread_x();
  w.alu(8);
  const auto in = w.load(index, i);
  w.store(chunk, t, in);
  w.barrier();
  for (const SortStep& step : steps) {
    const auto partner = lanewise([&step](int x) { return x ^ step.distance; }, t);
    w.alu(6);
    w.where(partner > t, [&] {
      const auto own = w.load(chunk, t);
      const auto other = w.load(chunk, partner);
      const auto result = compare(w, order, own, other);
      w.where(result == wrong(i, step), [&] {
        w.store(chunk, t, other);
        w.store(chunk, partner, own);
      });
    });
    w.barrier();
  }
  const auto out = w.load(chunk, t);
  w.store(index, i, out);
}

/// Stores the sizes of the records in order. Their sums give the records' places.
void measure(Warp& w, const Array<Record>& index, int count, const Groups& groups) {
  const auto i = w.global_x();
  w.alu(6);
  w.where(i < count, [&] {
    const auto record = w.load(index, i);
    w.store(groups.key_bytes, i, lanewise([](Record r) { return r.key_size; }, record));
    w.store(groups.value_bytes, i, lanewise([](Record r) { return r.value_size; }, record));
  });
}

/// Copies keys or values, as `offset` and `size` say. One thread per record.
void copy(Warp& w, const Array<Record>& index, int count, const Array<Byte>& from, const Array<Word>& places, const Array<Byte>& to,
          Word Record::*offset, Word Record::*size) {
  const auto i = w.global_x();
  w.alu(6);
  w.where(i < count, [&] {
    const auto record = w.load(index, i);
    const auto place = w.load(places, i);
    const auto target = w.compute(1, place + 0);
    const auto begin = w.compute(1, lanewise([offset](Record r) { return r.*offset; }, record));
    const auto bytes = w.compute(1, lanewise([size](Record r) { return r.*size; }, record));
    w.for_lanes(0, bytes, [&](const Lanes<int>& k) {
      const auto byte = w.load(from, begin + k);
      w.store(to, target + k, byte);
      w.alu(4);
    });
  });
}

/// Stores 1 where a record's key differs from the previous one.
void find_boundaries(Warp& w, const Array<Record>& index, int count, const Array<Word>& number, const Order& order) {
  const auto i = w.global_x();
  w.alu(6);
  w.where(i < count, [&] {
    const auto own = w.load(index, i);
    Lanes<int> differs = 1;
    w.where(i > 0, [&] {
      const auto left = w.load(index, i - 1);
      const auto result = compare(w, order, left, own);
      w.update(differs, 1, lanewise([](int r) { return int(r != 0); }, result));
    });
    w.store(number, i, differs);
  });
}

void find_starts(Warp& w, const Array<Word>& number, int count, const Array<Word>& starts) {
  const auto i = w.global_x();
  w.alu(6);
  w.where(i < count, [&] {
    const auto before = w.load(number, i);
    const auto after = w.load(number, i + 1);
    w.where(after != before, [&] {
      w.store(starts, before, i);
    });
  });
}

int compare_on_host(const Order& order, const Record& a, const Record& b) {
  if (a.key_offset >= 0 && b.key_offset >= 0) return order.on_host(a, b);
  return int(a.key_offset < 0) - int(b.key_offset < 0);
}

/// The sorting network in plain loops.
void sort_on_host(std::vector<Record>& records, const std::vector<SortStep>& steps, const Order& order) {
  for (const SortStep& step : steps) {
    for (int i = 0; i < int(records.size()); ++i) {
      const int partner = i ^ step.distance;
      if (partner < i) continue;
      Record &a = records[std::size_t(i)], &b = records[std::size_t(partner)];
      if (compare_on_host(order, a, b) == ((i & step.size) == 0 ? 1 : -1)) std::swap(a, b);
    }
  }
}

std::vector<Word> words_of(const std::vector<Record>& records) {
  std::vector<Word> words(4 * records.size());
  if (!records.empty()) std::memcpy(words.data(), records.data(), 4 * words.size());
  return words;
}

}  // namespace

void Records::emit(const void* key, std::size_t key_size, const void* value, std::size_t value_size) {
  const auto* const k = static_cast<const Byte*>(key);
  const auto* const v = static_cast<const Byte*>(value);
  index.push_back({Word(keys.size()), Word(key_size), Word(values.size()), Word(value_size)});
  keys.insert(keys.end(), k, k + key_size);
  values.insert(values.end(), v, v + value_size);
}

void count_record(Warp& w, const Emission& out, const Lanes<int>& thread, const Lanes<int>& key_size, const Lanes<int>& value_size) {
  const auto keys = w.load(out.key_bytes, thread, here());
  const auto more_keys = w.compute(1, keys + key_size, here());
  w.store(out.key_bytes, thread, more_keys, here());
  const auto values = w.load(out.value_bytes, thread, here());
  const auto more_values = w.compute(1, values + value_size, here());
  w.store(out.value_bytes, thread, more_values, here());
  const auto records = w.load(out.count, thread, here());
  const auto more_records = w.compute(1, records + 1, here());
  w.store(out.count, thread, more_records, here());
}

void begin_records(Warp& w, const Emission& out, const Lanes<int>& thread) {
  const auto first = w.load(out.count, thread, here());
  const auto behind = w.load(out.count, thread + 1, here());
  const auto first_record = [&] {
    const auto key = w.load(out.key_bytes, thread, here());
    const auto value = w.load(out.value_bytes, thread, here());
    const auto record = w.load(out.index, first, here());
    const auto placed = [](Record r, Word k, Word v) { return Record{k, r.key_size, v, r.value_size}; };
    w.store(out.index, first, lanewise(placed, record, key, value), here());
  };
  w.where(behind > first, first_record, here());
}

Order hashed_order(const Array<Byte>& keys, const std::vector<Byte>& host_keys, const Array<Byte>& text,
                   const std::vector<Byte>& host_text) {
  const auto structs = in_parts_of<HashedKey>(keys);
  const auto on_gpu = [structs, text](Warp& w, const Lanes<Record>& a, const Lanes<Record>& b) {
    const auto key_a = key_place<HashedKey>(a), key_b = key_place<HashedKey>(b);
    const auto hash_a = w.load(structs, key_a, &HashedKey::hash, here());
    const auto hash_b = w.load(structs, key_b, &HashedKey::hash, here());
    auto result = w.compute(2, lanewise([](Word x, Word y) { return int(x > y) - int(x < y); }, hash_a, hash_b), here());
    const auto compare_texts = [&] {
      const auto text_a = w.load(structs, key_a, &HashedKey::offset, here());
      const auto text_b = w.load(structs, key_b, &HashedKey::offset, here());
      Lanes<int> k = 0, going_on = 1;
      const auto compare_characters = [&] {
        const auto a_k = w.load(text, text_a + k, here());
        const auto b_k = w.load(text, text_b + k, here());
        w.update(result, 2, lanewise([](Byte x, Byte y) { return sign(int(x) - int(y)); }, a_k, b_k), here());
        w.update(going_on, 2, lanewise([](Byte x, Byte y) { return int(x == y && x != 0); }, a_k, b_k), here());
        w.set(k, k + 1);
      };
      w.while_any([&] { return going_on == 1; }, compare_characters, here());
    };
    w.where(result == 0, compare_texts, here());
    return result;
  };
  const auto on_host = [&host_keys, &host_text](const Record& a, const Record& b) {
    HashedKey x, y;
    std::memcpy(&x, &host_keys[std::size_t(a.key_offset)], sizeof x);
    std::memcpy(&y, &host_keys[std::size_t(b.key_offset)], sizeof y);
    if (x.hash != y.hash) return x.hash < y.hash ? -1 : 1;
    const auto* const text_x = reinterpret_cast<const char*>(&host_text[std::size_t(x.offset)]);
    const auto* const text_y = reinterpret_cast<const char*>(&host_text[std::size_t(y.offset)]);
    return sign(std::strcmp(text_x, text_y));
  };
  return {on_gpu, on_host};
}

std::vector<std::vector<SortStep>> sort_launches(int padded, bool in_shared, int most) {
  std::vector<std::vector<SortStep>> launches;
  bool last_in_chunks = false;
  for (int size = 2; size <= padded; size *= 2) {
    for (int distance = size / 2; distance > 0; distance /= 2) {
      const bool in_chunks = in_shared && distance < kChunk;
      if (!in_chunks || !last_in_chunks) {
        if (most != 0 && int(launches.size()) == most) return launches;
        launches.emplace_back();
      }
      launches.back().push_back({size, distance});
      last_in_chunks = in_chunks;
    }
  }
  return launches;
}

Job::Job(Memory& memory, std::string name)
    : memory_(memory), name_(std::move(name)), sums_(memory.array<Word>("sums", kScanElements)), total_(memory.array<Word>("total", 1)) {
  mark_source_elsewhere();
}

Emission Job::make_emission(const std::string& name, int threads, const Records& expected, bool sorted) {
  const auto each = std::uint64_t(threads), records = std::uint64_t(expected.index.size());
  std::uint64_t room = std::max<std::uint64_t>(records, 1);
  if (sorted) {
    for (room = kChunk; room < records;) room *= 2;
  }
  Emission out;
  out.key_bytes = memory_.array<Word>(name + "_key_bytes", each + 1);
  out.value_bytes = memory_.array<Word>(name + "_value_bytes", each + 1);
  out.count = memory_.array<Word>(name + "_count", each + 1);
  out.written = memory_.array<Bytes>(name + "_written", each);
  out.current = memory_.array<Word>(name + "_current", each);
  out.keys = memory_.array<Byte>(name + "_keys", std::max<std::uint64_t>(expected.keys.size(), 1));
  out.values = memory_.array<Byte>(name + "_values", std::max<std::uint64_t>(expected.values.size(), 1));
  out.index = memory_.array<Record>(name + "_index", room);
  for (std::uint64_t i = records; i < room; ++i) out.index[i] = kPadding;
  return out;
}

void Job::add_emitting(const std::string& name, int threads, const Emission& out, std::function<void(Warp&)> count,
                       std::function<void(Warp&)> write) {
  const std::uint32_t ctas = ctas_for(threads, kThreads);
  add_launch(name_ + "_" + name + "_count", {ctas}, {kThreads}, 20, std::move(count));
  add_sums(name_ + "_" + name + "_scan_keys", out.key_bytes);
  add_sums(name_ + "_" + name + "_scan_values", out.value_bytes);
  add_sums(name_ + "_" + name + "_scan_count", out.count);
  add_launch(name_ + "_" + name, {ctas}, {kThreads}, 20, std::move(write), kThreads * kStageBytes);
}

void Job::add_sort(const std::string& name, const Array<Record>& index, const Order& order, const SortOptions& options) {
  const std::uint32_t ctas = index.size / kThreads;
  for (const auto& steps : sort_launches(int(index.size), options.in_shared, options.launches)) {
    if (options.in_shared && steps.front().distance < kChunk) {
      add_launch(
          name + "_sort_chunks", {ctas}, {kThreads}, options.registers, [=](Warp& w) { sort_in_shared(w, index, steps, order); },
          kChunk * sizeof(Record));
    } else {
      const SortStep step = steps.front();
      add_launch(name + "_sort", {ctas}, {kThreads}, options.registers, [=](Warp& w) { sort_in_memory(w, index, step, order); });
    }
  }
}

Groups Job::add_grouping(const std::string& emission, const Emission& out, Records& expected, const Order& order,
                         const SortOptions& options) {
  const std::string name = name_ + "_" + emission;
  auto& records = expected.index;
  // A sort that is cut off leaves padding between the records.
  const int count = int(options.launches == 0 ? records.size() : std::size_t(out.index.size));
  add_sort(name, out.index, order, options);
  records.resize(out.index.size, kPadding);
  for (const auto& steps : sort_launches(int(out.index.size), options.in_shared, options.launches)) sort_on_host(records, steps, order);
  Groups groups;
  const auto each = std::uint64_t(count);
  groups.key_bytes = memory_.array<Word>(emission + "_key_places", each + 1);
  groups.value_bytes = memory_.array<Word>(emission + "_value_places", each + 1);
  groups.keys = memory_.array<Byte>(emission + "_sorted_keys", expected.keys.size() + 1);
  groups.values = memory_.array<Byte>(emission + "_sorted_values", expected.values.size() + 1);
  groups.number = memory_.array<Word>(emission + "_group", each + 1);
  const std::uint32_t ctas = ctas_for(std::max(count, 1), kThreads);
  const auto index = out.index;
  add_launch(name + "_measure", {ctas}, {kThreads}, 12, [=](Warp& w) { measure(w, index, count, groups); });
  add_sums(name + "_scan_key_places", groups.key_bytes);
  add_sums(name + "_scan_value_places", groups.value_bytes);
  add_launch(name + "_copy_values", {ctas}, {kThreads}, 16, [=](Warp& w) {
    copy(w, index, count, out.values, groups.value_bytes, groups.values, &Record::value_offset, &Record::value_size);
  });
  add_launch(name + "_copy_keys", {ctas}, {kThreads}, 16, [=](Warp& w) {
    copy(w, index, count, out.keys, groups.key_bytes, groups.keys, &Record::key_offset, &Record::key_size);
  });
  add_launch(name + "_boundaries", {ctas}, {kThreads}, 20, [=](Warp& w) { find_boundaries(w, index, count, groups.number, order); });
  add_sums(name + "_scan_group", groups.number);
  auto& numbers = group_numbers_.emplace_back(1);  // exclusive sums
  for (int i = 0; i < count; ++i) {
    const bool begins = i == 0 || compare_on_host(order, records[std::size_t(i) - 1], records[std::size_t(i)]) != 0;
    numbers.push_back(numbers.back() + int(begins));
  }
  return groups;
}

Array<Word> Job::add_group_starts(const std::string& name, const Groups& groups, int expected_groups) {
  const int count = int(groups.number.size) - 1;
  const auto starts = memory_.array<Word>(name + "_group_starts", std::uint64_t(expected_groups) + 1);
  starts[std::uint64_t(expected_groups)] = count;
  const auto number = groups.number;
  add_launch(name_ + "_" + name + "_group_starts", {ctas_for(std::max(count, 1), kThreads)}, {kThreads}, 12,
             [=](Warp& w) { find_starts(w, number, count, starts); });
  return starts;
}

bool Job::check_emission(const std::string& name, const Emission& out, const Records& expected, std::string& why) const {
  return equal(name + "_index", in_parts_of<Word>(out.index), words_of(expected.index), why) &&
         equal(name + "_keys", out.keys, expected.keys, why) && equal(name + "_values", out.values, expected.values, why);
}

bool Job::check_groups(std::size_t which, const Groups& groups, const Records& expected, std::string& why) const {
  std::vector<Byte> keys, values;
  for (const Record& r : expected.index) {
    if (r.key_offset < 0) continue;
    keys.insert(keys.end(), expected.keys.begin() + r.key_offset, expected.keys.begin() + r.key_offset + r.key_size);
    values.insert(values.end(), expected.values.begin() + r.value_offset, expected.values.begin() + r.value_offset + r.value_size);
  }
  return equal("group", groups.number, group_numbers_[which], why) && equal("sorted_keys", groups.keys, keys, why) &&
         equal("sorted_values", groups.values, values, why);
}

}  // namespace wharf::spmd::mars
