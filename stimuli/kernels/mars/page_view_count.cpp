// PAGE VIEW COUNT, Mars (workloads section 6.2): counts how often each page was viewed, from a web server's log. The first of two jobs
// makes the lines unique; the second counts addresses per page. Neighbouring lanes hash neighbouring lines of 50 characters: 13 cache lines
// per load. Sorts compare hashes. In the second job, which has only 1024 pages, they also compare the texts.

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "stimuli/inputs/web_text.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/mars/mars.h"

namespace wharf::spmd {
namespace page_view_count {
namespace {
using namespace mars;

constexpr int kAddressSize = sizeof(Word);

/// The value of an input record.
struct Phase {
  Word size, phase;
};

struct Data {
  Array<Record> input;
  Array<HashedKey> keys;
  Array<Phase> values;
  Array<Byte> text;
  Emission lines, unique, views;  // of the first map, the first reduce and the second map
  Array<Word> starts;             // starts of the groups of equal lines
  int records, groups, unique_lines;
};

void count_lines(Warp& w, const Data& k) {
  const auto thread = w.global_x();
  w.alu(6);
  w.where(thread < k.records, [&] {
    const auto record = w.load(k.input, thread);
    const auto key_size = w.compute(1, lanewise([](Record r) { return r.key_size; }, record));
    count_record(w, k.lines, thread, key_size, sizeof(Phase));
  });
}

void write_lines(Warp& w, const Data& k) {
  const auto thread = w.global_x();
  w.alu(6);
  w.where(thread < k.records, [&] {
    begin_records(w, k.lines, thread);
    const auto record = w.load(k.input, thread);
    const auto key = w.load(k.keys, key_place<HashedKey>(record));
    const auto size = w.load(k.values, value_place<Phase>(record), &Phase::size);
    const auto line = w.compute(1, lanewise([](HashedKey h) { return h.offset; }, key));
    Lanes<Word> hash = 0;
    w.for_lanes(0, size, [&](const Lanes<int>& i) {
      const auto c = w.load(k.text, line + i);
      w.update(hash, 5, lanewise(hashed, hash, c));
    });
    w.store(in_parts_of<Word>(k.keys), key_place<HashedKey>(record) * 4 + 3, hash);
    const auto keys = in_parts_of<Byte>(k.keys), values = in_parts_of<Byte>(k.values);
    const auto key_begin = key_place<Byte>(record), value_begin = value_place<Byte>(record);
    emit(
        w, k.lines, thread, sizeof(HashedKey), sizeof(Phase), [&](const Lanes<int>& i) { return w.load(keys, key_begin + i); },
        [&](const Lanes<int>& i) { return w.load(values, value_begin + i); });
  });
}

/// Calls then(record) with the group's first record for the lanes that have a group.
template <class Then>
void first_of_group(Warp& w, const Data& k, Then then) {
  const auto group = w.global_x();
  w.alu(6);
  w.where(group < k.groups, [&] {
    const auto start = w.load(k.starts, group);
    const auto record = w.load(k.lines.index, start);
    const auto key = w.compute(1, key_place<Byte>(record));
    w.where(key >= 0, [&] { then(record); });  // not padding
  });
}

void count_unique(Warp& w, const Data& k) {
  first_of_group(w, k, [&](const Lanes<Record>&) { count_record(w, k.unique, w.global_x(), sizeof(HashedKey), sizeof(Phase)); });
}

void write_unique(Warp& w, const Data& k) {
  first_of_group(w, k, [&](const Lanes<Record>& record) {
    begin_records(w, k.unique, w.global_x());
    const auto key = key_place<Byte>(record), value = value_place<Byte>(record);
    emit(
        w, k.unique, w.global_x(), sizeof(HashedKey), sizeof(Phase), [&](const Lanes<int>& i) { return w.load(k.lines.keys, key + i); },
        [&](const Lanes<int>& i) { return w.load(k.lines.values, value + i); });
  });
}

void count_views(Warp& w, const Data& k) {
  const auto thread = w.global_x();
  w.alu(6);
  w.where(thread < k.unique_lines, [&] {
    const auto record = w.load(k.unique.index, thread);
    const auto key_size = w.compute(1, lanewise([](Record r) { return r.key_size; }, record));
    count_record(w, k.views, thread, key_size, kAddressSize);
  });
}

void write_views(Warp& w, const Data& k) {
  const auto thread = w.global_x();
  Stage stage(w);
  w.alu(6);
  w.where(thread < k.unique_lines, [&] {
    begin_records(w, k.views, thread);
    const auto record = w.load(k.unique.index, thread);
    const auto key = w.load(in_parts_of<HashedKey>(k.unique.keys), key_place<HashedKey>(record));
    const auto line = w.compute(1, lanewise([](HashedKey h) { return h.offset; }, key));
    auto at = w.compute(1, line + 0), page_end = w.compute(1, line + 0);
    Lanes<int> fields = 0;
    w.while_any([&] { return fields < 2; },
                [&] {
                  const auto c = w.load(k.text, at);
                  w.where(lanewise([](Byte b) { return int(b == '\t'); }, c) == 1, [&] {
                    w.store(k.text, at, 0);
                    w.update(page_end, 1, lanewise([](int end, int here, int f) { return f == 0 ? here : end; }, page_end, at, fields));
                    w.update(fields, 1, fields + 1);
                  });
                  w.update(at, 4, at + 1);
                });
    Lanes<Word> hash = 0;
    w.for_lanes(line, page_end, [&](const Lanes<int>& i) {
      const auto c = w.load(k.text, i);
      w.update(hash, 3, lanewise(hashed, hash, c));
    });
    stage.put_key(line, hash);
    stage.put(4, page_end + 1);
    emit(
        w, k.views, thread, sizeof(HashedKey), kAddressSize, [&](const Lanes<int>& i) { return stage.byte(0, i); },
        [&](const Lanes<int>& i) { return stage.byte(4, i); });
  });
}

class PageViewCount final : public Job {
 public:
  PageViewCount(const Arguments& arguments, Memory& memory, std::uint64_t seed) : Job(memory, "page_view_count") {
    auto& d = data_;
    d.records = arguments("lines");
    host_text_ = web_log(d.records, seed);
    d.text = copied(memory, "text", host_text_);
    const auto lines = std::uint64_t(d.records);
    d.input = memory.array<Record>("input", lines);
    d.keys = memory.array<HashedKey>("line_keys", lines);
    d.values = memory.array<Phase>("line_values", lines);
    for (int i = 0; i < d.records; ++i) {
      constexpr Word kKey = sizeof(HashedKey), kValue = sizeof(Phase);
      d.input[std::uint64_t(i)] = {i * kKey, kKey, i * kValue, kValue};
      d.keys[std::uint64_t(i)] = {0, i * kLogLine, 0};
      d.values[std::uint64_t(i)] = {kLogLine, 0};
    }
    const SortOptions sort{arguments("sort_launches"), arguments("sort_in_shared") != 0, 30};
    make_lines_unique(sort);
    count_by_page(sort);
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    return equal("text", d.text, host_text_, why) && check_emission("lines", d.lines, lines_, why) &&
           check_groups(0, line_groups_, lines_, why) && check_emission("unique", d.unique, unique_, why) &&
           check_emission("views", d.views, views_, why) && check_groups(1, page_groups_, views_, why);
  }

