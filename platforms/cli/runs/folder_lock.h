#pragma once
// "I am at work in this folder": an advisory lock that ends with its owner, however that ends.

#include <filesystem>

namespace wharf::cli {

class FolderLock {
 public:
  enum class Wait { no, yes };

  /// Makes the folder where it is missing. Where another process holds it: waits, or leaves held() false.
  /// Where the file system has no locks nobody is kept out. Throws InputError where the folder cannot be made or opened.
  explicit FolderLock(const std::filesystem::path& folder, Wait wait = Wait::no);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;

  bool held() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

}  // namespace wharf::cli
