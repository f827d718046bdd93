#pragma once
// A reference model of the DRAM channel without refresh, as simple as possible: a list of requests in order of age, a search of the command
// history for every timing rule, a step in every clock. It is slow. DramLogic must give the same results.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/dram/dram_address.h"
#include "model/dram/dram_timing.h"
#include "tests/unit/dram/dram_script.h"

namespace wharf::test {

class PlainDram {
 public:
  explicit PlainDram(const DramParams& params)
      : p_(params), rows_(dram_timing_rows(params)), decoder_(params), open_(params.banks), current_(params.banks) {}

  /// As ScriptedDram::serve: ids and completion cycles, in order.
  std::vector<std::pair<std::uint64_t, Cycle>> serve(const std::vector<DramOffer>& script) {
    std::size_t next = 0;
    for (Cycle now = 0; done_.size() < script.size(); ++now) {
      unsigned accepted = 0;
      while (next < script.size() && script[next].at <= now && queue_.size() < p_.queue_entries && accepted < p_.accepts_per_clock) {
        accept(script[next], next);
        ++next, ++accepted;
      }
      step(now);
    }
    return done_;
  }

 private:
  struct Request {
    std::uint64_t id;
    Address line;
    unsigned bank;
    std::uint64_t row;
    unsigned bursts;
    bool write;
  };

  void accept(const DramOffer& offer, std::uint64_t id) {
    const DramLocation at = decoder_.locate(offer.address, offer.address);
    unsigned bursts = 0;
    for (unsigned byte = 0; byte < kLineBytes; byte += p_.burst_bytes) {
      bool used = false;
      for (unsigned in = 0; in < p_.burst_bytes; in += kSectorBytes) used |= (offer.sectors >> (byte + in) / kSectorBytes & 1) != 0;
      bursts += used;
    }
    queue_.push_back({id, offer.address / kLineBytes, at.bank, at.row, bursts, offer.write});
  }

  bool held(std::size_t i) const {
    for (std::size_t older = 0; older < i; ++older) {
      if (queue_[older].line == queue_[i].line && queue_[older].write != queue_[i].write) return true;
    }
    return false;
  }

  bool is_eligible(std::size_t i, bool writes_wait) const {
    if (held(i)) return false;
    if (!writes_wait || !queue_[i].write) return true;
    for (const Request& other : queue_) {
      if (!other.write && other.line == queue_[i].line) return true;  // a younger request: an older one would hold back this write
    }
    return false;
  }

  void step(Cycle now) {
    bool read_waits = false;
    for (std::size_t i = 0; i < queue_.size(); ++i) read_waits |= !queue_[i].write && !held(i);
    const bool writes_wait =
        p_.write_policy == DramWritePolicy::drain && read_waits && queue_.size() <= p_.queue_entries * p_.write_drain_percent / 100;
    std::vector<std::size_t> taken;
    for (unsigned bank = 0; bank < p_.banks; ++bank) {
      if (current_[bank]) continue;
      std::optional<std::size_t> oldest, hit;
      for (std::size_t i = 0; i < queue_.size(); ++i) {
        if (queue_[i].bank != bank || !is_eligible(i, writes_wait)) continue;
        if (!oldest) oldest = i;
        if (!hit && p_.scheduler == "fr_fcfs" && open_[bank] == queue_[i].row) hit = i;
      }
      if (!oldest) continue;
      taken.push_back(hit ? *hit : *oldest);
      current_[bank] = queue_[taken.back()];
    }
    std::sort(taken.rbegin(), taken.rend());
    for (const std::size_t i : taken) queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(i));
    const bool column = give(now, true);
    if (!column || p_.dual_command) give(now, false);
  }

  /// The next command that the bank needs.
  DramCommand needs(unsigned bank) const {
    if (!open_[bank]) return DramCommand::activate;
    if (*open_[bank] != current_[bank]->row) return DramCommand::precharge;
    return current_[bank]->write ? DramCommand::write : DramCommand::read;
  }

  bool allowed(DramCommand command, unsigned bank, Cycle now) const {
    for (const DramTimingRow& row : rows_) {
      if (row.after != command) continue;
      for (unsigned other = 0; other < p_.banks; ++other) {
        const bool bound = row.scope == DramScope::channel || other == bank ||
                           (row.scope == DramScope::group && other % p_.bank_groups == bank % p_.bank_groups);
        const auto last = last_.find({row.before, other});
        if (bound && last != last_.end() && now < last->second + row.clocks) return false;
      }
    }
    return true;
  }

  bool give(Cycle now, bool column) {
    std::optional<unsigned> chosen;
    for (unsigned bank = 0; bank < p_.banks; ++bank) {
      if (!current_[bank]) continue;
      const DramCommand command = needs(bank);
      if ((command == DramCommand::read || command == DramCommand::write) != column || !allowed(command, bank, now)) continue;
      if (!chosen || current_[bank]->id < current_[*chosen]->id) chosen = bank;
    }
    if (!chosen) return false;
    const DramCommand command = needs(*chosen);
    Request& request = *current_[*chosen];
    last_[{command, *chosen}] = now;
    if (command == DramCommand::activate) open_[*chosen] = request.row;
    if (command == DramCommand::precharge) open_[*chosen].reset();
    if (column && --request.bursts == 0) {
      done_.emplace_back(request.id, now + (request.write ? p_.timing.tWL : p_.timing.tCL) + p_.burst_clocks());
      current_[*chosen].reset();
    }
    return true;
  }

  const DramParams p_;
  const std::vector<DramTimingRow> rows_;
  const DramAddressDecoder decoder_;
  std::vector<Request> queue_;
  std::vector<std::optional<std::uint64_t>> open_;
  std::vector<std::optional<Request>> current_;
  std::map<std::pair<DramCommand, unsigned>, Cycle> last_;
  std::vector<std::pair<std::uint64_t, Cycle>> done_;
};

}  // namespace wharf::test
