// Properties of every sharing predictor in the catalogue.
#include "policies/sharing_predictor/sharing_predictor.h"

#include <catch2/catch.hpp>
#include <vector>

#include "model/base/rng.h"

using namespace wharf;

TEST_CASE("every sharing predictor takes answers in any order, repeats itself for the same seed, and leaves the ticket's top bit free") {
  for (const auto& policy : sharing_predictor_catalogue_names()) {
    INFO(policy.name);
    CHECK_FALSE(policy.help.empty());
    std::vector<bool> told[2];
    for (auto& answers : told) {
      SharingPredictorOptions options;
      options.precision_percent = 70.0;
      options.hint_pcs = {0x30, 0x10};
      options.seed = 5;
      const auto predictor = make_sharing_predictor(policy.name, options);
      Rng rng(9);
      std::vector<SharingPredictor::Ticket> open;
      for (int i = 0; i < 20000; ++i) {
        const SharingPredictor::Miss miss{static_cast<std::uint32_t>(rng.below(100) * 0x10), rng.chance(0.5)};
        const SharingPredictor::Answer answer = predictor->predict(miss);
        answers.push_back(answer.shared);
        REQUIRE(answer.ticket.entry < 1u << 15);
        CHECK(SharingPredictor::Ticket::of(answer.ticket.packed()).epoch == answer.ticket.epoch);
        open.push_back(answer.ticket);
        if (open.size() > 32) {
          const std::size_t index = rng.below(open.size());
          predictor->filled(open[index], rng.chance(0.1));
          open[index] = open.back();
          open.pop_back();
        }
        if (i % 5000 == 0) predictor->kernel_started();
      }
    }
    CHECK(told[0] == told[1]);
  }
}

TEST_CASE("an unknown sharing predictor is refused with the names on offer, and so are options out of their range") {
  CHECK_THROWS_WITH(make_sharing_predictor("psychic", {}),
                    Catch::Contains("unknown sharing predictor 'psychic'") && Catch::Contains("oracle, pc_two_bit, hints"));
  SharingPredictorOptions options;
  options.precision_percent = 101.0;
  CHECK_THROWS_WITH(make_sharing_predictor("oracle", options), Catch::Contains("outside 0 to 100 %"));
  options.pc_two_bit.entries = 0;
  CHECK_THROWS_WITH(make_sharing_predictor("pc_two_bit", options), Catch::Contains("1 to 4096 entries"));
  options.pc_two_bit = {};
  options.pc_two_bit.window = 48;
  CHECK_THROWS_WITH(make_sharing_predictor("pc_two_bit", options), Catch::Contains("not a power of two"));
}
