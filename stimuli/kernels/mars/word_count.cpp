// WORD COUNT, Mars (workloads section 6.5): counts the words of a text. A thread scans a two-kilobyte block of its own and writes a zero
// after each word, into lines that it is reading. The words, keys of different lengths, are sorted letter by letter.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/mars/mars_text.h"

namespace wharf::spmd {
namespace word_count {
namespace {
using namespace mars;

constexpr int kFewestLetters = 6, kValueSize = sizeof(Word);

struct Data {
  Blocks blocks;
  Array<Byte> text;
  Emission words;
};

bool is_letter(Byte c) { return c >= 'A' && c <= 'Z'; }

/// Calls found(first letter, bytes with the terminating zero) for the lanes that have just passed a word of sufficient length.
template <class Found>
void scan_words(Warp& w, const Data& k, Found found) {
  with_blocks(w, k.blocks, [&](const Lanes<int>& begin, const Lanes<int>& end, const Lanes<Record>&) {
    auto at = w.compute(1, begin + 0);
    Lanes<int> word = -1;  // beginning of the word that a lane is in
    const auto in_word = [&] { w.update(word, 1, lanewise([](int first, int here) { return first < 0 ? here : first; }, word, at)); };
    const auto behind_word = [&] {
      w.where(word >= 0, [&] {
        w.store(k.text, at, 0);
        const auto bytes = w.compute(1, at - word + 1);
        w.where(bytes > kFewestLetters, [&] { found(word, bytes); });
        w.update(word, 1, -1);
      });
    };
    w.while_any([&] { return at < end; },
                [&] {
                  const auto c = w.load(k.text, at);
                  const auto letter = w.compute(4, lanewise([](Byte b) { return int(is_letter(b)); }, c));
                  w.where(letter == 1, in_word, behind_word);
                  w.update(at, 2, at + 1);
                });
  });
}

void count_words(Warp& w, const Data& k) {
  scan_words(w, k, [&](const Lanes<int>&, const Lanes<int>& bytes) { count_record(w, k.words, w.global_x(), bytes, kValueSize); });
}

void write_words(Warp& w, const Data& k) {
  Stage stage = begin_blocks(w, k.blocks, k.words);
  scan_words(w, k, [&](const Lanes<int>& word, const Lanes<int>& bytes) {
    stage.put(0, bytes);
    emit(
        w, k.words, w.global_x(), bytes, kValueSize, [&](const Lanes<int>& i) { return w.load(k.text, word + i); },
        [&](const Lanes<int>& i) { return stage.byte(0, i); });
  });
}

Lanes<int> compare_words(Warp& w, const Array<Byte>& keys, const Lanes<Record>& a, const Lanes<Record>& b) {
  const auto first_a = w.compute(1, key_place<Byte>(a), here()), first_b = w.compute(1, key_place<Byte>(b), here());
  Lanes<int> k = 0, going_on = 1, result = 0;
  const auto compare_letters = [&] {
    const auto letter_a = w.load(keys, first_a + k, here());
    const auto letter_b = w.load(keys, first_b + k, here());
    w.update(result, 2, lanewise([](Byte x, Byte y) { return int(x > y) - int(x < y); }, letter_a, letter_b), here());
    w.update(going_on, 2, lanewise([](Byte x, Byte y) { return int(x == y && x != 0); }, letter_a, letter_b), here());
    w.set(k, k + 1);
  };
  w.while_any([&] { return going_on == 1; }, compare_letters, here());
  return result;
}

class WordCount final : public Job {
 public:
  WordCount(const Arguments& arguments, Memory& memory, std::uint64_t seed) : Job(memory, "word_count") {
    const BlockShape shape = block_shape(arguments);
    auto& d = data_;
    d.blocks = make_blocks(memory, shape);
    host_text_ = prose(shape, seed);
    d.text = copied(memory, "text", host_text_);
    for (int i = 0; i < shape.blocks; ++i) map_on_host(d.blocks.blocks[std::uint64_t(i)]);
    d.words = make_emission("map", shape.blocks, words_, true);
    add_emitting(
        "map", shape.blocks, d.words, [this](Warp& w) { count_words(w, data_); }, [this](Warp& w) { write_words(w, data_); });
    const auto on_gpu = [keys = d.words.keys](Warp& w, const Lanes<Record>& a, const Lanes<Record>& b) {
      return compare_words(w, keys, a, b);
    };
    const Order order{on_gpu, [this](const Record& a, const Record& b) {
                        const int difference = std::strcmp(letters(a), letters(b));
                        return int(difference > 0) - int(difference < 0);
                      }};
    groups_ = add_grouping("map", d.words, words_, order, {arguments("sort_launches"), false, 30});
  }

  bool check(std::string& why) const override {
    return equal("text", data_.text, host_text_, why) && check_emission("map", data_.words, words_, why) &&
           check_groups(0, groups_, words_, why);
  }

 private:
  const char* letters(const Record& record) const { return reinterpret_cast<const char*>(&words_.keys[std::size_t(record.key_offset)]); }

  void map_on_host(const Block& block) {
    int first = -1;
    for (int i = block.begin; i < block.begin + block.size; ++i) {
      Byte& c = host_text_[std::size_t(i)];
      if (is_letter(c)) {
        if (first < 0) first = i;
      } else if (first >= 0) {
        c = 0;
        const Word bytes = i - first + 1;
        if (bytes > kFewestLetters) words_.emit(&host_text_[std::size_t(first)], std::size_t(bytes), &bytes, sizeof bytes);
        first = -1;
      }
    }
  }

  Data data_{};
  std::vector<Byte> host_text_;  // the text after the run
  Records words_;
  Groups groups_;
};

}  // namespace
}  // namespace word_count

Entry word_count_entry() {
  return {{"word_count",
           "words of a text (Mars): each lane scans a text of its own and writes into it, then a bitonic sort by string",
           mars::text_arguments("43", "2048", true),
           {},
           {{"tiny", {{"records", 40}, {"scan", 160}, {"sort_launches", 4}}},
            {"std", {{"records", 22}, {"sort_launches", 20}}},
            {"paper", {{"records", 43}}},
            {"ciao", {{"records", 7680}, {"scan", 64}, {"sort_launches", 10}}}}},
          make_workload<word_count::WordCount>};
}

}  // namespace wharf::spmd
