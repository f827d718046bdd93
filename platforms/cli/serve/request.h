#pragma once
// The requests of `wharf serve`, one per line (docs/serve.md).

#include <string>
#include <string_view>
#include <variant>

#include "platforms/cli/results/result.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/serve/json_members.h"

namespace wharf::cli {

/// The JSON Schema of the params of a run, with the defaults of this configuration.
struct DescribeRequest {
  std::string config = "private";
};

struct RunRequest {
  RunSpec spec;
};

/// Ends an open run of the same client.
struct CancelRequest {
  Json run;  // its id
};

using Request = std::variant<DescribeRequest, RunRequest, CancelRequest>;

/// A line as an object, with an id that is a text or a whole number. Throws BadRequest for anything else, and if an object has a member
/// twice.
Json parse_line(std::string_view line);

/// The request in the object of parse_line(). Throws BadRequest.
Request parse_request(const Json& line);

}  // namespace wharf::cli
