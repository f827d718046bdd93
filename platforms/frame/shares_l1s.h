#pragma once
// What a design whose L1s supply each other with lines says of it. A Design that implements this is one of them.

#include <cstdint>
#include <string>

namespace wharf {

struct GpuParams;

class SharesL1s {
 public:
  struct Reach {
    std::uint32_t sms = 1;          // an SM gets lines from the L1s of so many SMs, its own among them; 1: from its own alone
    std::string wider_key, wider_value;  // the setting with which they are more; empty: there is none
  };
  virtual Reach reach(const GpuParams&) const = 0;

 protected:
  ~SharesL1s() = default;
};

}  // namespace wharf
