#pragma once
// Opens stimuli and traces by their command-line names.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/stimulus.h"
#include "stimuli/suites.h"
#include "stimuli/traces/trace_reader.h"

namespace wharf::cli {

/// Opens a stimulus of the catalogue, or `synthetic:...`. Throws InputError.
std::unique_ptr<Stimulus> open_named_stimulus(const std::string& spec, std::uint64_t seed);

/// Throws InputError where open_named_stimulus() would, without building large data.
void check_stimulus(const std::string& spec);

/// The argument limit_warp_instructions of a stimulus; kNever where it has none.
std::uint64_t limit_of_stimulus(const std::string& spec);

/// The suites of stimuli/suites.yaml. Throws InputError with every mistake in it.
std::vector<Suite> all_suites();

/// The members of a suite as specs, in the suite's order. Throws InputError for an unknown suite, or a suite with an unknown stimulus.
std::vector<std::string> stimuli_of_suite(const std::string& name);

/// Name and one line of help of every stimulus, sorted.
std::vector<std::pair<std::string, std::string>> stimulus_names();

/// `trace` is a kernelslist.g, a folder with one, or a kernel file. Throws InputError.
std::unique_ptr<Stimulus> open_trace(const std::string& trace, const traces::ReaderOptions& options = {});

/// Identifies the contents of the list and of every file in it.
std::string trace_fingerprint(const std::string& trace);
/// The same, of a stimulus that open_trace() has opened: what the run has read was fingerprinted as it was read.
std::string trace_fingerprint_of(const Stimulus& trace);

/// The name of the folder that holds the trace.
std::string trace_name(const std::string& trace);

}  // namespace wharf::cli
