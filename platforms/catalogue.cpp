#include "platforms/catalogue.h"

namespace wharf {

std::vector<config::PolicyName> platform_names() {
  return {{"private", "front end, SM - L1 - NIC - network - NIC - L2 - DRAM; each SM its own L1"}};
}

}  // namespace wharf
