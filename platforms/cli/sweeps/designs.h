#pragma once
// The designs that `compare` compares.

namespace wharf::cli {

/// A design, and the private-L1 baseline on its own GPU.
struct Design {
  const char *config, *baseline;
};
inline constexpr Design kDesigns[] = {
    {"remote_sharing", "remote_sharing/baseline"},
    {"shared_l1", "shared_l1/baseline"},
    {"dc_l1", "dc_l1/private"},
    {"ata", "ata/private"},
    {"morpheus", "morpheus/bl"},
};

/// Designs that can be added to any of them. CIAO's epochs are shorter than published, because it would otherwise reach few epoch ends in
/// runs like those of the suites.
inline constexpr const char* kAdditions[] = {"loscache", "ciao/ciao_t_short", "ciao/ciao_c_short"};

/// The GPU that most of them fit on.
inline constexpr const char* kCommonGpu = "80sm_common";

}  // namespace wharf::cli
