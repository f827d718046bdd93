#include "tests/platform/soak/soak_machines.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "model/base/config/describer.h"
#include "model/base/config/named_files.h"
#include "model/base/error.h"
#include "model/base/hash.h"
#include "model/base/rng.h"
#include "platforms/inputs/configuration.h"

namespace wharf::test {
namespace {

constexpr unsigned kMostRandomKeys = 12;

/// Last words of keys that bound a queue, or that set a time that needs a minimum queue length; the latter come first.
constexpr std::array<std::string_view, 39> kShortened = {"tag_cycles",
                                                         "access_cycles",
                                                         "fill_cycles",
                                                         "lsu_queue",
                                                         "subcore_queue",
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

/// Adds the smallest value below the configuration's own that it accepts, found by doubling. Adds nothing if the key has no effect there.
void shorten(const std::string& configuration, const config::Description& key, std::vector<std::string>& settings) {
  const auto accepts = [&](const std::string& value) {
    settings.push_back(key.path + "=" + value);
    if (is_accepted(configuration, settings)) return true;
    settings.pop_back();
    return false;
  };
  if (!accepts(key.default_value)) return;
  settings.pop_back();
  const std::uint64_t present = key.default_value == key.word ? ~std::uint64_t{0} : std::stoull(key.default_value);
  for (std::uint64_t value = std::max<std::uint64_t>(std::stoull(key.range), 1); value < present; value *= 2)
    if (accepts(std::to_string(value))) return;
}

std::uint64_t present_count(const config::Description& key, std::uint64_t least) {
  return key.default_value == key.word ? least + 16 : std::stoull(key.default_value);
}

/// Avoids the slowest clocks, because to the watchdog such a machine appears to be deadlocked.
std::string random_count(const config::Description& key, Rng& random) {
  const std::uint64_t least = std::stoull(key.minimum), most = std::stoull(key.maximum), present = present_count(key, least);
  const std::uint64_t low = key.unit == "MHz" ? present / 4 : least + random.below(3);
  const std::uint64_t values[] = {low, present / 2, present + random.below(16), present * 2};
  return std::to_string(std::clamp(values[random.below(std::size(values))], least, most));
}

std::string random_number(const config::Description& key, Rng& random) {
  const double value = std::stod(key.default_value) * static_cast<double>(1 + random.below(16)) / 4;
  return fmt::format("{}", std::clamp(value, std::stod(key.minimum), std::stod(key.maximum)));
}

/// Empty for a key without a range: a text, a list, a group.
std::optional<std::string> random_value(const config::Description& key, Rng& random) {
  if (key.type == "true or false") return key.default_value == "true" ? "false" : "true";
  if (!key.words.empty()) return key.words[random.below(key.words.size())].name;
  if (key.type.rfind("integer", 0) == 0) return random_count(key, random);
  if (key.type == "number") return random_number(key, random);
  return std::nullopt;
}

bool stays(const config::Description& key) { return key.path.rfind("energy.", 0) == 0 || key.path.rfind("watchdog.", 0) == 0; }

/// Adds one to kMostRandomKeys settings of keys that `settings` leave alone.
void add_random_keys(const std::string& configuration, Rng& random, std::vector<std::string>& settings) {
  std::vector<config::Description> keys = config::descriptions_of(cli::load_configuration(configuration, settings, "").params);
  const auto is_set = [&](const config::Description& key) {
    const auto sets_it = [&](const std::string& setting) { return setting.rfind(key.path + "=", 0) == 0; };
    return std::any_of(settings.begin(), settings.end(), sets_it);
  };
  keys.erase(std::remove_if(keys.begin(), keys.end(), [&](const config::Description& key) { return stays(key) || is_set(key); }),
             keys.end());
  const std::size_t wanted = settings.size() + 1 + random.below(kMostRandomKeys);
  while (settings.size() < wanted && !keys.empty()) {
    const auto key = keys.begin() + static_cast<std::ptrdiff_t>(random.below(keys.size()));
    if (const std::optional<std::string> value = random_value(*key, random)) {
      settings.push_back(key->path + "=" + *value);
      if (!is_accepted(configuration, settings)) settings.pop_back();
    }
    keys.erase(key);
  }
}

/// A key that makes a machine small, with a value from `least`, doubled at random up to `doublings` times.
struct SmallKey {
  std::string_view path;
  unsigned least, doublings;
};
constexpr std::array<SmallKey, 13> kSmallKeys = {{{"channels", 1, 2},
                                                  {"front_end.concurrent_kernels", 1, 2},
                                                  {"slices_per_channel", 1, 1},
                                                  {"sm.warps", 4, 3},
                                                  {"sm.ctas", 1, 2},
                                                  {"l1.capacity_kib", 1, 4},
                                                  {"l1.ways", 1, 3},
                                                  {"l1.mshr_entries", 1, 4},
                                                  {"l2.slice_kib", 1, 4},
                                                  {"l2.ways", 1, 3},
                                                  {"l2.mshr_entries", 1, 4},
                                                  {"l2.access_cycles", 1, 4},
                                                  {"dram.queue_entries", 1, 4}}};

/// Sets the number of SMs, with those keys of a group or a network without which the configuration does not accept it.
void set_sms(const std::string& configuration, unsigned sms, std::vector<std::string>& settings) {
  const std::string all = std::to_string(sms), half = std::to_string(std::max(1u, sms / 2));
  const std::string gpcs = "[" + half + ", " + half + "]";
  const std::array<std::string, 7> companions = {"dc_l1.nodes=" + half,
                                                 "dc_l1.clusters=1",
                                                 "ata.cluster_size=" + half,
                                                 "l2.near_sms=" + half,
                                                 "network.mesh.columns=1",
                                                 "dc_l1.nodes=" + all,
                                                 "network.hierarchical_crossbar.gpcs=" + gpcs};
  for (unsigned subset = 0; subset < 1u << companions.size(); ++subset) {
    std::vector<std::string> wanted = settings;
    wanted.push_back("sms=" + all);
    for (unsigned i = 0; i < companions.size(); ++i)
      if ((subset >> i & 1) != 0) wanted.push_back(companions[i]);
    if (is_accepted(configuration, wanted)) return void(settings = std::move(wanted));
  }
}

}  // namespace

std::vector<std::string> soak_configurations() {
  std::vector<std::string> names = config::configuration_names(cli::configuration_root());
  // The energy tables that configurations include cannot be run.
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

std::vector<std::string> random_keys(const std::string& configuration, std::uint64_t seed) {
  Rng random(seed, hash64(configuration));
  std::vector<std::string> settings;
  add_random_keys(configuration, random, settings);
  return settings;
}

std::vector<std::string> small_machine(const std::string& configuration, std::uint64_t seed) {
  Rng random(seed, hash64(configuration) + 1);
  std::vector<std::string> settings;
  set_sms(configuration, 2u << random.below(4), settings);
  for (const SmallKey& key : kSmallKeys)
    if (random.below(4) != 0) {
      settings.push_back(fmt::format("{}={}", key.path, key.least << random.below(key.doublings + 1)));
      if (!is_accepted(configuration, settings)) settings.pop_back();
    }
  add_random_keys(configuration, random, settings);
  return settings;
}

std::vector<std::string> soak_settings(const std::string& configuration, SoakKeys keys, std::uint64_t seed) {
  switch (keys) {
    case SoakKeys::own:
      return {};
    case SoakKeys::smallest_queues:
      return smallest_queues(configuration);
    case SoakKeys::random:
      return random_keys(configuration, seed);
    case SoakKeys::small_machine:
      return small_machine(configuration, seed);
  }
  return {};
}

}  // namespace wharf::test
