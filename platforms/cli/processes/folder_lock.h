#pragma once
// Marks a folder as in use: an advisory lock that ends with its owner in any case.

#include <filesystem>

namespace wharf::cli {

class FolderLock {
 public:
  enum class Wait { no, yes };

  /// Creates the folder if it is missing. Where another process holds the lock, waits, or leaves held() false. Where the file system has no
  /// locks, the lock always succeeds. Throws InputError where the folder cannot be created or opened.
  explicit FolderLock(const std::filesystem::path& folder, Wait wait = Wait::no);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;

  bool held() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

}  // namespace wharf::cli
