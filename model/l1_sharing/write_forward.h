#pragma once
// What a cache shared by several SMs sends to L2 for a store that hit (SL-6, DC-12).

namespace wharf {

enum class WriteForward { payload, full_line };

}  // namespace wharf
