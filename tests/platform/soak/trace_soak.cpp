#include "tests/platform/soak/trace_soak.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string_view>

#include "model/base/config/describer.h"
#include "model/base/config/named_files.h"
#include "model/base/error.h"
#include "model/base/rng.h"
#include "platforms/cli/configuration.h"
#include "stimuli/traces/recording/recording_stimulus.h"
#include "stimuli/traces/trace_reader.h"
#include "tests/platform/machines/apart.h"
#include "tests/platform/soak/random_traffic.h"

namespace wharf::test {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kPatience{10};

/// Last words of the keys that bound a queue, or a time that a queue must be long enough for; the latter first.
constexpr std::array<std::string_view, 38> kShortened = {"tag_cycles",
                                                         "access_cycles",
                                                         "fill_cycles",
                                                         "lsu_queue",
                                                         "input_queue",
                                                         "fill_queue",
                                                         "miss_queue",
                                                         "reply_queue",
                                                         "forward_queue",
                                                         "mshr_entries",
                                                         "mshr_targets",
                                                         "mshr_merges",
                                                         "queue_entries",
                                                         "return_entries",
                                                         "dram_link_queue",
                                                         "interface_packets",
                                                         "buffer_flits",
                                                         "ejection_flits",
                                                         "voq_flits",
                                                         "queue",
                                                         "request_queue",
                                                         "read_queue",
                                                         "in_queue",
                                                         "out_queue",
                                                         "stage_queue",
                                                         "q1",
                                                         "q2",
                                                         "q3",
                                                         "q4",
                                                         "payload_slots",
                                                         "write_buffer",
                                                         "read_buffer",
                                                         "reply_latch",
                                                         "incoming",
                                                         "forwarded",
                                                         "replies",
                                                         "outgoing",
                                                         "deflected"};

std::string_view last_word(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

bool is_accepted(const std::string& configuration, const std::vector<std::string>& settings) {
  try {
    cli::load_configuration(configuration, settings, "");
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// Adds the least value, by doubling, that the configuration accepts below its own; none where the key has no effect there.
void shorten(const std::string& configuration, const config::Description& key, std::vector<std::string>& settings) {
  const auto accepts = [&](const std::string& value) {
    settings.push_back(key.path + "=" + value);
    if (is_accepted(configuration, settings)) return true;
    settings.pop_back();
    return false;
  };
  if (!accepts(key.default_value)) return;
  settings.pop_back();
  const std::uint64_t present = key.default_value == "unlimited" ? ~std::uint64_t{0} : std::stoull(key.default_value);
  for (std::uint64_t value = std::max<std::uint64_t>(std::stoull(key.range), 1); value < present; value *= 2)
    if (accepts(std::to_string(value))) return;
}

TrafficShape shape_of(const TraceSoak& soak) {
  Rng random(soak.seed, 0x50AC);
  TrafficShape shape;
  shape.warps_per_cta = 1 + static_cast<unsigned>(random.below(6));
  shape.instructions = 24 + static_cast<unsigned>(random.below(48));
  shape.hot_lines = 2 + static_cast<unsigned>(random.below(40));
  shape.cold_lines = 50u << random.below(9);
  shape.local_lines = 1 + static_cast<unsigned>(random.below(6));
  constexpr std::uint64_t kLinesAnInstruction = 2;
  const std::uint64_t of_a_cta = std::uint64_t{shape.kernels} * shape.warps_per_cta * shape.instructions * kLinesAnInstruction;
  shape.ctas = static_cast<unsigned>(std::max<std::uint64_t>(1, soak.accesses / of_a_cta));
  return shape;
}

void write_trace(const std::vector<ScriptedKernel>& kernels, const fs::path& folder) {
  traces::RecordingStimulus recording(std::make_unique<Scripted>(kernels), folder.string(), traces::Compression::none);
  for (const KernelLaunch* launch = recording.next_kernel(); launch != nullptr; launch = recording.next_kernel()) {
    const std::uint64_t ctas = launch->grid.count();
    for (std::uint64_t cta = 0; cta < ctas; ++cta)
      for (const auto& stream : recording.open_cta(cta))
        while (stream->peek() != nullptr) stream->advance();
  }
}

std::uint64_t accesses_of(const Outcome& outcome) {
  std::uint64_t sum = 0;
  for (const char* metric : {"l1.load.accesses", "l1.store.accesses", "l1.texture.accesses", "l1.atomics"})
    if (outcome.result.at("run").contains(metric)) sum += outcome.run(metric);
  return sum;
}

}  // namespace

std::vector<std::string> soak_configurations() {
  std::vector<std::string> names = config::configuration_names(cli::configuration_root());
  // The tables of energies, which configurations include, cannot be run.
  names.erase(std::remove_if(names.begin(), names.end(), [](const std::string& name) { return !is_accepted(name, {}); }), names.end());
  return names;
}

std::vector<std::string> smallest_queues(const std::string& configuration) {
  std::vector<config::Description> keys = config::descriptions_of(cli::load_configuration(configuration, {}, "").params);
  const auto place = [](const config::Description& key) {
    return std::find(kShortened.begin(), kShortened.end(), last_word(key.path)) - kShortened.begin();
  };
  keys.erase(std::remove_if(keys.begin(), keys.end(),
                            [&](const config::Description& key) {
                              return place(key) == static_cast<std::ptrdiff_t>(kShortened.size()) || key.type.rfind("integer", 0) != 0;
                            }),
             keys.end());
  std::stable_sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  std::vector<std::string> settings;
  for (const config::Description& key : keys) shorten(configuration, key, settings);
  return settings;
}

TraceSoakResult run_trace_soak(const TraceSoak& soak, const fs::path& folder) {
  const std::vector<std::string> settings = soak.smallest_queues ? smallest_queues(soak.configuration) : std::vector<std::string>();
  const GpuParams params = machine(soak.configuration, settings);
  write_trace(random_traffic(soak.seed, shape_of(soak)), folder);
  RunOptions options = checked();
  options.seed = soak.seed;
  const auto end = std::chrono::steady_clock::now() + 2 * kPatience;
  options.on_progress = [&](const Progress&) { return std::chrono::steady_clock::now() < end; };
  const auto open = [&] { return std::make_unique<traces::TraceStimulus>(folder.string()); };
  TraceSoakResult result;
  options.scramble = true;
  const Outcome scrambled = run_apart(params, open, options);
  if (scrambled.end != End::done) return {0, scrambled.failure};
  if (scrambled.result.at("partial") == true) return {0, "the run has not ended after ten minutes"};
  options.scramble = false;
  const std::string differs = differing_metrics(scrambled, run_apart(params, open, options));
  return {2 * accesses_of(scrambled), differs.empty() ? "" : "in the usual order of blocks:\n" + differs};
}

}  // namespace wharf::test
