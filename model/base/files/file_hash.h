#pragma once
// The hash of a file's contents, computed while the file is read.

#include <string>
#include <string_view>

#include "model/base/hash.h"

namespace wharf {

class FileHash {
 public:
  /// Bytes per piece. All pieces are full except the last, which may be empty and must be added too.
  static constexpr std::size_t kPiece = 1 << 16;

  void add(std::string_view piece) { digest_ += hash_text(piece); }
  /// 16 hexadecimal digits.
  std::string text() const { return hash_text(digest_); }

 private:
  std::string digest_;
};

}  // namespace wharf
