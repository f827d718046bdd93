#pragma once
// Private L1s: no parameters of their own.

#include "platforms/frame/design.h"

namespace wharf {

class PrivateDesign final : public Design {
 public:
  std::unique_ptr<Design> copy() const override { return std::make_unique<PrivateDesign>(*this); }
  bool sees_all_stores() const override { return true; }
};

}  // namespace wharf
