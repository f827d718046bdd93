#pragma once
// The kinds of YAML files, told apart by their keys, so that a file in the wrong place is named and not its keys one by one.

#include <cstdint>

#include "model/base/config/tree/document.h"

namespace wharf::config {

enum class FileKind : std::uint8_t { unknown, configuration, sweep, claims, suites, launches, programs };

FileKind kind_of(const Node& document);

/// Returns true where the document may be what is `wanted`. Otherwise adds what it is, and the command for it.
bool expect_kind(const Node& document, FileKind wanted, Mistakes& mistakes);

}  // namespace wharf::config
