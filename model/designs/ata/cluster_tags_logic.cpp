#include "model/base/archive.h"
#include "model/cache/line_directory.h"
#include "model/designs/ata/cluster_tags.h"
#include "policies/catalogue.h"

namespace wharf {
namespace {

/// Models no ways: a reader of another SM's L1 finds the line by its tag.
class TagMap final : public ClusterTags {
 public:
  explicit TagMap(const ClusterShape& shape) : lines_(shape.l1s, true) {}

  HitVector lookup(unsigned, LineAddress line) override { return lines_.sector_holders(line); }
  void hold(unsigned l1, LineAddress line, SectorMask valid) override { lines_.install(l1, line, valid); }
  void empty(unsigned l1) override { lines_.invalidate_cache(l1); }
  void commit() override { lines_.commit(); }
  bool archive(Archive& file) override {
    file(lines_);
    return true;
  }

 private:
  LineDirectory lines_;
};

constexpr cluster_tags::Entry kTable[] = {
    {"map", "a map from a line to its holders",
     [](const ClusterShape& shape) -> std::unique_ptr<ClusterTags> { return std::make_unique<TagMap>(shape); }},
};

Catalogue<cluster_tags::Entry>& catalogue() {
  static Catalogue<cluster_tags::Entry> members("aggregated tag array", kTable);
  return members;
}

}  // namespace

namespace cluster_tags {

std::vector<config::PolicyName> catalogue_names() { return catalogue().names(); }

std::unique_ptr<ClusterTags> make(std::string_view name, const ClusterShape& shape) { return catalogue().find(name).make(shape); }

void add(const Entry& entry) { catalogue().add(entry); }

}  // namespace cluster_tags
}  // namespace wharf
