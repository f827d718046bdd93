// LLM_ROTARY (workloads section 7): rotary position embedding (Su et al., RoFormer, 2021) that pairs the halves of a head, as in GPT-NeoX.
// All heads of a token share the table of angles.

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/llm/llm.h"

namespace wharf::spmd {
namespace llm {
namespace {

constexpr int kPairs = kHeadGroups / 2;  // Half8 per half head

/// a c - b s if `direction` is 1; a c + b s if it is -1.
Half8 rotated(const Half8& a, const Half8& b, const Half8& c, const Half8& s, float direction) {
  Half8 out;
  for (std::size_t i = 0; i < kGroup; ++i) {
    const float turned = direction * float_of_half(b.v[i]) * float_of_half(s.v[i]);
    out.v[i] = half_of_float(float_of_half(a.v[i]) * float_of_half(c.v[i]) - turned);
  }
  return out;
}

}  // namespace

void rotary(Warp& w, const Rotary& d) {
  const auto thread = w.global_x(), token = quotient(thread, d.heads * kPairs), place = remainder(thread, d.heads * kPairs);
  const auto head = quotient(place, kPairs), pair = remainder(place, kPairs);
  w.alu(10);
  w.where(token < d.tokens, [&] {
    const auto x = token * d.pitch_x + head * kHeadGroups + pair, angle = (token * d.position_step + d.first_position) * kPairs + pair;
    const auto a = w.load(d.x, x);
    const auto b = w.load(d.x, x + kPairs);
    const auto c = w.load(d.cosines, angle);
    const auto s = w.load(d.sines, angle);
    const auto forward = [](auto p, auto q, auto r, auto t) { return rotated(p, q, r, t, 1); };
    const auto backward = [](auto p, auto q, auto r, auto t) { return rotated(p, q, r, t, -1); };
    const auto first = w.compute(20, lanewise(forward, a, b, c, s));
    const auto second = w.compute(20, lanewise(backward, b, a, c, s));
    const auto out = (token * d.heads + head) * kHeadGroups + pair;
    w.store(d.out, out, first);
    w.store(d.out, out + kPairs, second);
  });
}

void fill_angles(const Array<Half8>& cosines, const Array<Half8>& sines, int positions) {
  for (int i = 0; i < positions * kHead / 2; ++i) {
    const double angle = (i / (kHead / 2)) * std::pow(10000.0, -2.0 * (i % (kHead / 2)) / kHead);
    cosines[std::uint64_t(i / kGroup)].v[std::size_t(i % kGroup)] = half_of_float(static_cast<float>(std::cos(angle)));
    sines[std::uint64_t(i / kGroup)].v[std::size_t(i % kGroup)] = half_of_float(static_cast<float>(std::sin(angle)));
  }
}

bool check_rotary(const std::string& name, const Rotary& d, std::string& why) {
  constexpr std::size_t kHalf = kHead / 2;
  const auto heads = std::size_t(d.heads);
  std::vector<float> out(std::size_t(d.tokens) * heads * kHead);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t token = i / (heads * kHead), head = i / kHead % heads, element = i % kHead;
    const std::size_t x = token * std::size_t(d.pitch_x) * kGroup + head * kHead + element % kHalf;
    const std::size_t angle = (token * std::size_t(d.position_step) + std::size_t(d.first_position)) * kHalf + element % kHalf;
    const float a = value(d.x, x), b = value(d.x, x + kHalf), c = value(d.cosines, angle), s = value(d.sines, angle);
    out[i] = element < kHalf ? a * c - b * s : b * c + a * s;
  }
  return equal_halves(name, d.out, out, why);
}

namespace {

class Rotation final : public Workload {
 public:
  Rotation(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.tokens = arguments("tokens"), d.heads = arguments("heads"), d.pitch_x = d.heads * kHeadGroups;
    const auto groups = std::uint64_t(d.tokens) * std::uint64_t(d.pitch_x), angles = std::uint64_t(d.tokens) * kPairs;
    d.x = memory.array<Half8>("x", groups);
    d.cosines = memory.array<Half8>("cosines", angles);
    d.sines = memory.array<Half8>("sines", angles);
    d.out = memory.array<Half8>("out", groups);
    Rng random(seed);
    fill(d.x, random, 1);
    fill_angles(d.cosines, d.sines, d.tokens);
    add_launch("llm_rotary", {ctas_for(std::int64_t(d.tokens) * d.heads * kPairs, kThreads)}, {kThreads}, 40, [d](Warp& w) { rotary(w, d); });
  }
  bool check(std::string& why) const override { return check_rotary("out", data_, why); }

 private:
  Rotary data_{};
};

}  // namespace
}  // namespace llm

Entry llm_rotary_entry() {
  return {{"llm_rotary",
           "rotary position embedding: streaming, a table shared by all heads",
           {{"tokens", "1024", 1, 16384, "positions"}, {"heads", "32", 1, 128, "of 128 elements"}},
           {},
           {{"tiny", {{"tokens", 30}, {"heads", 5}}},
            {"std", {{"tokens", 1024}, {"heads", 32}}},
            {"paper", {{"tokens", 4096}, {"heads", 32}}}}},
          make_workload<llm::Rotation>};
}

}  // namespace wharf::spmd
