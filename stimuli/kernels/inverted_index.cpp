// INVERTED INDEX, Mars (workloads.md 6.1): all links of a collection of pages with the file that each is in. A thread scans its own block
// of a kilobyte: the lanes of a warp are a line or more apart, and each line serves one lane for 128 iterations.

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "stimuli/inputs/web_text.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/mars.h"

namespace wharf::spmd {
namespace {

using namespace mars;

constexpr char kLinkStart[] = "<a href=\"";
constexpr int kLink = int(sizeof kLinkStart) - 1;  // the state in which a link has begun
constexpr int kBlocksPerFile = 8, kKeySize = sizeof(HashedKey), kValueSize = sizeof(Word);

struct Data {
  Array<Record> input;  // key: file, value: block
  Array<Word> files;
  Array<Block> blocks;
  Array<Byte> text;
  Emission links;
  int records;
};

/// How many characters of the start of a link have been seen.
int next_state(int state, Byte c) {
  if (state < kLink && c == Byte(kLinkStart[state])) return state + 1;
  return int(c == '<');
}

/// Calls found(first character of the link, its closing quote, input record) for the lanes that are at a link.
template <class Found>
void scan_for_links(Warp& w, const Data& k, Found found) {
  const auto thread = w.global_x();
  w.alu(6);
  w.where(thread < k.records, [&] {
    const auto record = w.load(k.input, thread);
    const auto begin = w.load(k.blocks, value_place<Block>(record), &Block::begin);
    const auto size = w.load(k.blocks, value_place<Block>(record), &Block::size);
    const auto end = w.compute(1, begin + size);
    auto at = w.compute(1, begin + 0);
    Lanes<int> state = 0;
    w.while_any([&] { return at < end; },
                [&] {
                  const auto c = w.load(k.text, at);
                  w.update(state, 7, lanewise(next_state, state, c));
                  w.where(state == kLink, [&] {
                    auto quote = w.compute(1, at + 0);
                    Lanes<int> open = 1;
                    w.while_any([&] { return open == 1; },
                                [&] {
                                  w.update(quote, 1, quote + 1);
                                  const auto letter = w.load(k.text, quote);
                                  w.update(open, 2, lanewise([](Byte l) { return int(l != '"'); }, letter));
                                });
                    found(at + 1, quote, record);
                    w.set(at, quote);
                  });
                  w.update(at, 1, at + 1);
                });
  });
}

void count_links(Warp& w, const Data& k) {
  scan_for_links(w, k, [&](const Lanes<int>&, const Lanes<int>&, const Lanes<Record>&) {
    count_record(w, k.links, w.global_x(), kKeySize, kValueSize);
  });
}

void write_links(Warp& w, const Data& k) {
  const auto thread = w.global_x();
  w.where(thread < k.records, [&] { begin_records(w, k.links, thread); });
  Stage stage(w);
  scan_for_links(w, k, [&](const Lanes<int>& first, const Lanes<int>& quote, const Lanes<Record>& record) {
    const auto link = w.compute(1, first);
    const auto file = w.load(k.files, key_place<Word>(record));
    w.store(k.text, quote, 0);
    Lanes<int> hash = 0;
    w.for_lanes(link, quote, [&](const Lanes<int>& i) {
      const auto letter = w.load(k.text, i);
      w.update(hash, 3, lanewise(hashed, hash, letter));
    });
    stage.put(0, 0);
    stage.put(1, 0);
    stage.put(2, link);
    stage.put(3, hash);
    stage.put(4, file);
    emit(
        w, k.links, thread, kKeySize, kValueSize, [&](const Lanes<int>& i) { return stage.byte(0, i); },
        [&](const Lanes<int>& i) { return stage.byte(4, i); });
  });
}

class InvertedIndex final : public Job {
 public:
  InvertedIndex(const Arguments& arguments, Memory& memory, std::uint64_t seed) : Job(memory, "inverted_index") {
    const BlockShape shape{arguments("records"), arguments("block"), arguments("scan")};
    arguments.require(shape.length <= shape.stride, "scan is the part of a block that has text, and must be at most block");
    auto& d = data_;
    d.records = shape.blocks;
    host_text_ = web_pages(shape, seed);
    d.text = copied(memory, "text", host_text_);
    std::vector<Record> input;
    std::vector<Word> files;
    std::vector<Block> blocks;
    for (int i = 0; i < shape.blocks; ++i) {
      input.push_back({4 * i, 4, Word(sizeof(Block)) * i, sizeof(Block)});
      files.push_back(i / kBlocksPerFile);
      blocks.push_back({0, i * shape.stride, shape.length});
    }
    d.input = copied(memory, "input", input);
    d.files = copied(memory, "files", files);
    d.blocks = copied(memory, "blocks", blocks);
    for (const Block& block : blocks) map_on_host(block, files[std::size_t(&block - blocks.data())]);
    d.links = make_emission("map", d.records, links_, true);
    add_emitting(
        "map", d.records, d.links, [this](Warp& w) { count_links(w, data_); }, [this](Warp& w) { write_links(w, data_); });
    const Order order = hashed_order(d.links.keys, links_.keys, d.text, host_text_);
    groups_ = add_grouping("map", d.links, links_, order, {arguments("sort_launches"), false, 30});
  }

  bool check(std::string& why) const override {
    return equal("text", data_.text, host_text_, why) && check_emission("map", data_.links, links_, why) &&
           check_groups(0, groups_, links_, why);
  }

 private:
  void map_on_host(const Block& block, Word file) {
    const auto at = [this](int i) -> Byte& { return host_text_[std::size_t(i)]; };
    int state = 0;
    for (int i = block.begin; i < block.begin + block.size; ++i) {
      state = next_state(state, at(i));
      if (state != kLink) continue;
      HashedKey key{0, i + 1, 0};
      for (++i; at(i) != '"'; ++i) key.hash = hashed(key.hash, at(i));
      at(i) = 0;
      links_.emit(&key, sizeof key, &file, sizeof file);
    }
  }

  Data data_{};
  std::vector<Byte> host_text_;  // as it will be
  Records links_;
  Groups groups_;
};

}  // namespace

Entry inverted_index_entry() {
  return {{"inverted_index",
           "links of web pages by file (Mars): each lane scans a text of its own, then a bitonic sort by string",
           {{"records", "28672", 1, 1 << 17, "blocks of text, a thread each"},
            {"block", "1024", 64, 4096, "bytes from one block to the next"},
            {"scan", "block", 64, 4096, "bytes of a block that are text"},
            {"sort_launches", "0", 0, 1000, "steps of the sort; 0: all"}},
           {},
           {{"tiny", {{"records", 64}, {"scan", 320}, {"sort_launches", 4}}},
            {"std", {{"records", 1024}, {"sort_launches", 20}}},
            {"paper", {{"records", 28672}}},
            {"ciao", {{"records", 7680}, {"scan", 128}, {"sort_launches", 10}}}}},
          make_workload<InvertedIndex>};
}

}  // namespace wharf::spmd
