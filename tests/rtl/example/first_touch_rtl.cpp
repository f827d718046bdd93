#include <first_touch_sets.h>
#include "model/rtl/sets.h"
#include "model/rtl/verilated_transactor.h"
#include "policies/hit_predictor/hit_predictor.h"

namespace wharf::rtl {
namespace {

template <class Model>
class FirstTouchRtl final : public VerilatedTransactor<Model>, public HitPredictor {
 public:
  using VerilatedTransactor<Model>::VerilatedTransactor;

  // Const for callers: the block's state does not change, although its inputs do.
  bool predict_hit(const Block& block) const override { return const_cast<FirstTouchRtl*>(this)->query(block); }

  bool accessed(const Block& block, bool) override {
    const typename Transactor::Operation operation(*this, update_port_);
    update_.write(true);
    update_row_.write(block.row);
    this->clock_edge();
    update_.write(false);
    return false;
  }

 private:
  bool query(const Block& block) {
    const typename Transactor::Operation operation(*this, query_port_);
    query_row_.write(block.row);
    this->settle();
    return query_hit_.read();
  }

  using VerilatedTransactor<Model>::dut;
  ImmediateSignal<bool> query_hit_{dut.query_hit}, update_{dut.update};
  ImmediateSignal<std::uint32_t> query_row_{dut.query_row}, update_row_{dut.update_row};
  Transactor::PortUse query_port_, update_port_;
};

std::unique_ptr<HitPredictor> make_first_touch_rtl(const HitPredictorOptions& options) {
  const auto visit = [](auto&& visitor) { visit_first_touch_sets(visitor); };
  return make_of_set<HitPredictor>("first_touch", visit, {at_least("ROWS", options.associativity.size())}, [](auto set) {
    return std::make_unique<FirstTouchRtl<typename decltype(set)::Model>>("rtl", "first_touch_rtl", set.text);
  });
}

}  // namespace

void add_first_touch() { add_hit_predictor({"first_touch_rtl", "one bit per set: has it ever been used?", make_first_touch_rtl}); }

}  // namespace wharf::rtl
