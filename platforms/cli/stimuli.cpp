#include "platforms/cli/stimuli.h"

#include <filesystem>

#include "model/base/error.h"
#include "model/base/hash.h"
#include "platforms/cli/files.h"
#include "stimuli/catalogue.h"
#include "stimuli/synthetic/synthetic.h"
#include "stimuli/traces/trace_list.h"

namespace wharf::cli {
namespace {

/// The bench stimulus is not in the catalogue, because it is not a program.
constexpr const char* kSynthetic = "synthetic";

bool is_synthetic(const std::string& spec) { return spec.substr(0, spec.find_first_of("@:")) == kSynthetic; }

SyntheticParams synthetic_params(const std::string& spec) {
  const std::size_t name_end = std::string(kSynthetic).size();
  if (spec.size() == name_end) return {};
  if (spec[name_end] != ':') throw InputError("synthetic has no sizes; write synthetic or synthetic:loads=50,ctas=640");
  return parse_synthetic(spec.substr(name_end + 1));
}

}  // namespace

std::unique_ptr<Stimulus> open_named_stimulus(const std::string& spec, std::uint64_t seed) {
  if (is_synthetic(spec)) return make_synthetic(synthetic_params(spec), seed);
  return make_stimulus(spec, seed);
}

void check_stimulus(const std::string& spec) {
  if (is_synthetic(spec)) {
    synthetic_params(spec);
  } else {
    wharf::check_stimulus(spec);
  }
}

std::uint64_t limit_of_stimulus(const std::string& spec) { return is_synthetic(spec) ? kNever : limit_warp_instructions(spec); }

std::vector<std::pair<std::string, std::string>> stimulus_names() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const WorkloadInfo& workload : list_stimuli()) names.emplace_back(workload.name, workload.help);
  names.emplace_back(kSynthetic, "coalesced loads of a chosen share and locality, for measuring the simulator");
  return names;
}

std::vector<Suite> all_suites() { return load_suites(project_root() / "stimuli" / "suites.yaml"); }

std::vector<std::string> stimuli_of_suite(const std::string& name) {
  const std::vector<Suite> suites = all_suites();
  const Suite& suite = find_suite(suites, name);
  check_workloads(suite, check_stimulus);
  return suite.workloads();
}

std::unique_ptr<Stimulus> open_trace(const std::string& trace, const traces::ReaderOptions& options) {
  return std::make_unique<traces::TraceStimulus>(trace, options);
}

std::string trace_fingerprint(const std::string& trace) {
  const traces::TraceList list = traces::read_trace_list(trace);
  std::string digest = fingerprint_of_file(list.path);
  for (const traces::ListedKernel& kernel : list.kernels) {
    traces::require_file(list, kernel);
    digest += fingerprint_of_file(kernel.path);
  }
  return hash_text(digest);
}

std::string trace_fingerprint_of(const Stimulus& trace) {
  const auto& read = dynamic_cast<const traces::TraceStimulus&>(trace);
  const std::vector<std::string> kernels = read.kernel_fingerprints();
  const bool kernel_alone = read.list().path == read.list().kernels.front().path;
  std::string digest = kernel_alone ? kernels.front() : fingerprint_of_file(read.list().path);
  for (const std::string& kernel : kernels) digest += kernel;
  return hash_text(digest);
}

std::string trace_name(const std::string& trace) {
  return std::filesystem::absolute(traces::read_trace_list(trace).path).lexically_normal().parent_path().filename().string();
}

}  // namespace wharf::cli
