// STRING MATCH, Mars (workloads.md 6.4): where a keyword stands in a list of words. A thread scans its own block of a kilobyte, so that a
// load touches as many lines as there are lanes; nothing is sorted.

#include <cstdint>
#include <string>

#include "stimuli/inputs/web_text.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/mars.h"

namespace wharf::spmd {
namespace {

using namespace mars;

constexpr char kKeyword[] = "org";
constexpr int kLetters = int(sizeof kKeyword) - 1, kKeySize = sizeof(Word), kValueSize = sizeof(Word);

struct Data {
  Array<Record> input;  // value: block
  Array<Block> blocks;
  Array<Byte> text, keyword;
  Emission matches;
  int records;
};

/// Calls found(first character) for the lanes that are behind a word that is the keyword.
template <class Found>
void scan_words(Warp& w, const Data& k, Found found) {
  const auto thread = w.global_x();
  w.alu(6);
  w.where(thread < k.records, [&] {
    const auto record = w.load(k.input, thread);
    const auto begin = w.load(k.blocks, value_place<Block>(record), &Block::begin);
    const auto size = w.load(k.blocks, value_place<Block>(record), &Block::size);
    const auto end = w.compute(1, begin + size);
    auto at = w.compute(1, begin + 0), word = w.compute(1, begin + 0);
    w.while_any([&] { return at < end; },
                [&] {
                  const auto c = w.load(k.text, at);
                  const auto ends = w.compute(3, lanewise([](Byte b) { return int(b == '\n'); }, c));
                  w.where(ends == 1, [&] {
                    Lanes<int> same = 1;
                    w.where(at - word == kLetters, [&] {
                      for (const int i : w.trips(kLetters)) {
                        w.where(same == 1, [&] {
                          const auto letter = w.load(k.text, word + i);
                          const auto wanted = w.load(k.keyword, i);
                          w.update(same, 2, lanewise([](Byte a, Byte b) { return int(a == b); }, letter, wanted));
                        });
                      }
                      w.where(same == 1, [&] { found(word); });
                    });
                    w.update(word, 1, at + 1);
                  });
                  w.update(at, 3, at + 1);
                });
  });
}

void count_matches(Warp& w, const Data& k) {
  scan_words(w, k, [&](const Lanes<int>&) { count_record(w, k.matches, w.global_x(), kKeySize, kValueSize); });
}

void write_matches(Warp& w, const Data& k) {
  const auto thread = w.global_x();
  w.where(thread < k.records, [&] { begin_records(w, k.matches, thread); });
  Stage stage(w);
  scan_words(w, k, [&](const Lanes<int>& word) {
    stage.put(0, word);
    stage.put(1, kLetters);
    emit(
        w, k.matches, thread, kKeySize, kValueSize, [&](const Lanes<int>& i) { return stage.byte(0, i); },
        [&](const Lanes<int>& i) { return stage.byte(1, i); });
  });
}

class StringMatch final : public Job {
 public:
  StringMatch(const Arguments& arguments, Memory& memory, std::uint64_t seed) : Job(memory, "string_match") {
    const BlockShape shape{arguments("records"), arguments("block"), arguments("scan")};
    arguments.require(shape.length <= shape.stride, "scan is the part of a block that has text, and must be at most block");
    auto& d = data_;
    d.records = shape.blocks;
    d.text = copied(memory, "text", word_list(shape, kKeyword, seed));
    d.keyword = copied(memory, "keyword", std::vector<Byte>(kKeyword, kKeyword + kLetters));
    d.input = memory.array<Record>("input", std::uint64_t(shape.blocks));
    d.blocks = memory.array<Block>("blocks", std::uint64_t(shape.blocks));
    for (int i = 0; i < shape.blocks; ++i) {
      d.input[std::uint64_t(i)] = {0, 0, Word(sizeof(Block)) * i, sizeof(Block)};
      d.blocks[std::uint64_t(i)] = {0, i * shape.stride, shape.length};
      map_on_host(d.blocks[std::uint64_t(i)]);
    }
    d.matches = make_emission("map", d.records, matches_, false);
    add_emitting(
        "map", d.records, d.matches, [this](Warp& w) { count_matches(w, data_); }, [this](Warp& w) { write_matches(w, data_); });
  }

  bool check(std::string& why) const override { return check_emission("map", data_.matches, matches_, why); }

 private:
  void map_on_host(const Block& block) {
    std::string word;
    for (int i = block.begin; i < block.begin + block.size; ++i) {
      const char c = char(data_.text.data[i]);
      if (c != '\n') {
        word += c;
        continue;
      }
      const Word begin = i - Word(word.size()), length = Word(word.size());
      if (word == kKeyword) matches_.emit(&begin, sizeof begin, &length, sizeof length);
      word.clear();
    }
  }

  Data data_{};
  Records matches_;
};

}  // namespace

Entry string_match_entry() {
  return {{"string_match",
           "a keyword in a list of words (Mars): each lane scans a text of its own",
           {{"records", "1024", 1, 1 << 17, "blocks of text, a thread each"},
            {"block", "1024", 64, 4096, "bytes from one block to the next"},
            {"scan", "block", 64, 4096, "bytes of a block that are text"}},
           {},
           {{"tiny", {{"records", 64}}},
            {"std", {{"records", 1024}}},
            {"paper", {{"records", 1024}}},
            {"ciao", {{"records", 7680}, {"scan", 128}}}}},
          make_workload<StringMatch>};
}

}  // namespace wharf::spmd
