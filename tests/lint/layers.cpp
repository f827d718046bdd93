#include "tests/lint/findings/layers.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/lint/project_tree.h"

using namespace wharf::lint;

TEST_CASE("every include points down the layers") {
  REQUIRE(sources_and_tests().size() > 100);
  CHECK(layer_findings(sources_and_tests()) == Findings{});
}

TEST_CASE("an include that points up or across is found") {
  const auto found = [](const char* path, const char* include) {
    return layer_findings({{path, std::string("#pragma once\n#include <vector>\n#include \"") + include + "\"\n"}});
  };
  CHECK(found("policies/replacement/x.h", "model/cache/tag_array.h") ==
        Findings{"policies/replacement/x.h:3: a policy includes model/cache/tag_array.h"});
  CHECK(found("model/base/x.h", "policies/catalogue.h") == Findings{"model/base/x.h:3: model/base includes policies/catalogue.h"});
  CHECK(found("stimuli/x.cpp", "model/sm/sm_params.h") == Findings{"stimuli/x.cpp:3: a stimulus includes model/sm/sm_params.h"});
  CHECK(found("model/cache/x.h", "model/l1/l1_params.h") == Findings{"model/cache/x.h:3: model/cache includes model/l1/l1_params.h"});
  CHECK(found("model/sm/x.cpp", "platforms/frame/gpu_params.h") ==
        Findings{"model/sm/x.cpp:3: the model includes platforms/frame/gpu_params.h"});
  CHECK(found("model/sm/x.cpp", "stimuli/kernels/kernels.h") == Findings{"model/sm/x.cpp:3: the model includes stimuli/kernels/kernels.h"});
  CHECK(found("platforms/x.cpp", "platforms/cli/results/result.h") ==
        Findings{"platforms/x.cpp:3: a platform includes platforms/cli/results/result.h"});
  CHECK(found("platforms/memory/x.h", "platforms/cli/results/result.h") ==
        Findings{"platforms/memory/x.h:3: the C interface includes platforms/cli/results/result.h"});
  CHECK(found("platforms/inputs/x.h", "platforms/cli/context.h") ==
        Findings{"platforms/inputs/x.h:3: a platform includes platforms/cli/context.h"});
  CHECK(found("platforms/cli/x.cpp", "tests/lint/findings/layers.h") ==
        Findings{"platforms/cli/x.cpp:3: the program includes tests/lint/findings/layers.h"});
  CHECK(found("platforms/cli/x.cpp", "platforms/simulation.h") == Findings{});
}

TEST_CASE("only a design's own folders, its catalogue and RTL include what it alone has, and no machine names a design") {
  const Tree project = select(read_project(), {"model/", "platforms/", "policies/", "stimuli/", "tests/"}, {".h", ".cpp", ".yaml"});
  CHECK(design_findings(project) == Findings{});
}

TEST_CASE("a file that includes what another design alone has is found") {
  const auto found = [](const char* path, const char* include) {
    return design_findings({{path, std::string("#include \"") + include + "\"\n"}});
  };
  CHECK(found("model/l1/a.h", "model/designs/ata/b.h") ==
        Findings{"model/l1/a.h:1: includes model/designs/ata/b.h, which the design ata alone has"});
  CHECK(found("platforms/designs/ata/a.h", "platforms/designs/dc_l1/b.h") ==
        Findings{"platforms/designs/ata/a.h:1: includes platforms/designs/dc_l1/b.h, which the design dc_l1 alone has"});
  CHECK(found("platforms/frame/a.cpp", "platforms/designs/ata/b.h").size() == 1);
  CHECK(found("platforms/designs/ata/a.h", "model/designs/ata/b.h") == Findings{});
  CHECK(found("platforms/designs/ata/a.h", "platforms/designs/private/private_platform.h") == Findings{});
  CHECK(found("platforms/catalogue.cpp", "platforms/designs/ata/b.h") == Findings{});
  const Tree machines = {{"platforms/configs/gpus/a.yaml", "sms: 3\nplatform: ata\n"},
                         {"platforms/configs/b.yaml", "extends: ata/inv   # why\n"},
                         {"platforms/configs/c.yaml", "platform: private\n"},
                         {"platforms/designs/ata/design.yaml", "platform: ata\n"},
                         {"platforms/designs/private/a.h", ""}};
  CHECK(design_findings(machines) ==
        Findings{"platforms/configs/gpus/a.yaml:2: names the design ata", "platforms/configs/b.yaml:1: names the design ata"});
}

TEST_CASE("no pure file reaches SystemC") {
  REQUIRE(is_pure("model/l1/l1_logic.cpp"));
  REQUIRE_FALSE(is_pure("model/l1/l1_cache.cpp"));
  CHECK(purity_findings(sources_and_tests()) == Findings{});
}

TEST_CASE("SystemC behind a chain of includes is found with the chain") {
  const Tree tree = {{"policies/x/x.cpp", "#include \"policies/x/x.h\"\n"},
                     {"policies/x/x.h", "#include \"model/sm/sm.h\"\n"},
                     {"model/sm/sm.h", "#include <systemc>\n"},
                     {"model/sm/sm_logic.h", "#include <tlm>\n"},
                     {"model/sm/sm_params.h", "#include <vector>\n#include \"model/sm/sm_params.h\"\n"}};
  CHECK(purity_findings(tree) == Findings{"policies/x/x.cpp: is pure and reaches SystemC: <- policies/x/x.h <- model/sm/sm.h <- <systemc>",
                                          "policies/x/x.h: is pure and reaches SystemC: <- model/sm/sm.h <- <systemc>",
                                          "model/sm/sm_logic.h: is pure and reaches SystemC: <- <tlm>"});
}

TEST_CASE("every family of policies has a catalogue") {
  // Folders that need no catalogue: one has no member yet, and the catalogue of networks names the members of the other.
  const std::vector<std::string> without = {"policies/l2_line/", "policies/routing/"};
  Findings missing;
  for (const auto& entry : std::filesystem::directory_iterator(project_root() / "policies")) {
    if (!entry.is_directory() || std::filesystem::exists(entry.path() / "catalogue.cpp")) continue;
    const std::string folder = "policies/" + entry.path().filename().string() + "/";
    if (std::find(without.begin(), without.end(), folder) == without.end()) missing.push_back(folder);
  }
  CHECK(missing == Findings{});
}
