// Which tests cover which sources. `sources` are compiled with the tests if they include the mutated file; everything else comes from the
// library of the preset `separate`.

import { readdirSync } from "node:fs";

const folder = (root, path, pattern = /\.cpp$/) => readdirSync(`${root}/${path}`).filter((name) => pattern.test(name)).sort().map((name) => `${path}/${name}`);
/// Soaks come last, because mutants that only soaks find cost most.
const soaksLast = (tests) => [...tests.filter((name) => !/soak|random/.test(name)), ...tests.filter((name) => /soak|random/.test(name))];

export function groupsOf(root) {
  const unit = (room, pattern) => soaksLast(folder(root, `tests/unit/${room}`, pattern));
  return [
    { name: "cache", mutated: folder(root, "model/cache", /\.(h|cpp)$/), sources: folder(root, "model/cache"), tests: unit("cache") },
    { name: "dram",
      mutated: [...folder(root, "model/dram", /dram_(address|logic|timing)\.(h|cpp)$/), "policies/dram_scheduler/fr_fcfs.cpp", "policies/dram_scheduler/fcfs.h"],
      sources: ["model/dram/dram_logic.cpp", ...folder(root, "policies/dram_scheduler")],
      tests: [...unit("dram"), "tests/contract/dram_scheduler.cpp"] },
    { name: "crossbar",
      mutated: [...folder(root, "model/network/crossbar", /(_logic|interface_queue|asked_places)\.(h|cpp)$/)],
      sources: folder(root, "model/network/crossbar", /_logic\.cpp$/), tests: unit("network/crossbar") },
    { name: "routed",
      mutated: [...folder(root, "model/network/routed", /(_logic|event_wheel)\.(h|cpp)$/)],
      sources: folder(root, "model/network/routed", /_logic\.cpp$/), tests: unit("network/routed") },
    { name: "rate", mutated: folder(root, "model/network/rate", /_logic\.(h|cpp)$/),
      sources: folder(root, "model/network/rate", /_logic\.cpp$/), tests: unit("network", /^rate_logic/) },
    { name: "hierarchical", mutated: folder(root, "model/network/hierarchical", /(_logic|packet_queue|hierarchy|coalescer)\.(h|cpp)$/),
      sources: folder(root, "model/network/hierarchical", /_logic\.cpp$/), tests: unit("network", /^hierarchical_/) },
    { name: "arbitration", mutated: folder(root, "policies/arbitration", /(islip|round_robin|port_mask)\.(h|cpp)$/),
      sources: [...folder(root, "policies/arbitration"), "model/network/crossbar/crossbar_logic.cpp"],
      tests: ["tests/unit/network/crossbar/crossbar_arbitration.cpp", "tests/contract/arbitration.cpp"] },
    { name: "replacement", mutated: folder(root, "policies/replacement", /^(?!catalogue).*\.(h|cpp)$/),
      sources: [...folder(root, "policies/replacement"), "model/cache/tag_array.cpp"],
      tests: [...unit("policies", /^replacement/), "tests/contract/replacement.cpp"] },
  ];
}
