#pragma once
// Tells AddressSanitizer that execution moves to another stack; does nothing in other builds. One object per switch: constructed before it,
// and destroyed after the return, even if an exception returns.

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace wharf::spmd {

/// The location of a stack.
struct StackBounds {
  const void* bottom = nullptr;
  std::size_t size = 0;
};

class FiberSwitch {
 public:
#if defined(__SANITIZE_ADDRESS__)
  /// `from` receives the bounds of the stack that was running when this one is resumed.
  FiberSwitch(const StackBounds& to, StackBounds* from) : from_(from) { __sanitizer_start_switch_fiber(&own_, to.bottom, to.size); }
  ~FiberSwitch() { arrived(own_, from_); }
  FiberSwitch(const FiberSwitch&) = delete;
  FiberSwitch& operator=(const FiberSwitch&) = delete;

  /// Must be called first on a new stack.
  static void entered(StackBounds* from) { arrived(nullptr, from); }
  /// Must be called last on a stack that ends.
  static void leave_for_good(const StackBounds& to) { __sanitizer_start_switch_fiber(nullptr, to.bottom, to.size); }

 private:
  static void arrived(void* own, StackBounds* from) {
    StackBounds ignored;
    StackBounds& bounds = from ? *from : ignored;
    __sanitizer_finish_switch_fiber(own, &bounds.bottom, &bounds.size);
  }
  void* own_ = nullptr;
  StackBounds* from_;
#else
  FiberSwitch(const StackBounds&, StackBounds*) {}
  static void entered(StackBounds*) {}
  static void leave_for_good(const StackBounds&) {}
#endif
};

}  // namespace wharf::spmd
