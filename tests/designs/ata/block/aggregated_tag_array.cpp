// The aggregated tag array behind lookup links (ata section 4).

#include "model/designs/ata/aggregated_tag_array.h"

#include <filesystem>
#include <iterator>

#include "model/rtl/catalogue.h"
#include "tests/block/block_rig.h"

namespace wharf::block_rig {
namespace {

constexpr Address kTagA = 0 * kLineBytes, kTagB = 1 * kLineBytes;  // sets 0 and 1

struct Ports : sc_core::sc_module {
  Ports(sc_core::sc_module_name name, unsigned count) : sc_module(name) {
    for (unsigned i = 0; i < count; ++i) each.push_back(std::make_unique<LookupInitiatorPort>("port" + std::to_string(i)));
  }
  std::vector<std::unique_ptr<LookupInitiatorPort>> each;
};

// The array in every form. All forms receive the same updates and lookups.
struct Array {
  explicit Array(unsigned caches) {
    rtl::add_to_catalogues();
    for (const auto& form : cluster_tags::catalogue_names()) forms.push_back(std::make_unique<Form>(form.name, caches, clock));
  }
  HitVector look(unsigned cache, Address line) {
    std::vector<HitVector> hits(forms.size());
    for (std::size_t f = 0; f < forms.size(); ++f) {
      CAPTURE(forms[f]->array.name());
      forms[f]->ports[cache]->read(line, hits[f]);
      CHECK(hits[f] == hits[0]);
    }
    return hits[0];
  }
  /// The source's notation: one bit for each of two caches.
  std::pair<bool, bool> vector(unsigned cache, Address line) {
    std::uint64_t any = 0;
    for (const std::uint64_t sector : look(cache, line)) any |= sector;
    return {(any & 1) != 0, (any & 2) != 0};
  }
  void hold(unsigned cache, Address line, SectorMask valid) {
    for (auto& form : forms) form->ports[cache]->write(line, valid);
  }

  struct Form {
    Form(const std::string& name, unsigned caches, ClockDomain& clock)
        : array(("array_" + name).c_str(), name, {caches, 4, make_set_index("linear", 8)}, clock),
          initiators(("l1s_" + name).c_str(), caches),
          ports(initiators.each) {
      for (unsigned i = 0; i < caches; ++i) {
        checkers.push_back(std::make_unique<ProtocolChecker>((name + "_checker" + std::to_string(i)).c_str(), LinkKind::lookup));
        ports[i]->socket.bind(checkers.back()->target_socket);
        checkers.back()->initiator_socket.bind(array.port(i));
      }
    }
    AggregatedTagArray array;
    Ports initiators;
    std::vector<std::unique_ptr<LookupInitiatorPort>>& ports;
    std::vector<std::unique_ptr<ProtocolChecker>> checkers;
  };
  ClockDomain clock{"clock", 1365, {}};
  Script script{clock};
  std::vector<std::unique_ptr<Form>> forms;
};

using Pair = std::pair<bool, bool>;

TEST_CASE("aggregated tag array: RTL has no threads of its own") {
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
  };
  const auto before = threads();
  const Array a(2);
  CHECK(threads() == before);
}

TEST_CASE("aggregated tag array: the worked example, tagA in the first array and tagB in both") {
  Array a(2);
  a.script.at(1, [&] {
    a.hold(0, kTagA, kAllSectors);
    a.hold(0, kTagB, kAllSectors);
    a.hold(1, kTagB, kAllSectors);
  });
  unsigned looked = 0;
  a.script.at(2, [&] {
    CHECK(a.vector(0, kTagA) == Pair{true, false});  // Core-1: [1,0]
    CHECK(a.vector(1, kTagB) == Pair{true, true});   // Core-2: [1,1]
    ++looked;
  });
  run_kernel();
  CHECK(looked == 1);
  CHECK(a.forms.size() == 3);
  for (const auto& form : a.forms) {
    CHECK(form->checkers[0]->completed() == 3);
    CHECK(form->checkers[1]->completed() == 2);
  }
}

TEST_CASE("aggregated tag array: lookups see the tags of the start of their cycle, whatever is written in it") {
  Array a(2);
  std::vector<Pair> seen;
  a.script.at(1, [&] {
    a.hold(0, kTagA, kAllSectors);
    seen.push_back(a.vector(1, kTagA));
  });
  a.script.at(2, [&] {
    a.hold(0, kTagA, 0);
    seen.push_back(a.vector(1, kTagA));
  });
  a.script.at(3, [&] { seen.push_back(a.vector(1, kTagA)); });
  run_kernel();
  CHECK(seen == std::vector<Pair>{{false, false}, {true, false}, {false, false}});
}

TEST_CASE("aggregated tag array: a hit is a hit of a sector") {
  Array a(3);
  a.script.at(1, [&] {
    a.hold(0, kTagA, 0b0011);
    a.hold(2, kTagA, 0b0110);
  });
  a.script.at(2, [&] { CHECK(a.look(1, kTagA) == HitVector{0b001, 0b101, 0b100, 0}); });
  run_kernel();
}

TEST_CASE("aggregated tag array: an L1 that is emptied takes nothing of the others along") {
  Array a(2);
  a.script.at(1, [&] {
    a.hold(0, kTagA, kAllSectors);
    a.hold(1, kTagA, kAllSectors);
  });
  a.script.at(2, [&] { a.hold(0, AggregatedTagArray::kEveryLine, 0); });
  a.script.at(3, [&] { CHECK(a.vector(0, kTagA) == Pair{false, true}); });
  run_kernel();
}

TEST_CASE("aggregated tag array: a lookup of another shape is refused") {
  Array a(2);
  std::uint64_t half = 0;
  CHECK_THROWS_WITH(a.forms[0]->ports[0]->read(kTagA, half), Catch::Contains("answered with a hit vector"));
  CHECK_THROWS_WITH(a.forms[0]->ports[0]->write(kTagA, half), Catch::Contains("a mask of sectors"));
}

}  // namespace
}  // namespace wharf::block_rig
