#include "stimuli/traces/selection/kernel_selection.h"

#include <algorithm>
#include <vector>

#include "stimuli/kernel_choice.h"
#include "stimuli/traces/bytes/line_source.h"
#include "stimuli/traces/kernel_header.h"

namespace wharf::traces {
namespace {

std::string recorded_name(const std::string& file) {
  WarningLog unused;
  const auto source = LineSource::open(file, LineSource::kSmallPiece);
  return read_kernel_header(*source, unused).name;
}

}  // namespace

TraceList select_kernels(TraceList list, const std::string& stimulus, const std::string& kernels, bool warm) {
  KernelChoice choice(stimulus, kernels);
  std::vector<bool> chosen;  // by place in the list
  for (const ListedKernel& kernel : list.kernels) {
    if (choice.is_by_name()) require_file(list, kernel);
    chosen.push_back(choice.selects(choice.is_by_name() ? recorded_name(kernel.path) : std::string()));
  }
  choice.require_kernels();
  TraceList selected = list;
  selected.kernels.clear();
  selected.warm_up = warm ? static_cast<std::size_t>(std::find(chosen.begin(), chosen.end(), true) - chosen.begin()) : 0;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] || i < selected.warm_up) selected.kernels.push_back(list.kernels[i]);
  return selected;
}

}  // namespace wharf::traces
