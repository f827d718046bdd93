#include "stimuli/ptx/memory/huge_pages.h"

#include <sys/mman.h>

#include <cstddef>

namespace wharf::ptx {
namespace {

class HugePages final : public std::pmr::memory_resource {
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;

  static std::size_t alignment_of(std::size_t bytes, std::size_t alignment) { return bytes >= kHugePage ? kHugePage : alignment; }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* const memory = std::pmr::new_delete_resource()->allocate(bytes, alignment_of(bytes, alignment));
    if (bytes >= kHugePage) madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);  // where there are none, nothing changes
    return memory;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment_of(bytes, alignment));
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace

std::pmr::memory_resource& huge_pages() {
  static HugePages resource;
  return resource;
}

}  // namespace wharf::ptx
