#pragma once
// The designs that `compare` puts beside each other.

namespace wharf::cli {

/// A design, and the private L1s of its own GPU.
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

/// What stands beside any of them. CIAO looks at its warps more often than published, or it would have looked a few times by the end of
/// runs like those of the suites.
inline constexpr const char* kAdditions[] = {"loscache", "ciao/ciao_t_short", "ciao/ciao_c_short"};

/// The GPU on which most of them can stand.
inline constexpr const char* kCommonGpu = "80sm_common";

}  // namespace wharf::cli
