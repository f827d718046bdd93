// Links modules.
#include "stimuli/ptx/program/linker.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/base/text.h"
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/program/analysis/associated_policies.h"
#include "stimuli/ptx/program/analysis/block_schedule.h"
#include "stimuli/ptx/program/analysis/flow_graph.h"
#include "stimuli/ptx/program/analysis/issue_table.h"
#include "stimuli/ptx/program/analysis/liveness.h"
#include "stimuli/ptx/program/kernel_resources.h"
#include "stimuli/ptx/program/statement_lowering.h"

namespace wharf::ptx {

namespace {

/// True for a line of the compiler's headers or of ours: a user looks for the line that uses them (CU-57).
bool is_of_header(const Module& module, const SourceLine& line) {
  const auto file = module.files.find(line.file);
  if (file == module.files.end()) return line.line == 0;
  for (const std::string_view part : {"__clang_cuda", "stimuli/cuda/include/"})
    if (file->second.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

void Linker::run() {
  const auto modules = static_cast<std::uint32_t>(program_.modules_.size());
  for (std::uint32_t i = 0; i < modules; ++i) add_functions(i);
  for (std::uint32_t i = 0; i < modules; ++i) add_variables(i);
  for (std::uint32_t i = 0; i < modules; ++i) write_initial_values(i);
  for (std::size_t i = 0; i < sources_.size(); ++i) decode(*sources_[i].first, program_.functions_[i]);
  program_.constants_ = constants_.take();
}

void Linker::add_functions(std::uint32_t module) {
  for (const Function& function : program_.modules_[module].functions) {
    if (!function.is_defined || !definitions_.counts(function)) continue;
    const auto index = static_cast<std::uint32_t>(program_.functions_.size());
    symbols_.add(module, function.name, {Symbol::Kind::function, index, 0}, Definitions::is_shared(function));
    FunctionCode code;
    code.name = std::string(function.name);
    code.readable_name = readable_name(code.name);
    code.module = module;
    code.is_kernel = function.is_kernel;
    code.most_threads = function.most_threads;
    code.required_threads = function.required_threads;
    code.required_cluster = function.required_cluster;
    code.least_ctas_per_sm = function.least_ctas_per_sm;
    code.most_registers = function.most_registers;
    program_.functions_.push_back(std::move(code));
    program_.function_names_[std::string(function.name)] = index;
    sources_.push_back({&function, module});
  }
}

void Linker::add_variables(std::uint32_t module) {
  for (const Variable& variable : program_.modules_[module].variables) {
    if (variable.space == StateSpace::shared) {
      const auto index = static_cast<std::uint32_t>(program_.shared_variables_.size());
      const bool is_known = Definitions::is_shared(variable) && symbols_.shares(variable.name);
      if (is_known) continue;
      program_.shared_variables_.push_back({std::string(variable.name), variable.bytes, variable.alignment});
      symbols_.add(module, variable.name, {Symbol::Kind::shared, index, 0}, Definitions::is_shared(variable));
      continue;
    }
    if (variable.space != StateSpace::global && variable.space != StateSpace::constant)
      fail_at(*program_.modules_[module].source, variable.place,
              fmt::format("a variable in .{} stands outside functions", name_of(variable.space)), "use .global, .const or .shared");
    if (variable.linkage == Linkage::external || !definitions_.counts(variable)) continue;
    const Address base = memory_.allocate(variable.bytes, "variable " + std::string(variable.name));
    if (variable.space == StateSpace::constant) memory_.protect(base);
    const auto kind = variable.is_texture ? Symbol::Kind::texture : Symbol::Kind::memory;
    symbols_.add(module, variable.name, {kind, 0, base}, Definitions::is_shared(variable));
    program_.variable_names_[std::string(variable.name)] = base;
  }
}

void Linker::write_initial_values(std::uint32_t module) {
  for (const Variable& variable : program_.modules_[module].variables) {
    if (variable.linkage == Linkage::external || (variable.initial.empty() && variable.relocations.empty())) continue;
    if (variable.space == StateSpace::shared || !definitions_.counts(variable)) continue;
    const auto symbol = symbols_.find(module, variable.name);
    if (!symbol || symbol->kind != Symbol::Kind::memory) continue;
    std::copy(variable.initial.begin(), variable.initial.end(), memory_.at(symbol->address));
    relocate(module, variable, symbol->address);
  }
}

void Linker::relocate(std::uint32_t module, const Variable& variable, Address base) {
  for (const Relocation& relocation : variable.relocations) {
    const auto symbol = symbols_.find(module, relocation.symbol);
    if (!symbol || symbol->kind == Symbol::Kind::shared)
      fail_at(*program_.modules_[module].source, relocation.place,
              quoted(relocation.symbol) + " is neither a variable in global memory nor a function",
              "declare it in this module or in one linked with it");
    const Address address =
        (symbol->kind == Symbol::Kind::function ? kFunctionWindow + std::uint64_t{symbol->index} * Program::kBytesPerInstruction
                                                : symbol->address) +
        static_cast<std::uint64_t>(relocation.addend);
    for (unsigned i = 0; i < relocation.bytes; ++i) memory_.at(base + relocation.offset)[i] = static_cast<std::byte>(address >> (8 * i));
  }
}

void Linker::decode(const Function& function, FunctionCode& code) {
  const std::size_t first = program_.code_.size(), shared = program_.shared_variables_.size();
  code.begin = code.end = static_cast<std::uint32_t>(first);
  DraftFunction drafts;
  Surroundings around{
      program_.modules_[code.module], code.module, symbols_, constants_, program_.calls_, program_.matrices_, program_.branch_tables_,
      program_.shared_variables_};
  try {
    StatementLowering(around, function, code, drafts).run();
    constexpr std::uint64_t kMostWork = std::uint64_t{1} << 32;  // registers times instructions: what liveness has to hold
    if (drafts.registers.size() * drafts.drafts.size() > kMostWork)
      fail_at(*program_.modules_[code.module].source, function.place, "the function is too large",
              "divide it into functions that are not inlined");
  } catch (const InputError& error) {
    // Kept for the first launch that could run the function.
    code.error = error.what();
    program_.shared_variables_.resize(shared);
    code.shared_variables.clear();
    return;
  }
  finish(drafts, function, code);
}

/// The place of each statement of a function, and of the return that the text may lack.
std::vector<Location> Linker::locations_of(const Function& function, const FunctionCode& code) const {
  std::vector<Location> locations;
  SourceLine source = function.source;  // the last line of the user's own files
  for (const Statement& statement : function.statements) {
    if (!is_of_header(program_.modules_[code.module], statement.source)) source = statement.source;
    locations.push_back({statement.place.line, source});
  }
  locations.push_back({function.place.line, source});
  return locations;
}

void Linker::finish(DraftFunction& drafts, const Function& function, FunctionCode& code) {
  apply_associated_policies(drafts, program_.calls_);
  const FlowGraph graph = flow_graph(drafts.drafts, code.begin, program_.branch_tables_);
  Liveness live = liveness(drafts, graph, program_.calls_);
  std::vector<std::uint32_t> statements(drafts.drafts.size());  // that each draft comes from
  std::iota(statements.begin(), statements.end(), 0u);
  if (program_.options_.schedule == Schedule::hoisted) {
    statements = hoist_loads(drafts, graph, live, program_.calls_, registers_for_loads(code, live.most_registers));
    live = liveness(drafts, graph, program_.calls_);
  }
  set_joins(drafts.drafts, code.begin, graph);
  code.live_registers = live.most_registers;
  code.live_at_calls = live.most_at_calls;
  const std::vector<Issue> issues = issue_table(drafts, live, program_.calls_, code.is_kernel, program_.options_.timing);
  program_.issues_.insert(program_.issues_.end(), issues.begin(), issues.end());
  const FrameLayout layout = lay_out_frame(drafts, live);
  code.frame_bytes = layout.bytes;
  code.cleared = layout.cleared;
  const auto place = [&](Operand& operand) {
    if (operand.present() && operand.bank() == static_cast<unsigned>(Bank::frame))
      operand = Operand(Bank::frame, layout.offsets[operand.offset()]);
  };
  const std::vector<Location> locations = locations_of(function, code);
  for (std::size_t i = 0; i < drafts.drafts.size(); ++i) {
    Operation& operation = drafts.drafts[i].operation;
    for (Operand& operand : operation.operands) place(operand);
    place(operation.guard);
    if (operation.action == Action::call || operation.action == Action::call_indirect) {
      for (CallArgument& argument : program_.calls_[operation.target].arguments) place(argument.row);
      for (CallArgument& result : program_.calls_[operation.target].results) place(result.row);
    }
    for (const std::vector<Operand>& fragment : drafts.drafts[i].fragments)
      for (Operand operand : fragment) {
        place(operand);
        program_.matrices_[operation.target].registers.push_back(operand);
      }
    program_.code_.push_back(operation);
    program_.locations_.push_back(locations[statements[i]]);
  }
  for (Parameter& parameter : code.parameters) place(parameter.row);
  for (Parameter& result : code.results) place(result.row);
  for (FunctionCode::LocalAddress& address : code.local_addresses) place(address.row);
  code.end = static_cast<std::uint32_t>(program_.code_.size());
}

}  // namespace wharf::ptx
