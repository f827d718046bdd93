#pragma once
// Decoder of the LZ4 block format, which nvcc uses for compressed fat binaries (CU-4).

#include <cstddef>
#include <string>
#include <string_view>

namespace wharf::cuda {

/// Decodes one block. Returns false where it is damaged or does not give exactly `size` bytes. `size` bounds the memory used.
bool decode_lz4_block(std::string_view block, std::size_t size, std::string& out);

}  // namespace wharf::cuda
