#pragma once
// Reads the keys of one mapping of a data file (claims, characteristics) once each, and reports every mistake at its position.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/base/config/tree/document.h"
#include "model/base/config/tree/mistakes.h"

namespace wharf::cli {

class Fields {
 public:
  /// `path` precedes each mistake.
  Fields(const config::Node& node, std::string path, config::Mistakes& mistakes);

  /// nullptr where the mapping lacks the key.
  const config::Node* find(const char* key);
  std::string text(const char* key, bool required);
  /// A null value counts as missing.
  std::optional<double> number(const char* key);
  bool flag(const char* key, bool otherwise);
  /// A text, or a list of texts.
  std::vector<std::string> texts(const char* key);

  template <class Enum, std::size_t N>
  Enum word(const char* key, const std::array<const char*, N>& offered, Enum otherwise) {
    const std::vector<std::string> words(offered.begin(), offered.end());
    const config::Node* found = find(key);
    if (found == nullptr) return otherwise;
    const auto it = std::find(words.begin(), words.end(), found->text);
    if (it != words.end()) return static_cast<Enum>(it - words.begin());
    complain_of_word(*found, key, words);
    return otherwise;
  }

  /// The text of a key that must be there, one of those offered.
  template <std::size_t N>
  std::string one_of(const char* key, const std::array<const char*, N>& offered) {
    const std::string chosen = text(key, true);
    const std::vector<std::string> words(offered.begin(), offered.end());
    if (!chosen.empty() && std::find(words.begin(), words.end(), chosen) == words.end()) complain_of_word(*find(key), key, words);
    return chosen;
  }

  void complain(const config::Node& at, const std::string& what) { mistakes_.add(at.position(), path_ + ": " + what); }
  /// Reports the keys not taken as unknown. Must be called last.
  void refuse_others();

 private:
  void complain_of_word(const config::Node& at, const char* key, const std::vector<std::string>& words);

  const config::Node& node_;
  std::string path_;
  config::Mistakes& mistakes_;
  std::vector<std::string> known_;
};

}  // namespace wharf::cli