 private:
  void make_lines_unique(const SortOptions& sort) {
    auto& d = data_;
    for (int i = 0; i < d.records; ++i) {
      HashedKey key{0, i * kLogLine, 0};
      for (int c = 0; c < kLogLine; ++c) key.hash = hashed(key.hash, host_text_[std::size_t(key.offset + c)]);
      const Phase phase{kLogLine, 0};
      lines_.emit(&key, sizeof key, &phase, sizeof phase);
    }
    d.lines = make_emission("lines", d.records, lines_, true);
    add_emitting(
        "lines", d.records, d.lines, [this](Warp& w) { count_lines(w, data_); }, [this](Warp& w) { write_lines(w, data_); });
    line_groups_ = add_grouping("lines", d.lines, lines_, hashed_order(d.lines.keys, lines_.keys, d.text, host_text_), sort);
    d.groups = group_numbers().back();
    d.starts = add_group_starts("lines", line_groups_, d.groups);
    for (std::size_t i = 0; i + 1 < group_numbers().size(); ++i) {
      const Record& r = lines_.index[i];
      if (group_numbers()[i + 1] == group_numbers()[i] || r.key_offset < 0) continue;
      unique_.emit(&lines_.keys[std::size_t(r.key_offset)], std::size_t(r.key_size), &lines_.values[std::size_t(r.value_offset)],
                   std::size_t(r.value_size));
    }
    d.unique_lines = int(unique_.index.size());
    d.unique = make_emission("unique", d.groups, unique_, false);
    add_emitting(
        "unique", d.groups, d.unique, [this](Warp& w) { count_unique(w, data_); }, [this](Warp& w) { write_unique(w, data_); });
  }

  void count_by_page(const SortOptions& sort) {
    auto& d = data_;
    for (const Record& r : unique_.index) {
      HashedKey key;
      std::memcpy(&key, &unique_.keys[std::size_t(r.key_offset)], sizeof key);
      Byte* const line = &host_text_[std::size_t(key.offset)];
      Byte* const page_end = std::find(line, line + kLogLine, Byte('\t'));
      *page_end = 0;
      *std::find(line, line + kLogLine, Byte('\t')) = 0;
      key.hash = 0;
      for (const Byte* c = line; c != page_end; ++c) key.hash = hashed(key.hash, *c);
      const Word address = key.offset + Word(page_end - line) + 1;
      views_.emit(&key, sizeof key, &address, sizeof address);
    }
    d.views = make_emission("views", d.unique_lines, views_, true);
    add_emitting(
        "views", d.unique_lines, d.views, [this](Warp& w) { count_views(w, data_); }, [this](Warp& w) { write_views(w, data_); });
    page_groups_ = add_grouping("views", d.views, views_, hashed_order(d.views.keys, views_.keys, d.text, host_text_), sort);
  }

  Data data_{};
  std::vector<Byte> host_text_;  // the text after the run
  Records lines_, unique_, views_;
  Groups line_groups_, page_groups_;
};

}  // namespace
}  // namespace page_view_count

Entry page_view_count_entry() {
  return {{"page_view_count",
           "views of each page from a web server's log (Mars): two jobs that hash lines of 50 characters and sort by string",
           {{"lines", "262144", 1, 1 << 20, "lines of the log, one per thread"},
            {"sort_launches", "0", 0, 1000, "launches of each sort; 0: all"},
            {"sort_in_shared", "1", 0, 1, "1: sort chunks of 256 records in shared memory, as Mars does above 256 K"}},
           {},
           {{"tiny", {{"lines", 100}, {"sort_launches", 1}}},
            {"std", {{"lines", 8192}, {"sort_launches", 20}, {"sort_in_shared", 0}}},
            {"paper", {{"lines", 262144}}},
            {"ciao", {{"lines", 7680}, {"sort_launches", 10}, {"alu", 1.5}}}}},
          make_workload<page_view_count::PageViewCount>};
}

}  // namespace wharf::spmd
