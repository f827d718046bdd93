#pragma once
// The Binder that lists every key, for `wharf describe l2.replacement` and `wharf describe --markdown`.

#include <string>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"

namespace wharf::config {

struct Description {
  std::string path;  // "l1.mshr_targets"
  std::string
      type;  // "integer", "integer or unlimited", "number", "true or false", "text", "one of", "policy", "list of integers", "group"
  std::string unit;              // "" if the value has none
  std::string default_value;     // as YAML writes it; "" for a group
  std::string range;             // "1..64", or the words; "" if any value is legal
  std::string minimum, maximum;  // the ends of a range of numbers; "" if there is none
  std::string word;              // "unlimited" of "integer or unlimited"; "" if only numbers are legal
  std::string help;
  std::vector<PolicyName> words;  // of a policy or choice, with help if the registry gives any
};

class Describer final : public Binder {
 public:
  const std::vector<Description>& list() const { return list_; }

  void integer(std::string_view key, std::uint32_t& value, Unit, std::string_view help, std::uint64_t min, std::uint64_t max) override;
  void integer(std::string_view key, std::uint64_t& value, Unit, std::string_view help, std::uint64_t min, std::uint64_t max) override;
  void integer_or(std::string_view word, std::string_view key, std::uint32_t& value, Unit, std::string_view help, std::uint64_t min,
                  std::uint64_t max) override;
  void real(std::string_view key, double& value, Unit, std::string_view help, double min, double max) override;
  void flag(std::string_view key, bool& value, std::string_view help) override;
  void text(std::string_view key, std::string& value, std::string_view help) override;
  void policy(std::string_view key, std::string& value, const std::vector<PolicyName>& offered, std::string_view help) override;
  void integers(std::string_view key, std::vector<std::uint32_t>& values, Unit, std::string_view help, std::uint64_t min,
                std::uint64_t max) override;
  void require(bool, std::string_view, std::string_view, std::string_view) override {}

 protected:
  std::size_t choose(std::string_view key, std::size_t current, const std::vector<std::string>& words, std::string_view help) override;
  bool begin_group(std::string_view key, std::string_view help) override;
  void end_group() override;

 private:
  Description& add(std::string_view key, std::string type, std::string value, Unit unit, std::string_view help);
  template <class Number>
  Description& add_number(std::string_view key, std::string type, std::string value, Unit unit, std::string_view help, Number min,
                          Number max);

  std::string prefix_;  // "" or "l1."
  std::vector<Description> list_;
};

/// Every key of a Params struct; its current values are the defaults.
template <class Params>
std::vector<Description> descriptions_of(Params params) {
  Describer describer;
  params.bind(describer);
  return describer.list();
}

/// Help on one key, on all keys of a group, or for "" on everything. Throws InputError for an unknown path.
std::string describe(const std::vector<Description>& list, const std::string& path);

/// The descriptions as Markdown: one table per group, under a heading of level two.
std::string parameters_markdown(const std::vector<Description>& list, const std::string& title);

}  // namespace wharf::config
