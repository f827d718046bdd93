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

void require_runnable(const std::string& path, const TracedCta& cta, const KernelRules& rules) {
  if (cta.cluster_line != 0 && !rules.clusters)
    throw TraceError(
        path, cta.cluster_line, "a bulk copy, or an access to another CTA of the cluster, which the machine cannot perform",
        "set platform: cluster, as the machine cluster/h100 does; or leave the kernel out of the list, or run with --skip-bad-kernels");
}

void require_whole_kernel(const std::string& path, const KernelRules& rules) {
  const std::unique_ptr<KernelSource> kernel = open_kernel(path, rules.unknown_opcodes);
  const std::uint64_t all = kernel->launch().grid.count();
  SeenCtas seen;
  CtaStep step;
  while (kernel->next(step)) {
    if (!seen.add(step.cta.number)) throw duplicate_cta(path, step.line, step.cta.number);
    require_runnable(path, step.cta, rules);
  }
  if (seen.count() != all) throw ctas_missing(path, step.line, seen, all);
}

}  // namespace wharf::traces
