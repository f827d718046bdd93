#pragma once
// Implemented by the Design of each design whose L1s supply lines to each other.

#include <cstdint>
#include <string>

namespace wharf {

struct GpuParams;

class SharesL1s {
 public:
  struct Reach {
    std::uint32_t sms = 1;          // number of SMs whose L1s supply an SM, its own included
    std::string wider_key, wider_value;  // a setting that increases `sms`; empty: none
  };
  virtual Reach reach(const GpuParams&) const = 0;

 protected:
  ~SharesL1s() = default;
};

}  // namespace wharf
