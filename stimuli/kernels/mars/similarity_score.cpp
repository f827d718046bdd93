// SIMILARITY SCORE, Mars (workloads section 6.3): compares documents, each a vector of numbers. A thread compares two of them. The lanes of
// a warp share the first; their second documents are a kilobyte apart, and a line of them serves eight iterations.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/mars/mars.h"

namespace wharf::spmd {
namespace similarity_score {
namespace {
using namespace mars;

struct Quad {
  float v[4];
};
/// The value of an input record; without the last number, that of an emitted record.
struct Couple {
  Word first, second, pitch;
};
struct Sums {
  float product, first, second;
};

struct Data {
  Array<Record> input;  // key: place of the matrix
  Array<std::int64_t> matrices;
  Array<Couple> couples;
  Array<Quad> matrix;
  Emission scores;
  int records, dimensions;
};

constexpr int kKeySize = sizeof(float), kValueSize = 2 * sizeof(Word);

Sums add(Sums s, Quad a, Quad b) {
  for (int i = 0; i < 4; ++i) {
    s.product += a.v[i] * b.v[i];
    s.first += a.v[i] * a.v[i];
    s.second += b.v[i] * b.v[i];
  }
  return s;
}

float quotient(float product, float lengths) { return lengths == 0.0f ? 0.0f : product / lengths; }

Word bits(float x) {
  Word word;
  std::memcpy(&word, &x, sizeof word);
  return word;
}

void count_scores(Warp& w, const Data& k) {
  const auto thread = w.global_x();
  w.alu(6);
  w.where(thread < k.records, [&] { count_record(w, k.scores, thread, kKeySize, kValueSize); });
}

void write_scores(Warp& w, const Data& k) {
  const auto thread = w.global_x();
  Stage stage(w);
  w.alu(6);
  w.where(thread < k.records, [&] {
    begin_records(w, k.scores, thread);
    const auto record = w.load(k.input, thread);
    const auto matrix = w.load(k.matrices, key_place<std::int64_t>(record));
    const auto couple = value_place<Couple>(record);
    const auto first = w.load(k.couples, couple, &Couple::first);
    const auto second = w.load(k.couples, couple, &Couple::second);
    const auto pitch = w.load(k.couples, couple, &Couple::pitch);
    const auto row = [](std::int64_t m, Word document, Word n) { return int(m) + document * (n / 4); };
    const auto row_a = w.compute(2, lanewise(row, matrix, first, pitch));
    const auto row_b = w.compute(2, lanewise(row, matrix, second, pitch));
    Lanes<Sums> sums = Sums{};
    for (const int i : w.trips(k.dimensions / 4)) {
      const auto a = w.load(k.matrix, row_a + i);
      const auto b = w.load(k.matrix, row_b + i);
      w.update(sums, 14, lanewise(add, sums, a, b));
    }
    const auto lengths = w.sfu(2, lanewise([](Sums s) { return std::sqrt(s.first) * std::sqrt(s.second); }, sums));
    const auto score = w.sfu(1, lanewise([](Sums s, float l) { return quotient(s.product, l); }, sums, lengths));
    stage.put(0, lanewise(bits, score));
    stage.put(1, first);
    stage.put(2, second);
    emit(
        w, k.scores, thread, kKeySize, kValueSize, [&](const Lanes<int>& i) { return stage.byte(0, i); },
        [&](const Lanes<int>& i) { return stage.byte(1, i); });
  });
}

Lanes<int> compare_scores(Warp& w, const Array<float>& keys, const Lanes<Record>& a, const Lanes<Record>& b) {
  const auto score_a = w.load(keys, key_place<float>(a), here());
  const auto score_b = w.load(keys, key_place<float>(b), here());
  return w.compute(2, lanewise([](float x, float y) { return int(x > y) - int(x < y); }, score_a, score_b), here());
}

class SimilarityScore final : public Job {
 public:
  SimilarityScore(const Arguments& arguments, Memory& memory, std::uint64_t seed) : Job(memory, "similarity_score") {
    const int documents = arguments("documents");
    auto& d = data_;
    const int pitch = arguments("pitch");
    d.dimensions = arguments("dimensions");
    arguments.require(d.dimensions % 4 == 0 && pitch % 4 == 0, "dimensions and pitch must be multiples of 4, which a load reads at once");
    arguments.require(pitch >= d.dimensions, "pitch is the distance between rows and must be at least dimensions");
    d.records = documents * (documents - 1) / 2;
    d.matrix = memory.array<Quad>("matrix", std::uint64_t(documents) * std::uint64_t(pitch / 4));
    Rng random(seed);
    for (std::uint32_t i = 0; i < d.matrix.size; ++i) {
      for (float& element : d.matrix[i].v) element = static_cast<float>(random.below(100));
    }
    d.input = memory.array<Record>("input", std::uint64_t(d.records));
    d.matrices = memory.array<std::int64_t>("matrices", 1);
    d.couples = memory.array<Couple>("couples", std::uint64_t(d.records));
    std::uint64_t i = 0;
    for (Word first = 0; first < documents; ++first) {
      for (Word second = first + 1; second < documents; ++second, ++i) {
        d.input[i] = {0, sizeof(std::int64_t), Word(i * sizeof(Couple)), sizeof(Couple)};
        d.couples[i] = {first, second, pitch};
        map_on_host(d.couples[i]);
      }
    }
    d.scores = make_emission("map", d.records, scores_, true);
    add_emitting(
        "map", d.records, d.scores, [this](Warp& w) { count_scores(w, data_); }, [this](Warp& w) { write_scores(w, data_); });
    const Order order{[keys = in_parts_of<float>(d.scores.keys)](Warp& w, const Lanes<Record>& a, const Lanes<Record>& b) {
                        return compare_scores(w, keys, a, b);
                      },
                      [this](const Record& a, const Record& b) { return int(score(a) > score(b)) - int(score(a) < score(b)); }};
    groups_ = add_grouping("map", d.scores, scores_, order, {arguments("sort_launches"), arguments("sort_in_shared") != 0, 20});
  }

