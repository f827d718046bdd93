#include "stimuli/catalogue.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "model/base/error.h"
#include "model/base/text.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/spmd/spmd_stimulus.h"
#include "stimuli/traces/selection/trace_spec.h"

namespace wharf {
namespace {

void add_common_arguments(spmd::Entry& entry) {
  auto& arguments = entry.info.arguments;
  arguments.push_back({"unroll", "1", 1, 32, "copies of each pc in loops"});
  arguments.push_back({"alu", "1", 0, 100, "factor on all counts of compute instructions", Argument::Kind::real});
}

constexpr spmd::Entry (*kEntries[])() = {spmd::vectoradd_entry,
                                         spmd::gemm_entry,
                                         spmd::mm2_entry,
                                         spmd::mm3_entry,
                                         spmd::doitgen_entry,
                                         spmd::atax_entry,
                                         spmd::bicg_entry,
                                         spmd::mvt_entry,
                                         spmd::gesummv_entry,
                                         spmd::syrk_entry,
                                         spmd::syr2k_entry,
                                         spmd::corr_entry,
                                         spmd::covar_entry,
                                         spmd::conv2d_entry,
                                         spmd::conv3d_entry,
                                         spmd::bfs_entry,
                                         spmd::bfs2_entry,
                                         spmd::kmeans_entry,
                                         spmd::backprop_entry,
                                         spmd::hotspot_entry,
                                         spmd::hotspot3d_entry,
                                         spmd::srad_v1_entry,
                                         spmd::stencil_entry,
                                         spmd::spmv_entry,
                                         spmd::blackscholes_entry,
                                         spmd::transpose_entry,
                                         spmd::fast_walsh_entry,
                                         spmd::scalar_prod_entry,
                                         spmd::lps_entry,
                                         spmd::alexnet_entry,
                                         spmd::resnet_entry,
                                         spmd::squeezenet_entry,
                                         spmd::lud_entry,
                                         spmd::nw_entry,
                                         spmd::cfd_entry,
                                         spmd::b_plus_tree_entry,
                                         spmd::ispass_nn_entry,
                                         spmd::barnes_hut_entry,
                                         spmd::ray_entry,
                                         spmd::reduction_entry,
                                         spmd::streamcluster_entry,
                                         spmd::gaussian_entry,
                                         spmd::nn_entry,
                                         spmd::matrixmul_entry,
                                         spmd::histogram64_entry,
                                         spmd::cp_entry,
                                         spmd::stencil3d_entry,
                                         spmd::lib_entry,
                                         spmd::mri_q_entry,
                                         spmd::dwt2d_entry,
                                         spmd::sgemm_entry,
                                         spmd::histo_entry,
                                         spmd::lbm_entry,
                                         spmd::mri_gridding_entry,
                                         spmd::parboil_bfs_entry,
                                         spmd::parboil_spmv_entry,
                                         spmd::pagerank_entry,
                                         spmd::inverted_index_entry,
                                         spmd::page_view_count_entry,
                                         spmd::similarity_score_entry,
                                         spmd::string_match_entry,
                                         spmd::word_count_entry,
                                         spmd::mars_kmeans_entry,
                                         spmd::streams_entry,
                                         spmd::residency_entry,
                                         spmd::llm_gemm_entry,
                                         spmd::llm_prefill_entry,
                                         spmd::llm_decode_entry,
                                         spmd::llm_norm_entry,
                                         spmd::llm_rotary_entry,
                                         spmd::llm_layer_entry,
                                         spmd::llm_top_k_entry,
                                         spmd::llm_moe_entry,
                                         spmd::cluster_histogram_entry,
                                         spmd::cluster_reduction_entry,
                                         spmd::cluster_stencil_entry,
                                         spmd::cluster_gemm_entry};

std::vector<spmd::Entry> table() {
  std::vector<spmd::Entry> entries;
  for (const auto entry : kEntries) add_common_arguments(entries.emplace_back(entry()));
  return entries;
}

/// The table and what has been added to it.
std::vector<spmd::Entry>& catalogue() {
  static std::vector<spmd::Entry> entries = table();
  return entries;
}

constexpr double kMostExact = 9007199254740991.0;  // 2^53 - 1: every whole number up to here is exact
constexpr const char* kLimit = "limit_warp_instructions";
constexpr const char* kBatch = "batch";

/// Arguments of all workloads whose presets, shown to people, are no numbers.
WorkloadInfo with_run_arguments(WorkloadInfo info, const std::string& seed, const std::string& limit) {
  info.arguments.push_back({"seed", seed, 0, kMostExact, "of the random inputs"});
  info.arguments.push_back({kLimit, limit, 1, kMostExact, "the workload ends after this number of issued warp instructions"});
  return info;
}

Arguments arguments_of(const spmd::Entry& entry, const Spec& spec) {
  return resolve(spec, with_run_arguments(entry.info, "1", fmt::format("{:.0f}", kMostExact)));
}

bool is_set(const Spec& spec, std::string_view name) {
  return std::any_of(spec.settings.begin(), spec.settings.end(), [&](const auto& setting) { return setting.first == name; });
}

/// The text with one setting more.
std::string with_setting(const Spec& spec, const std::string& text, const char* name, std::uint64_t value) {
  const char* link = !spec.settings.empty() ? "," : spec.size.empty() ? "@std:" : ":";
  return fmt::format("{}{}{}={}", text, link, name, value);
}

std::pair<spmd::Entry, Spec> find_entry(std::string_view text) {
  Spec spec = split_spec(text);
  std::vector<std::string> names;
  for (const spmd::Entry& entry : catalogue()) {
    if (entry.info.name == spec.name) return {entry, std::move(spec)};
    names.push_back(entry.info.name);
  }
  const std::string likely = did_you_mean(spec.name, names);
  throw InputError(spec.text + ": unknown workload " + quote(spec.name) + (likely.empty() ? ";" : likely) + " there are " +
                   join(names, names.size()));
}

}  // namespace

std::unique_ptr<Stimulus> make_stimulus(std::string_view text, std::uint64_t seed) {
  const auto [entry, spec] = find_entry(text);
  const Arguments arguments = arguments_of(entry, spec);
  const std::uint64_t input_seed =
      (is_set(spec, "seed") ? static_cast<std::uint64_t>(arguments.integer64("seed")) : seed) + entry.seed_offset;
  spmd::Translation translation;
  translation.unroll = static_cast<std::uint32_t>(arguments("unroll"));
  translation.alu_scale = arguments.real("alu");
  const spmd::Entry& made_from = entry;
  return std::make_unique<spmd::SpmdStimulus>(translation, [&](spmd::Memory& memory) {
    auto workload = made_from.make(arguments, memory, input_seed);
    if (!workload)
      throw InputError("the maker of workload '" + made_from.info.name + "' (" + made_from.info.help +
                       ") has returned nothing; let it return an object");
    return workload;
  });
}

void check_stimulus(std::string_view text) {
  const auto [entry, spec] = find_entry(text);
  arguments_of(entry, spec);
}

std::uint64_t limit_warp_instructions(std::string_view text) {
  const auto [entry, spec] = find_entry(text);
  return is_set(spec, kLimit) ? static_cast<std::uint64_t>(arguments_of(entry, spec).integer64(kLimit)) : kNever;
}

std::string with_limit(const std::string& text, std::uint64_t warp_instructions) {
  const Spec spec = split_spec(text);
  if (is_set(spec, kLimit)) throw InputError(fmt::format("{}: has a limit of its own; keep one", spec.text));
  return with_setting(spec, text, kLimit, warp_instructions);
}

std::string in_program_order(const std::string& text) {
  const auto [entry, spec] = find_entry(text);
  const auto& own = entry.info.arguments;
  const bool has_batch = std::any_of(own.begin(), own.end(), [](const Argument& argument) { return argument.name == kBatch; });
  if (!has_batch || is_set(spec, kBatch) || arguments_of(entry, spec)(kBatch) == 1) return text;
  return with_setting(spec, text, kBatch, 1);
}

std::string without_limit(const std::string& text) {
  const std::size_t at = text.find(kLimit);
  if (at == std::string::npos) return text;
  const std::size_t next = text.find(',', at);
  const std::string head = text.substr(0, next == std::string::npos ? at - 1 : at);
  return next == std::string::npos ? head : head + text.substr(next + 1);
}

void add_stimulus(spmd::Entry entry) {
  const std::string& name = entry.info.name;
  const auto& entries = catalogue();
  const bool taken = std::any_of(entries.begin(), entries.end(), [&](const spmd::Entry& other) { return name == other.info.name; });
  if (taken || name + ':' == traces::kPrefix)
    throw InputError("there is a workload " + quote(name) + " already; give the one that is added another name");
  add_common_arguments(entry);
  catalogue().push_back(std::move(entry));
}

std::vector<WorkloadInfo> list_stimuli() {
  std::vector<WorkloadInfo> infos;
  for (const spmd::Entry& entry : catalogue()) infos.push_back(with_run_arguments(entry.info, "the run's seed", "no limit"));
  return infos;
}

}  // namespace wharf
