#include "platforms/memory/wharf_memory.h"

#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "model/base/error.h"
#include "model/base/host/out_of_memory.h"
#include "platforms/inputs/configuration.h"
#include "platforms/measure/interval_metrics.h"
#include "platforms/memory/hosted_memory.h"

extern "C" int sc_main(int, char**);

namespace {

/// libsystemc comes behind this library on the link line, and refers to sc_main: a host without one gets that of sc_main.cpp by this.
[[gnu::used]] int (*const kScMain)(int, char**) = sc_main;

using wharf::AccessKind;

std::string& create_error() {
  static std::string text;
  return text;
}

AccessKind kind_of(std::uint32_t kind) {
  switch (kind) {
    case WHARF_MEMORY_LOAD:
      return AccessKind::load;
    case WHARF_MEMORY_STORE:
      return AccessKind::store;
    case WHARF_MEMORY_ATOMIC:
      return AccessKind::atomic;
  }
  throw wharf::InputError("kind " + std::to_string(kind) + ": use WHARF_MEMORY_LOAD, _STORE or _ATOMIC");
}

wharf_memory_kind kind_of(AccessKind kind) {
  return kind == AccessKind::load ? WHARF_MEMORY_LOAD : kind == AccessKind::store ? WHARF_MEMORY_STORE : WHARF_MEMORY_ATOMIC;
}

static_assert(static_cast<int>(wharf::ServedBy::l1) == WHARF_MEMORY_L1 && static_cast<int>(wharf::ServedBy::peer) == WHARF_MEMORY_PEER &&
              static_cast<int>(wharf::ServedBy::home) == WHARF_MEMORY_HOME && static_cast<int>(wharf::ServedBy::l2) == WHARF_MEMORY_L2 &&
              static_cast<int>(wharf::ServedBy::ellc) == WHARF_MEMORY_EXTENDED_LLC &&
              static_cast<int>(wharf::ServedBy::dram) == WHARF_MEMORY_DRAM);

}  // namespace

struct wharf_memory {
  wharf_memory(const wharf::GpuParams& params, wharf::RunOptions options, wharf_memory_callback callback, void* user)
      : hosted(params, std::move(options), [this, callback, user](const wharf::MemoryPort::Answer& answer) {
          if (callback == nullptr) return;
          const wharf_memory_reply reply = {answer.tag, answer.cycle, answer.access.sm, kind_of(answer.access.kind),
                                            static_cast<wharf_memory_level>(answer.served_by)};
          in_callback = true;
          callback(user, &reply);
          in_callback = false;
        }) {}

  wharf::HostedMemory hosted;
  std::string error, metrics;
  bool failed = false;  // the simulation cannot go on
  bool finished = false;
  bool in_callback = false;

  /// Returns what `call` does; -1, with the error's text, where it throws.
  template <class Call>
  int guarded(Call call) {
    try {
      if (failed) return -1;  // keeps the text of the first failure
      if (in_callback) throw wharf::InputError("a callback may make requests and call nothing else");
      if (finished) throw wharf::InputError("the simulation has been finished; only metrics can be asked for");
      return call();
    } catch (const wharf::InputError& mistake) {
      error = mistake.what();
    } catch (const std::exception& failure) {
      error = failure.what();
      failed = true;
    }
    return -1;
  }
};

wharf_memory* wharf_memory_create(const wharf_memory_options* options, wharf_memory_callback callback, void* user) {
  try {
    create_error().clear();
    if (options == nullptr || options->configuration == nullptr)
      throw wharf::InputError("options.configuration: name a configuration, such as \"private\", or the path of a YAML file");
    if (options->data_folder != nullptr) setenv("WHARF_HOME", options->data_folder, 1);
    std::vector<std::string> settings;
    for (std::size_t i = 0; i < options->setting_count; ++i) {
      if (options->settings == nullptr || options->settings[i] == nullptr)
        throw wharf::InputError("options.settings: entry " + std::to_string(i) + " is null; give key=value");
      settings.emplace_back(options->settings[i]);
    }
    wharf::RunOptions run;
    run.seed = options->seed == 0 ? 1 : options->seed;
    run.verify = options->verify != 0;
    const auto configuration = wharf::cli::load_configuration(options->configuration, settings, "");
    return std::make_unique<wharf_memory>(configuration.params, std::move(run), callback, user).release();
  } catch (const std::bad_alloc&) {
    create_error() = wharf::kOutOfMemory;
    return nullptr;
  } catch (const std::exception& failure) {
    create_error() = failure.what();
    return nullptr;
  }
}

