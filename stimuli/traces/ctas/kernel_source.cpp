#include "stimuli/traces/ctas/kernel_source.h"

#include "stimuli/traces/ctas/seen_ctas.h"

namespace wharf::traces {

bool TextKernel::next(CtaStep& step) {
  const bool more = reader_.next_cta(step.cta);
  step.code.clear();
  for (const CodeTable& code = *reader_.code(); known_ < code.size(); ++known_)
    step.code.push_back(code[static_cast<std::uint32_t>(known_)]);
  step.warnings = warnings_.drain();
  step.line = reader_.source().line_number();
  step.consumed = reader_.source().bytes_consumed();
  return more;
}

void require_whole_kernel(const std::string& path, UnknownOpcodes unknown) {
  const std::unique_ptr<KernelSource> kernel = open_kernel(path, unknown);
  const std::uint64_t all = kernel->launch().grid.count();
  SeenCtas seen;
  CtaStep step;
  while (kernel->next(step))
    if (!seen.add(step.cta.number)) throw duplicate_cta(path, step.line, step.cta.number);
  if (seen.count() != all) throw ctas_missing(path, step.line, seen, all);
}

}  // namespace wharf::traces