  bool check(std::string& why) const override {
    return check_emission("map", data_.scores, scores_, why) && check_groups(0, groups_, scores_, why);
  }

 private:
  void map_on_host(const Couple& couple) {
    const auto& d = data_;
    Sums sums{};
    const Quad* const a = d.matrix.data + couple.first * (couple.pitch / 4);
    const Quad* const b = d.matrix.data + couple.second * (couple.pitch / 4);
    for (int i = 0; i < d.dimensions / 4; ++i) sums = add(sums, a[i], b[i]);
    const float score = quotient(sums.product, std::sqrt(sums.first) * std::sqrt(sums.second));
    scores_.emit(&score, sizeof score, &couple, kValueSize);
  }
  float score(const Record& record) const {
    float x;
    std::memcpy(&x, &scores_.keys[std::size_t(record.key_offset)], sizeof x);
    return x;
  }

  Data data_{};
  Records scores_;
  Groups groups_;
};

}  // namespace
}  // namespace similarity_score

Entry similarity_score_entry() {
  return {{"similarity_score",
           "similarity of each two documents (Mars): one row of a matrix shared by the lanes, another of each lane's own",
           {{"documents", "1024", 2, 1024, "rows of the matrix; each two of them are a thread"},
            {"dimensions", "256", 4, 1024, "columns, a multiple of 4"},
            {"pitch", "dimensions", 4, 1024, "elements from one row to the next, a multiple of 4"},
            {"sort_launches", "0", 0, 1000, "launches of the sort; 0: all"},
            {"sort_in_shared", "1", 0, 1, "1: sort chunks of 256 records in shared memory, as Mars does above 256 K"}},
           {},
           {{"tiny", {{"documents", 24}, {"dimensions", 64}, {"sort_launches", 1}}},
            {"std", {{"documents", 256}, {"sort_launches", 20}, {"sort_in_shared", 0}}},
            {"paper", {{"documents", 1024}}},
            {"ciao", {{"documents", 304}, {"dimensions", 128}, {"pitch", 256}, {"sort_launches", 4}}}}},
          make_workload<similarity_score::SimilarityScore>};
}

}  // namespace wharf::spmd
