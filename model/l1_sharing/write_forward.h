#pragma once
// What a cache that several SMs use sends to L2 of a store that hit (SL-6, DC-12).

namespace wharf {

enum class WriteForward { payload, full_line };

}  // namespace wharf
