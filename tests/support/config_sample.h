#pragma once
// A machine with one key of every kind, for the tests and the fuzzer of the configuration reader.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/config/load.h"
#include "model/base/error.h"
#include "model/base/types.h"

namespace wharf::test {

enum class StoreHit { update, evict, bypass };

struct SampleL1 {
  std::uint32_t capacity_kib = 16, ways = 4, mshrs = 32, mshr_targets = kUnlimited;
  StoreHit store_hit = StoreHit::update;
  std::string replacement = "lru";
  std::vector<std::uint32_t> splits = {16, 48};
  bool prefetch = false;
  std::uint32_t prefetch_depth = 2;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("capacity_kib", capacity_kib, Unit::kib, "data capacity of one L1", 1, 65536);
    b.integer("ways", ways, Unit::none, "lines of a set", 1, 64);
    b.integer("mshrs", mshrs, Unit::count, "lines that can be on their way", 1, 4096);
    b.limit("mshr_targets", mshr_targets, Unit::accesses, "accesses merged into one entry", 1, 1u << 20);
    b.choice("store_hit", store_hit, {{"update", StoreHit::update}, {"evict", StoreHit::evict}, {"bypass", StoreHit::bypass}},
             "what a store that hits does");
    b.policy("replacement", replacement,
             {{"lru", "least recently used"}, {"fifo", "oldest fill"}, {"random", "any way", {{"draws", "1", 1, 4, "of a victim"}}}},
             "victim choice");
    b.integers("splits", splits, Unit::kib, "sizes that the array can take", 1, 128);
    b.flag("prefetch", prefetch, "whether lines are fetched ahead");
    b.integer("prefetch_depth", prefetch_depth, Unit::none, "lines fetched ahead", 1, 16);
    b.ineffective_unless(prefetch, "prefetch_depth", "prefetch is false");
    b.require(capacity_kib % ways == 0, "capacity_kib", "is not a multiple of ways", "choose a multiple of " + std::to_string(ways));
  }
};

struct SampleLink {
  double gigabytes_per_s = 32.5;
  std::uint64_t buffer_bytes = 1ull << 40;

  void bind(config::Binder& b) {
    b.real("gigabytes_per_s", gigabytes_per_s, config::Unit::none, "bandwidth of one link, 10^9 B/s", 0.001, 1e6);
    b.integer("buffer_bytes", buffer_bytes, config::Unit::bytes, "what a link holds", 1, ~std::uint64_t{0});
  }
};

struct SampleNetwork {
  bool enabled = true;
  std::uint32_t hop_cycles = 4;
  SampleLink link;

  void bind(config::Binder& b) {
    b.flag("enabled", enabled, "whether there is a network");
    b.integer("hop_cycles", hop_cycles, config::Unit::cycles, "time from router to router", 1, 1000);
    b.group("link", link, "one link");
    b.ineffective_unless(enabled, "link", "there is no network");
  }
};

struct SampleParams {
  std::uint32_t sms = 28;
  std::string title = "sample";
  SampleL1 l1;
  SampleNetwork network;

  void bind(config::Binder& b) {
    b.integer("sms", sms, config::Unit::count, "streaming multiprocessors", 1, 1024);
    b.text("title", title, "a title for reports");
    b.group("l1", l1, "the L1 of one SM");
    b.group("network", network, "between L1 and L2");
    b.require(sms >= l1.ways, "sms", "is smaller than l1.ways", "have at least " + std::to_string(l1.ways));
  }
};

inline bool operator==(const SampleL1& a, const SampleL1& b) {
  return a.capacity_kib == b.capacity_kib && a.ways == b.ways && a.mshrs == b.mshrs && a.mshr_targets == b.mshr_targets &&
         a.store_hit == b.store_hit && a.replacement == b.replacement && a.splits == b.splits && a.prefetch == b.prefetch &&
         (!a.prefetch || a.prefetch_depth == b.prefetch_depth);
}
inline bool operator==(const SampleLink& a, const SampleLink& b) {
  return a.gigabytes_per_s == b.gigabytes_per_s && a.buffer_bytes == b.buffer_bytes;
}
/// Values without effect are not compared.
inline bool operator==(const SampleNetwork& a, const SampleNetwork& b) {
  return a.enabled == b.enabled && a.hop_cycles == b.hop_cycles && (!a.enabled || a.link == b.link);
}
inline bool operator==(const SampleParams& a, const SampleParams& b) {
  return a.sms == b.sms && a.title == b.title && a.l1 == b.l1 && a.network == b.network;
}

using SampleResult = config::LoadResult<SampleParams>;

/// Reads a text as the file f.yaml in a folder without other files.
inline SampleResult read_sample(const std::string& yaml, const std::vector<std::string>& settings = {}, const std::string& workload = {},
                                const std::filesystem::path& root = "no-such-folder") {
  config::Mistakes mistakes;
  const config::Layers layers = config::parse_layers(yaml, "f.yaml", root, mistakes);
  return config::read_layers<SampleParams>(layers, settings, workload, mistakes);
}

/// The message of the InputError that `action` throws; "no error" if it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

inline std::string sample_error(const std::string& yaml, const std::vector<std::string>& settings = {}, const std::string& workload = {}) {
  return error_of([&] { read_sample(yaml, settings, workload); });
}

/// A folder of configuration files that is removed after the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "wharf-config-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace wharf::test
