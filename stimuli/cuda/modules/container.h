#pragma once
// The container that `wharf nvcc` puts into a program (CU-2): several PTX texts, each with the path of its .cu file and the compiler's
// flags, so that errors can name the source.

#include <string>
#include <string_view>
#include <vector>

#include "stimuli/cuda/recording/records.h"

namespace wharf::cuda {

bool is_container(std::string_view image);

/// 8 bytes WHARFPTX, u32 version, u32 number of texts, u64 bytes of the whole; per text its path, flags and PTX, each as a u64 length and
/// the bytes, and a u64 hash of the PTX.
std::string pack_container(const std::vector<PtxText>& texts);
/// Throws InputError, which begins with `name`.
std::vector<PtxText> unpack_container(std::string_view image, const std::string& name);

}  // namespace wharf::cuda
