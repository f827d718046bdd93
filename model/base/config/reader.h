#pragma once
// The Binder that fills a Params struct from a configuration tree and reports every mistake in the tree.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/config/layers.h"
#include "model/base/config/tree/mistakes.h"

namespace wharf::config {

class Reader final : public Binder {
 public:
  /// Drops mistakes in layers that `reports` rejects. A value with a mistake leaves its parameter unchanged.
  Reader(const Composed& composed, Mistakes& mistakes, std::function<bool(Layer)> reports = {});

  /// Reports unknown keys; call it after bind().
  void finish();

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
  void require(bool holds, std::string_view key, std::string_view what, std::string_view remedy) override;
  void ineffective_unless(bool effective, std::string_view key, std::string_view reason) override;

 protected:
  std::size_t choose(std::string_view key, std::size_t current, const std::vector<std::string>& words, std::string_view help) override;
  bool begin_group(std::string_view key, std::string_view help) override;
  void end_group() override;

 private:
  struct Broken {  // a condition that does not hold
    const Node* node;
    std::string what;
  };
  struct Group {
    const Node* node;     // null if the tree lacks the mapping
    const Node* nearest;  // the group, or the innermost enclosing group that the tree has
    std::string path;     // "" or "l1."
    std::vector<std::string> known;
    std::vector<Broken> broken;
    std::size_t unreadable_before;
  };
  struct Unknown {
    const Node* node;
    std::string path;
    std::vector<std::string> siblings;
  };

  Group& group() { return groups_.back(); }
  void know(std::string_view key);
  const Node* find(std::string_view key);
  void complain(const Node& node, Position where, const std::string& what);
  void complain_of_value(const Node& node, std::string_view key, const std::string& complaint);
  void complain_of_word(const Node& node, std::string_view key, const std::vector<std::string>& words);
  void close(Group closed);
  void report(const Unknown& unknown, bool suggest);

  Mistakes& mistakes_;
  std::function<bool(Layer)> reports_;
  Layer top_;
  bool conditions_;             // the tree is complete, so conditions over several keys are meaningful
  std::size_t unreadable_ = 0;  // values and keys, reported or not
  std::vector<Group> groups_;
  std::vector<Unknown> unknown_;
  std::vector<std::string> paths_;  // of every key bound
};

}  // namespace wharf::config
