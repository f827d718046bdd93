// Random accesses of foreign initiators to foreign memories through very small caches, compared with plain arrays.

#include "tests/block/foreign/foreign_rig.h"

using namespace wharf;
using namespace wharf::foreign_rig;

namespace {

constexpr unsigned kRegion = 12 * 1024;

struct Shape {
  unsigned address, bytes, width;
  bool write;
  Bytes data, enables;
};

/// A shape within [base, base + size).
Shape random_shape(Rng& rng, unsigned base, unsigned size) {
  Shape shape;
  shape.bytes = 1 + rng.below(rng.chance(0.2) ? 300 : 20);
  shape.address = base + rng.below(size - shape.bytes);
  shape.width = rng.chance(0.2) ? 1 + rng.below(shape.bytes) : shape.bytes;
  shape.write = rng.chance(0.5);
  for (unsigned i = 0; i < shape.bytes; ++i) shape.data.push_back(static_cast<unsigned char>(rng.below(256)));
  if (rng.chance(0.3))
    for (unsigned i = 0; i < 1 + rng.below(9); ++i) shape.enables.push_back(rng.chance(0.6) ? 0xFF : 0);
  return shape;
}

bool enabled(const Shape& shape, unsigned i) { return shape.enables.empty() || shape.enables[i % shape.enables.size()] != 0; }

/// Applies the access to the array. Returns the data that a read must return.
Bytes expect_of(const Shape& shape, Bytes& memory) {
  Bytes expected = shape.data;
  for (unsigned i = 0; i < shape.bytes; ++i) {
    unsigned char& here = memory[shape.address + i % shape.width];
    if (!enabled(shape, i)) continue;
    if (shape.write)
      here = shape.data[i];
    else
      expected[i] = here;
  }
  return expected;
}

void set(tlm::tlm_generic_payload& transaction, Shape& shape) {
  transaction.set_streaming_width(shape.width);
  if (shape.enables.empty()) return;
  transaction.set_byte_enable_ptr(shape.enables.data());
  transaction.set_byte_enable_length(static_cast<unsigned>(shape.enables.size()));
}

Bytes initial() { return Store().bytes; }

/// Caches may still hold data that memory lacks; debug access finds them.
template <class Initiator>
void check_all(Initiator& initiator, const Bytes& expected) {
  Bytes data(kRegion);
  Plain transaction(tlm::TLM_READ_COMMAND, 0, data.data(), kRegion);
  REQUIRE(initiator.socket->transport_dbg(transaction) == kRegion);
  CHECK(std::equal(data.begin(), data.end(), expected.begin()));
}

template <class System>
void soak_blocking(System& system, unsigned accesses) {
  Bytes expected = initial();
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    Rng rng(7);
    for (unsigned n = 0; n < accesses; ++n) {
      Shape shape = random_shape(rng, 0, kRegion);
      Bytes data = shape.data;
      Plain transaction(shape.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, shape.address, data.data(), shape.bytes);
      set(transaction, shape);
      REQUIRE(self.transport(transaction, ps(rng.chance(0.5) ? 0 : rng.below(5000))) == tlm::TLM_OK_RESPONSE);
      REQUIRE(data == expect_of(shape, expected));
    }
    check_all(self, expected);
  });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(initiator.ended);
  CHECK(system.count("l2.writebacks") > accesses / 10);
}

/// Each of eight concurrent transactions has a part of the memory to itself.
template <class System>
void soak_phases(System& system, unsigned accesses) {
  Bytes expected = initial();
  AtInitiator initiator("initiator");
  Rng rng(11);
  struct Open {
    Shape shape;
    Bytes expected;
    unsigned part;
  };
  std::map<AtInitiator::Transaction*, std::unique_ptr<Open>> open;
  std::vector<std::unique_ptr<Open>> answered;
  unsigned started = 0, ended = 0;
  const auto start = [&](unsigned part) {
    ++started;
    auto next = std::make_unique<Open>();
    next->part = part;
    next->shape = random_shape(rng, part * kRegion / 8, kRegion / 8);
    next->expected = expect_of(next->shape, expected);
    auto& transaction =
        initiator.send(next->shape.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, next->shape.address, next->shape.data);
    set(transaction, next->shape);
    open[&transaction] = std::move(next);
  };
  initiator.heard = [&](AtInitiator::Transaction& transaction) {
    const auto it = open.find(&transaction);
    REQUIRE(transaction.result == tlm::TLM_OK_RESPONSE);
    REQUIRE(transaction.data == it->second->expected);
    const unsigned part = it->second->part;
    answered.push_back(std::move(it->second));  // its byte enables belong to a transaction whose call has not returned
    open.erase(it);
    ++ended;
    if (started < accesses) start(part);
  };
  for (unsigned part = 0; part < 8; ++part) start(part);
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(ended == accesses);
  CHECK(initiator.freed == accesses);
  check_all(initiator, expected);
}

}  // namespace

TEST_CASE("foreign soak: a blocking initiator and a blocking memory around an L2 slice") {
  L2System<LtMemory> system;
  system.memory.store.refuse_byte_enables = true;
  soak_blocking(system, 3000);
}

TEST_CASE("foreign soak: a blocking initiator before an L1 and an L2 slice, and a memory that mixes all sequences of phases") {
  L1System<AtMemory> system;
  system.memory.sequence = [n = 0u]() mutable { return static_cast<Sequence>(n++ % 5); };
  soak_blocking(system, 3000);
}

TEST_CASE("foreign soak: eight transactions at a time before an L2 slice, and a memory that mixes all sequences of phases") {
  L2System<AtMemory> system;
  system.memory.sequence = [n = 0u]() mutable { return static_cast<Sequence>(n++ * 7 % 5); };
  soak_phases(system, 4000);
}

TEST_CASE("foreign soak: eight transactions at a time before an L1 whose transactions are sectors") {
  L1System<LtMemory> system(small_l1(true), TransactionUnit::sector);
  soak_phases(system, 4000);
}
