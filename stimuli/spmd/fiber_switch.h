#pragma once
// Tells AddressSanitizer and ThreadSanitizer that execution moves to another stack; does nothing in other builds. One object per switch:
// constructed before it, and destroyed after the return, even if an exception returns.

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace wharf::spmd {

/// The location of a stack.
struct StackBounds {
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* fiber = nullptr;  // ThreadSanitizer's, of a stack other than a thread's own
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
#elif defined(__SANITIZE_THREAD__)
  // Only the thread's side tells of switches, so that calls and returns around them are of the same stack. Not sanitized, for the same reason.
  [[gnu::no_sanitize_thread]] FiberSwitch(const StackBounds& to, StackBounds*) {
    if (to.fiber == nullptr) return;
    own_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.fiber, 0);
  }
  [[gnu::no_sanitize_thread]] ~FiberSwitch() {
    if (own_ != nullptr) __tsan_switch_to_fiber(own_, 0);
  }
  FiberSwitch(const FiberSwitch&) = delete;
  FiberSwitch& operator=(const FiberSwitch&) = delete;
  static void entered(StackBounds*) {}
  static void leave_for_good(const StackBounds&) {}

 private:
  void* own_ = nullptr;
#else
  FiberSwitch(const StackBounds&, StackBounds*) {}
  static void entered(StackBounds*) {}
  static void leave_for_good(const StackBounds&) {}
#endif
};

/// Of a new stack, and of one that has ended.
#if defined(__SANITIZE_THREAD__)
inline void begin_fiber(StackBounds& stack) { stack.fiber = __tsan_create_fiber(0); }
inline void end_fiber(StackBounds& stack) {
  if (stack.fiber != nullptr) __tsan_destroy_fiber(stack.fiber);
  stack.fiber = nullptr;
}
#else
inline void begin_fiber(StackBounds&) {}
inline void end_fiber(StackBounds&) {}
#endif

}  // namespace wharf::spmd
