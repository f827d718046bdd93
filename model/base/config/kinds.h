#pragma once
// The kinds of YAML files, recognised by their keys. A file in the wrong place gets one message about its kind, not one per key.

#include <cstdint>

#include "model/base/config/tree/document.h"

namespace wharf::config {

enum class FileKind : std::uint8_t { unknown, configuration, sweep, claims, suites, launches, programs, hardware };

FileKind kind_of(const Node& document);

/// Returns true if the document may be of the kind `wanted`. Otherwise adds a mistake that names its kind and the right command.
bool expect_kind(const Node& document, FileKind wanted, Mistakes& mistakes);

}  // namespace wharf::config
