#pragma once
// Work that may have to be done again with another number, in a process each time, because SystemC elaborates once per process.

#include <sys/types.h>

#include <cstdint>

namespace wharf::cli {

/// A fork of the program without exec. The child does the work and continues, to the program's end; the parent waits for it.
class Attempt {
 public:
  /// Throws InputError where no process can be started. The program must have no threads, and must not have elaborated anything.
  Attempt();
  ~Attempt();
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  bool is_child() const { return pid_ == 0; }

  /// Of the child: ends it, and asks the parent to attempt the work again with `number`, which is not 0.
  [[noreturn]] void again_with(std::uint64_t number) const;

  /// Of the parent, under an InterruptGuard: waits for the end of the child, and passes on signals to it. Returns the number of
  /// again_with(); 0 if the child has ended by itself, with exit_code().
  std::uint64_t wait();
  int exit_code() const { return exit_code_; }

 private:
  pid_t pid_ = -1;
  int descriptor_ = -1;  // an end of a pipe: the child writes, the parent reads
  int exit_code_ = 0;
};

}  // namespace wharf::cli
