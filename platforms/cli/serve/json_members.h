#pragma once
// Reads the members of a JSON object of a request once each, and refuses the others.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"

namespace wharf::cli {

/// A request that cannot be understood: no JSON, a wrong type, an unknown name. The message names the remedy.
class BadRequest : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "a number", "a list", ..., for messages.
std::string kind_of(const Json& value);

class JsonMembers {
 public:
  /// `where` precedes each message, such as "params.limits". Throws BadRequest where `object` is no object. Must not outlive it.
  JsonMembers(const Json& object, std::string where);

  /// nullptr where the object lacks the member.
  const Json* find(const std::string& name);
  /// A text, or "" where it is missing. Throws BadRequest for another type, or an empty text.
  std::string text(const std::string& name);
  /// A whole number in [min, max].
  std::uint64_t count(const std::string& name, std::uint64_t otherwise, std::uint64_t min, std::uint64_t max);
  bool flag(const std::string& name, bool otherwise);
  /// Throws BadRequest for a member that was not taken. Must be called last.
  void refuse_others() const;

  [[noreturn]] void refuse(const std::string& name, const std::string& what) const;

 private:
  const Json& object_;
  std::string where_;
  std::vector<std::string> known_;
};

}  // namespace wharf::cli