void wharf_memory_destroy(wharf_memory* memory) { delete memory; }

int wharf_memory_try_request(wharf_memory* memory, const wharf_memory_request* request) {
  const bool in_callback = std::exchange(memory->in_callback, false);
  const int result = memory->guarded([&] {
    if (request->warp > std::numeric_limits<std::uint16_t>::max())
      throw wharf::InputError("warp " + std::to_string(request->warp) + ": an SM has at most 65536");
    wharf::Access access;
    access.kind = kind_of(request->kind);
    access.cache_op = request->bypass_l1 != 0 ? wharf::CacheOp::bypass_l1 : wharf::CacheOp::all;
    access.warp = static_cast<std::uint16_t>(request->warp);
    access.cta = request->cta;
    access.pc = request->pc;
    return memory->hosted.offer(request->core, access, request->address, request->bytes, request->tag) ? 1 : 0;
  });
  memory->in_callback = in_callback;
  return result;
}

int wharf_memory_advance_to(wharf_memory* memory, uint64_t cycle) {
  return memory->guarded([&] {
    if (cycle < memory->hosted.cycle())
      throw wharf::InputError("cycle " + std::to_string(cycle) + " has passed: it is cycle " + std::to_string(memory->hosted.cycle()));
    return memory->hosted.advance(cycle) ? 1 : 0;
  });
}

int wharf_memory_tick(wharf_memory* memory) { return wharf_memory_advance_to(memory, wharf_memory_cycle(memory) + 1); }

uint64_t wharf_memory_cycle(const wharf_memory* memory) { return memory->hosted.cycle(); }
uint64_t wharf_memory_in_flight(const wharf_memory* memory) { return memory->hosted.in_flight(); }
uint32_t wharf_memory_cores(const wharf_memory* memory) { return memory->hosted.params().sms; }
uint32_t wharf_memory_clock_mhz(const wharf_memory* memory) { return memory->hosted.params().clock_mhz.core; }
uint32_t wharf_memory_transaction_bytes(const wharf_memory* memory) { return memory->hosted.transaction_bytes(); }

int wharf_memory_kernel_boundary(wharf_memory* memory) {
  return memory->guarded([&] { return memory->hosted.kernel_boundary() ? 1 : 0; });
}

int wharf_memory_metric(wharf_memory* memory, const char* name, double* value) {
  try {
    const auto metrics = wharf::cli::metrics_json(memory->hosted.statistics(), memory->hosted.counted());
    const auto found = metrics.find(name);
    if (found == metrics.end())
      throw wharf::InputError(std::string("this machine has no metric '") + name + "', or it is undefined so far");
    *value = found->get<double>();
    return 0;
  } catch (const std::exception& failure) {
    memory->error = failure.what();
    return -1;
  }
}

const char* wharf_memory_metrics(wharf_memory* memory) {
  try {
    memory->metrics = wharf::cli::metrics_json(memory->hosted.statistics(), memory->hosted.counted()).dump(2);
    return memory->metrics.c_str();
  } catch (const std::exception& failure) {
    memory->error = failure.what();
    return nullptr;
  }
}

int wharf_memory_finish(wharf_memory* memory) {
  return memory->guarded([&] {
    memory->hosted.finish();
    memory->finished = true;
    return 0;
  });
}

const char* wharf_memory_error(const wharf_memory* memory) { return memory == nullptr ? create_error().c_str() : memory->error.c_str(); }
