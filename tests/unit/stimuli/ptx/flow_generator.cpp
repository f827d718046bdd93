// Makes random programs, writes them as PTX, and interprets them.
#include "tests/unit/stimuli/ptx/flow_generator.h"

namespace wharf::ptx {

namespace {

constexpr std::uint32_t kBudget = 60;  // control steps that a thread may do before it leaves at the next one

std::uint32_t mix(std::uint32_t a, std::uint32_t b, std::uint32_t literal) { return (a * 5 + (b ^ literal)) ^ a >> 7; }

struct Thread {
  std::uint32_t r[4] = {};
  std::uint32_t budget = kBudget, sum = 0;
};

void interpret(const FlowProgram& program, std::size_t function, Thread& thread) {
  const FlowFunction& steps = program.functions[function];
  for (std::size_t pc = 0; pc < steps.size();) {
    const FlowStep& step = steps[pc];
    const bool is_control = step.kind == FlowStep::Kind::branch || step.kind == FlowStep::Kind::jump || step.kind == FlowStep::Kind::call;
    if (is_control) {
      if (thread.budget == 0) return;
      --thread.budget;
    }
    ++pc;
    switch (step.kind) {
      case FlowStep::Kind::compute:
        thread.r[step.a] = mix(thread.r[step.b], thread.r[step.c], step.literal);
        break;
      case FlowStep::Kind::branch:
        if ((thread.r[step.a] & step.literal) != 0) pc = step.target;
        break;
      case FlowStep::Kind::jump:
        pc = step.target;
        break;
      case FlowStep::Kind::call:
        interpret(program, step.target, thread);
        break;
      case FlowStep::Kind::ret:
        if ((thread.r[step.a] & step.literal) != 0) return;
        break;
      case FlowStep::Kind::store:
        thread.sum = mix(thread.sum, thread.r[step.a], step.literal);
        break;
    }
  }
}

std::string reg(unsigned number) { return "%r" + std::to_string(number); }

/// to = mix(a, b, literal); %t are scratch.
std::string mix_text(const std::string& to, const std::string& a, const std::string& b, std::uint32_t literal) {
  return "xor.b32 %t1, " + b + ", " + std::to_string(literal) + "; mad.lo.u32 %t1, " + a + ", 5, %t1; shr.u32 %t2, " + a + ", 7; xor.b32 " +
         to + ", %t1, %t2;\n";
}

/// State passes through memory at %base: r0 to r3, budget, sum.
const char* const kLoadState = "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%base]; ld.global.v2.u32 {%budget, %sum}, [%base+16];\n";
const char* const kStoreState = "st.global.v4.u32 [%base], {%r0, %r1, %r2, %r3}; st.global.v2.u32 [%base+16], {%budget, %sum};\n";

std::string step_text(const FlowStep& step, std::size_t number) {
  const bool is_control = step.kind == FlowStep::Kind::branch || step.kind == FlowStep::Kind::jump || step.kind == FlowStep::Kind::call;
  std::string text = "L" + std::to_string(number) + ":\n";
  if (is_control) text += "setp.eq.u32 %p1, %budget, 0; @%p1 bra END; sub.u32 %budget, %budget, 1;\n";
  const std::string test = "and.b32 %t1, " + reg(step.a) + ", " + std::to_string(step.literal) + "; setp.ne.u32 %p2, %t1, 0;\n";
  const std::string target = "L" + std::to_string(step.target);
  switch (step.kind) {
    case FlowStep::Kind::compute:
      return text + mix_text(reg(step.a), reg(step.b), reg(step.c), step.literal);
    case FlowStep::Kind::branch:
      return text + test + "@%p2 bra " + target + ";\n";
    case FlowStep::Kind::jump:
      return text + "bra " + target + ";\n";
    case FlowStep::Kind::call:
      return text + kStoreState + "{ .param .b64 q; st.param.b64 [q], %base; call f" + std::to_string(step.target) + ", (q); }\n" +
             kLoadState;
    case FlowStep::Kind::ret:
      return text + test + "@%p2 bra END;\n";
    case FlowStep::Kind::store:
      return text + mix_text("%sum", "%sum", reg(step.a), step.literal);
  }
  return text;
}

}  // namespace

std::string FlowProgram::ptx() const {
  const std::string registers = ".reg .pred %p<4>; .reg .b32 %r<4>, %t<4>, %budget, %sum; .reg .b64 %base, %at;\n";
  std::string text = ".version 7.2\n.target sm_70\n.address_size 64\n";
  for (std::size_t i = 1; i < functions.size(); ++i) text += ".func f" + std::to_string(i) + "(.param .b64 state);\n";
  for (std::size_t i = functions.size(); i-- > 0;) {
    text += i == 0 ? ".visible .entry k(.param .u64 p0)\n{\n" + registers +
                         "mov.u32 %t0, %tid.x; ld.param.u64 %base, [p0]; mul.wide.u32 %at, %t0, 32; add.u64 %base, %base, %at;\n"
                   : ".func f" + std::to_string(i) + "(.param .b64 state)\n{\n" + registers + "ld.param.u64 %base, [state];\n";
    text += kLoadState;
    for (std::size_t j = 0; j < functions[i].size(); ++j) text += step_text(functions[i][j], j);
    text += "L" + std::to_string(functions[i].size()) + ":\nEND:\n" + kStoreState + "ret;\n}\n";
  }
  return text;
}

std::uint32_t FlowProgram::run(std::uint32_t thread) const {
  Thread state;
  for (std::uint32_t i = 0; i < 4; ++i) state.r[i] = thread * 2654435761u + i;
  interpret(*this, 0, state);
  return state.sum;
}

FlowProgram random_program(std::mt19937& random) {
  FlowProgram program;
  program.functions.resize(1 + random() % 3);
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    FlowFunction& steps = program.functions[f];
    steps.resize(4 + random() % 24);
    for (FlowStep& step : steps) {
      step.a = random() % 4;
      step.b = random() % 4;
      step.c = random() % 4;
      step.literal = 1u << random() % 8;
      step.target = random() % (steps.size() + 1);
      const unsigned choice = random() % 16;
      if (choice < 5)
        step.kind = FlowStep::Kind::compute;
      else if (choice < 10)
        step.kind = FlowStep::Kind::branch;
      else if (choice < 11)
        step.kind = FlowStep::Kind::jump;
      else if (choice < 12)
        step.kind = FlowStep::Kind::ret;
      else
        step.kind = FlowStep::Kind::store;
      if (choice == 15 && f + 1 < program.functions.size()) {
        step.kind = FlowStep::Kind::call;
        step.target = f + 1 + random() % (program.functions.size() - f - 1);
      }
    }
  }
  return program;
}

}  // namespace wharf::ptx
