#pragma once
// Elements of arrays and arguments of kernels: numbers of PTX types, as text, as bytes and as double.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "stimuli/ptx/text/types.h"

namespace wharf::ptx {

/// The types that elements may have: integers of 8 to 64 bits, f16, f32, f64. Type::none for another name.
Type element_type(std::string_view name);
/// Their names, for messages.
std::vector<std::string> element_types();

/// The value of an element; integers beyond 2^53 are rounded.
double load_element(Type type, const std::byte* from);
/// Writes the value, rounded once. Returns false where the type is an integer and cannot hold it.
bool store_element(Type type, double value, std::byte* to);

/// The type at the end of a number, as in 2.5f32; Type::none where there is none.
Type written_type(std::string_view text);

/// The bytes of a number such as 3, -4 or 2.5, at the end of which a type may stand, as in 2.5f32. `type` is that of the parameter; a type
/// in the text must have its size, and both be floats or both integers where the parameter is not of bits alone. Returns the complaint,
/// empty for a good number: "is 'x'; ...".
std::string parse_element(std::string_view text, Type type, std::vector<std::byte>& bytes);

}  // namespace wharf::ptx
