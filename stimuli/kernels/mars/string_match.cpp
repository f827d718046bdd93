// STRING MATCH, Mars (workloads section 6.4): finds a keyword in a list of words. A thread scans a kilobyte block of its own, so a load
// touches one line per lane. Nothing is sorted.

#include <cstdint>
#include <string>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/mars/mars_text.h"

namespace wharf::spmd {
namespace string_match {
namespace {
using namespace mars;

constexpr char kKeyword[] = "org";
constexpr int kLetters = int(sizeof kKeyword) - 1, kKeySize = sizeof(Word), kValueSize = sizeof(Word);

struct Data {
  Blocks blocks;
  Array<Byte> text, keyword;
  Emission matches;
};

/// Calls found(first character) for the lanes that have just passed a word equal to the keyword.
template <class Found>
void scan_words(Warp& w, const Data& k, Found found) {
  with_blocks(w, k.blocks, [&](const Lanes<int>& begin, const Lanes<int>& end, const Lanes<Record>&) {
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
  Stage stage = begin_blocks(w, k.blocks, k.matches);
  scan_words(w, k, [&](const Lanes<int>& word) {
    stage.put(0, word);
    stage.put(1, kLetters);
    emit(
        w, k.matches, w.global_x(), kKeySize, kValueSize, [&](const Lanes<int>& i) { return stage.byte(0, i); },
        [&](const Lanes<int>& i) { return stage.byte(1, i); });
  });
}

class StringMatch final : public Job {
 public:
  StringMatch(const Arguments& arguments, Memory& memory, std::uint64_t seed) : Job(memory, "string_match") {
    const BlockShape shape = block_shape(arguments);
    auto& d = data_;
    d.blocks = make_blocks(memory, shape);
    d.text = copied(memory, "text", word_list(shape, kKeyword, seed));
    d.keyword = copied(memory, "keyword", std::vector<Byte>(kKeyword, kKeyword + kLetters));
    for (int i = 0; i < shape.blocks; ++i) map_on_host(d.blocks.blocks[std::uint64_t(i)]);
    d.matches = make_emission("map", shape.blocks, matches_, false);
    add_emitting(
        "map", shape.blocks, d.matches, [this](Warp& w) { count_matches(w, data_); }, [this](Warp& w) { write_matches(w, data_); });
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
}  // namespace string_match

Entry string_match_entry() {
  return {{"string_match",
           "a keyword in a list of words (Mars): each lane scans a text of its own",
           mars::text_arguments("1024", "1024", false),
           {},
           {{"tiny", {{"records", 64}}},
            {"std", {{"records", 1024}}},
            {"paper", {{"records", 1024}}},
            {"ciao", {{"records", 1024}, {"scan", 256}}}}},
          make_workload<string_match::StringMatch>};
}

}  // namespace wharf::spmd
