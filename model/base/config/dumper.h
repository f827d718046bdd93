#pragma once
// The Binder that writes the resolved configuration as YAML, with help, unit and range of each key as a comment. The text reads back as the
// same parameters; keys without effect appear only as comments.

#include <string>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"

namespace wharf::config {

class Dumper final : public Binder {
 public:
  Dumper();

  /// The YAML text of everything bound so far.
  std::string take_text();

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
  void ineffective_unless(bool effective, std::string_view key, std::string_view reason) override;

 protected:
  std::size_t choose(std::string_view key, std::size_t current, const std::vector<std::string>& words, std::string_view help) override;
  bool begin_group(std::string_view key, std::string_view help) override;
  void end_group() override;

 private:
  struct Item {
    std::string key, text;  // text: the complete lines of the key
  };
  struct Ineffective {
    std::string key, reason;
  };
  struct Group {
    std::string key, help;
    std::vector<Item> items;
    std::vector<Ineffective> ineffective;
  };

  std::string indent() const;
  void put(std::string_view key, const std::string& value, std::string_view help, const std::string& range);
  static std::string text_of(const Group& group, const std::string& indent);

  std::vector<Group> groups_;
};

/// The resolved configuration of a Params struct.
template <class Params>
std::string dump(Params params) {
  Dumper dumper;
  params.bind(dumper);
  return dumper.take_text();
}

}  // namespace wharf::config
