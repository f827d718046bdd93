// INVERTED INDEX, Mars (workloads section 6.1): lists all links in a collection of pages, each with its file. A thread scans a kilobyte
// block of its own. The lanes of a warp are a line or more apart, and each line serves one lane for 128 iterations.

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/mars/mars_text.h"

namespace wharf::spmd {
namespace inverted_index {
namespace {
using namespace mars;

constexpr char kLinkStart[] = "<a href=\"";
constexpr int kLink = int(sizeof kLinkStart) - 1;  // state after the whole start of a link
constexpr int kBlocksPerFile = 8, kKeySize = sizeof(HashedKey), kValueSize = sizeof(Word);

struct Data {
  Blocks blocks;
  Array<Word> files;  // files of the blocks
  Array<Byte> text;
  Emission links;
};

/// Number of characters of a link's start that have been seen.
int next_state(int state, Byte c) {
  if (state < kLink && c == Byte(kLinkStart[state])) return state + 1;
  return int(c == '<');
}

/// Calls found(first character of the link, its closing quote, input record) for the lanes that are at a link.
template <class Found>
void scan_for_links(Warp& w, const Data& k, Found found) {
  with_blocks(w, k.blocks, [&](const Lanes<int>& begin, const Lanes<int>& end, const Lanes<Record>& record) {
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
  Stage stage = begin_blocks(w, k.blocks, k.links);
  scan_for_links(w, k, [&](const Lanes<int>& first, const Lanes<int>& quote, const Lanes<Record>& record) {
    const auto link = w.compute(1, first);
    const auto file = w.load(k.files, key_place<Word>(record));
    w.store(k.text, quote, 0);
    Lanes<int> hash = 0;
    w.for_lanes(link, quote, [&](const Lanes<int>& i) {
      const auto letter = w.load(k.text, i);
      w.update(hash, 3, lanewise(hashed, hash, letter));
    });
    stage.put_key(link, hash);
    stage.put(4, file);
    emit(
        w, k.links, w.global_x(), kKeySize, kValueSize, [&](const Lanes<int>& i) { return stage.byte(0, i); },
        [&](const Lanes<int>& i) { return stage.byte(4, i); });
  });
}

class InvertedIndex final : public Job {
 public:
  InvertedIndex(const Arguments& arguments, Memory& memory, std::uint64_t seed) : Job(memory, "inverted_index") {
    const BlockShape shape = block_shape(arguments);
    auto& d = data_;
    d.blocks = make_blocks(memory, shape);
    host_text_ = web_pages(shape, seed);
    d.text = copied(memory, "text", host_text_);
    d.files = memory.array<Word>("files", std::uint64_t(shape.blocks));
    for (int i = 0; i < shape.blocks; ++i) {
      d.files[std::uint64_t(i)] = i / kBlocksPerFile;
      map_on_host(d.blocks.blocks[std::uint64_t(i)], i / kBlocksPerFile);
    }
    d.links = make_emission("map", shape.blocks, links_, true);
    add_emitting(
        "map", shape.blocks, d.links, [this](Warp& w) { count_links(w, data_); }, [this](Warp& w) { write_links(w, data_); });
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
  std::vector<Byte> host_text_;  // the text after the run
  Records links_;
  Groups groups_;
};

}  // namespace
}  // namespace inverted_index

Entry inverted_index_entry() {
  return {{"inverted_index",
           "links of web pages by file (Mars): each lane scans a text of its own, then a bitonic sort by string",
           mars::text_arguments("28672", "1024", true),
           {},
           {{"tiny", {{"records", 64}, {"scan", 320}, {"sort_launches", 4}}},
            {"std", {{"records", 1024}, {"sort_launches", 20}}},
            {"paper", {{"records", 28672}}},
            {"ciao", {{"records", 7680}, {"scan", 128}, {"sort_launches", 10}, {"alu", 1.5}}}}},
          make_workload<inverted_index::InvertedIndex>};
}

}  // namespace wharf::spmd
