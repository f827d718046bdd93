#include "stimuli/traces/ctas/kernel_source.h"

namespace wharf::traces {

bool TextKernel::next(CtaStep& step) {
  const bool more = reader_.next_cta(step.cta);
  step.code.clear();
  for (const CodeTable& code = *reader_.code(); known_ < code.size(); ++known_) step.code.push_back(code[static_cast<std::uint32_t>(known_)]);
  step.warnings = warnings_.take();
  step.line = reader_.source().line_number();
  step.consumed = reader_.source().bytes_consumed();
  return more;
}

}  // namespace wharf::traces
