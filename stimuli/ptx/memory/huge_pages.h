#pragma once
// Where the registers of warps lie. All warps of a machine together have tens of megabytes of them, which each launch touches anew.

#include <memory_resource>

namespace wharf::ptx {

/// As std::pmr::new_delete_resource(), but asks the system for huge pages behind what is large enough for them: one page fault instead of 512.
std::pmr::memory_resource& huge_pages();

}  // namespace wharf::ptx
