#pragma once
// Collects the objections of the checks of DRAM parameters.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "model/dram/dram_params.h"

namespace wharf::test {

/// Records the keys that bind() objects to.
class Objections final : public config::Binder {
 public:
  explicit Objections(DramParams params) { params.bind(*this); }
  std::vector<std::string> keys;

  void integer(std::string_view key, std::uint32_t& value, config::Unit, std::string_view, std::uint64_t min, std::uint64_t max) override {
    in_range(key, value, min, max);
  }
  void integer(std::string_view key, std::uint64_t& value, config::Unit, std::string_view, std::uint64_t min, std::uint64_t max) override {
    in_range(key, value, min, max);
  }
  void integer_or(std::string_view, std::string_view key, std::uint32_t& value, config::Unit, std::string_view, std::uint64_t min,
                  std::uint64_t max) override {
    if (value != kUnlimited) in_range(key, value, min, max);
  }
  void real(std::string_view, double&, config::Unit, std::string_view, double, double) override {}
  void flag(std::string_view, bool&, std::string_view) override {}
  void text(std::string_view, std::string&, std::string_view) override {}
  void policy(std::string_view key, std::string& value, const std::vector<config::PolicyName>& offered, std::string_view) override {
    const auto same = [&](const config::PolicyName& name) { return name.name == value; };
    if (std::none_of(offered.begin(), offered.end(), same)) keys.emplace_back(key);
  }
  void integers(std::string_view key, std::vector<std::uint32_t>& values, config::Unit, std::string_view, std::uint64_t min,
                std::uint64_t max) override {
    for (const std::uint32_t value : values) in_range(key, value, min, max);
  }
  void require(bool holds, std::string_view key, std::string_view, std::string_view) override {
    if (!holds) keys.emplace_back(key);
  }

 protected:
  std::size_t choose(std::string_view, std::size_t current, const std::vector<std::string>&, std::string_view) override { return current; }
  bool begin_group(std::string_view, std::string_view) override { return true; }
  void end_group() override {}

 private:
  void in_range(std::string_view key, std::uint64_t value, std::uint64_t min, std::uint64_t max) {
    if (value < min || value > max) keys.emplace_back(key);
  }
};

using Keys = std::vector<std::string>;

template <class Change>
Keys objections(DramParams params, Change change) {
  change(params);
  return Objections(params).keys;
}

}  // namespace wharf::test
