#include "stimuli/ptx/launch_file/launch_stimulus.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "model/base/error.h"
#include "model/base/rng.h"
#include "stimuli/ptx/launch_file/element.h"

namespace wharf::ptx {
namespace {

/// The elements of a file. Throws InputError where it has another number of them.
std::vector<std::byte> read_elements(const std::string& path, const LaunchArray& array, const std::string& place) {
  std::vector<std::byte> bytes(array.bytes());
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw InputError(fmt::format("{}: {} cannot be read; check the name", place, path));
  const auto size = static_cast<std::uint64_t>(file.tellg());
  if (size != bytes.size())
    throw InputError(
        fmt::format("{}: {} has {} bytes, and {} elements of {} have {}; write a file of that size, little-endian and without a header",
                    place, path, size, array.count, name_of(array.type), bytes.size()));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

void fill_randomly(const LaunchArray& array, std::byte* to) {
  constexpr unsigned kFraction = 53;  // bits of a double
  Rng random(*array.fill.seed);
  for (std::uint64_t i = 0; i < array.count; ++i, to += bytes_of(array.type)) {
    const std::uint64_t bits = random.next();
    if (is_float(array.type)) {
      store_element(array.type, std::ldexp(static_cast<double>(bits >> (64 - kFraction)), -static_cast<int>(kFraction)), to);
    } else {
      std::memcpy(to, &bits, bytes_of(array.type));
    }
  }
}

/// Evaluates for each element; a mistake is named with its place in the launch file.
template <class Use>
void for_each_value(const Values& values, const LaunchArray& array, const std::vector<ArrayView>& views, Use use) {
  std::uint64_t steps = 0;
  for (std::uint64_t i = 0; i < array.count; ++i) {
    double value = 0;
    try {
      value = values.expression.value(i, views, steps);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: element {} of {}: {}", values.place, i, array.name, error.what()));
    }
    use(i, value);
  }
}

void fill_by_expression(const LaunchArray& array, const std::vector<ArrayView>& views, std::byte* to) {
  for_each_value(array.fill, array, views, [&](std::uint64_t i, double value) {
    if (!store_element(array.type, value, to + i * bytes_of(array.type)))
      throw InputError(fmt::format("{}: element {} of {} would be {}, which {} cannot hold; use floor(), or another type", array.fill.place,
                                   i, array.name, value, name_of(array.type)));
  });
}

std::vector<LaunchRequest> requests_of(const LaunchFile& file, const std::vector<Address>& addresses) {
  std::vector<LaunchRequest> requests;
  for (const FileLaunch& launch : file.launches) {
    requests.push_back(launch.request);
    for (const ArrayArgument& argument : launch.arrays)
      std::memcpy(&requests.back().arguments[argument.offset], &addresses[argument.array], sizeof(Address));
  }
  return requests;
}

/// Counts elements that differ and describes the first of them.
class Differences {
 public:
  void add(const LaunchArray& array, std::uint64_t i, const std::byte* is, const std::string& should) {
    constexpr std::uint64_t kMostShown = 4;
    if (count_++ < kMostShown)
      text_ +=
          fmt::format("{}{}[{}] is {} and should be {}", text_.empty() ? "" : ", ", array.name, i, load_element(array.type, is), should);
  }
  std::string text(const ArrayCheck& check, const LaunchArray& array) const {
    if (count_ == 0) return {};
    return fmt::format("{}: {} of the {} elements of {} {} wrong: {}", check.values.place, count_, array.count, array.name,
                       count_ == 1 ? "is" : "are", text_);
  }

 private:
  std::uint64_t count_ = 0;
  std::string text_;
};

}  // namespace

LaunchMemory::LaunchMemory(const LaunchFile& file) : arrays_memory_(LaunchFile::kMemoryBytes) {
  for (const LaunchArray& array : file.arrays)
    addresses_.push_back(arrays_memory_.allocate(array.bytes(), fmt::format("array {} of {} bytes", array.name, array.bytes())));
}

LaunchStimulus::LaunchStimulus(LaunchFile file, const Options& options)
    : LaunchMemory(file),
      PtxStimulus(file.modules, arrays_memory_, requests_of(file, addresses_), options,
                  [](const std::string& text) { std::fputs(text.c_str(), stderr); }),
      file_(std::move(file)) {
  for (std::size_t i = 0; i < file_.arrays.size(); ++i) {
    const LaunchArray& array = file_.arrays[i];
    std::byte* const to = arrays_memory_.at(addresses_[i]);
    if (!array.fill.file.empty()) {
      const std::vector<std::byte> bytes = read_elements(array.fill.file, array, array.fill.place);
      std::copy(bytes.begin(), bytes.end(), to);
    } else if (array.fill.seed) {
      fill_randomly(array, to);
    } else {
      fill_by_expression(array, views(), to);
    }
  }
  filled_.resize(file_.arrays.size());
  for (const ArrayCheck& check : file_.checks)
    for (const std::size_t i : check.values.expression.named())
      filled_[i].assign(arrays_memory_.at(addresses_[i]), arrays_memory_.at(addresses_[i]) + file_.arrays[i].bytes());
}

/// The arrays as they were filled.
std::vector<ArrayView> LaunchStimulus::views() const {
  std::vector<ArrayView> views;
  for (std::size_t i = 0; i < file_.arrays.size(); ++i) {
    const LaunchArray& array = file_.arrays[i];
    const bool is_kept = i < filled_.size() && !filled_[i].empty();
    views.push_back({array.name, array.type, array.count, is_kept ? filled_[i].data() : arrays_memory_.at(addresses_[i])});
  }
  return views;
}

std::string LaunchStimulus::wrong_results() const {
  std::string all;
  for (const ArrayCheck& check : file_.checks)
    if (const std::string one = difference(check); !one.empty()) all += (all.empty() ? "" : "\n") + one;
  return all;
}

std::string LaunchStimulus::difference(const ArrayCheck& check) const {
  const LaunchArray& array = file_.arrays[check.array];
  const std::byte* const is = arrays_memory_.at(addresses_[check.array]);
  const std::size_t size = bytes_of(array.type);
  const auto is_near = [&](double value, double should) {
    return value == should || (std::isnan(value) && std::isnan(should)) ||
           std::fabs(value - should) <= file_.tolerance * std::fmax(1.0, std::fabs(should));
  };
  Differences differences;
  if (!check.values.file.empty()) {
    const std::vector<std::byte> should = read_elements(check.values.file, array, check.values.place);
    for (std::uint64_t i = 0; i < array.count; ++i) {
      const std::byte *const a = is + i * size, *const b = &should[i * size];
      const bool same =
          std::equal(a, a + size, b) || (is_float(array.type) && is_near(load_element(array.type, a), load_element(array.type, b)));
      if (!same) differences.add(array, i, a, fmt::format("{}", load_element(array.type, b)));
    }
    return differences.text(check, array);
  }
  for_each_value(check.values, array, views(), [&](std::uint64_t i, double should) {
    const std::byte* const a = is + i * size;
    const double value = load_element(array.type, a);
    if (is_float(array.type) ? !is_near(value, should) : value != should) differences.add(array, i, a, fmt::format("{}", should));
  });
  return differences.text(check, array);
}

}  // namespace wharf::ptx
