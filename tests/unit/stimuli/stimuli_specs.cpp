// Valid specifications of workloads, and the messages for invalid ones.

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/base/error.h"
#include "stimuli/catalogue.h"
#include "stimuli/suites.h"
#include "test_paths.h"
#include "tests/support/catalogue_workload.h"

using namespace wharf;
using Catch::Contains;
using wharf::test::refusal;

namespace {

KernelLaunch first_launch(const std::string& spec) {
  const auto stimulus = make_stimulus(spec, 1);
  return *stimulus->next_kernel();
}

/// A suites file with this text.
class SuitesFile {
 public:
  explicit SuitesFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("wharf_suites_" + std::to_string(getpid()) + ".yaml")) {
    std::ofstream(path_) << text;
  }
  ~SuitesFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string suites_refusal(const std::string& text) {
  const SuitesFile file(text);
  try {
    for (const Suite& suite : load_suites(file.path())) check_workloads(suite, check_stimulus);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("arguments, shorthands and sizes set what they name", "[stimuli][specs]") {
  CHECK(first_launch("gemm").grid.x == 512 / 32);  // std
  CHECK(first_launch("gemm").grid.y == 168 / 8);
  CHECK(first_launch("gemm:n=256").grid.y == 256 / 8);
  CHECK(first_launch("gemm:n=256,ni=64").grid.y == 64 / 8);   // the later value counts
  CHECK(first_launch("gemm@tiny:ni=64").grid.x == 128 / 32);  // the other arguments have the size's values
  CHECK(first_launch("atax:nx=1000,ny=1024").grid.x == 4);    // 1000 = 3 * 256 + 232
  CHECK(first_launch("bfs:nodes=513").grid.x == 2);
  const auto launch = first_launch("hotspot@tiny");
  CHECK(launch.shared_bytes == 3 * 16 * 16 * 4);
  CHECK(launch.registers_per_thread == 35);
  CHECK(launch.block.count() == 256);
}

TEST_CASE("every workload has its sizes, presets in range and help", "[stimuli][specs]") {
  std::set<std::string> names;
  for (const WorkloadInfo& info : list_stimuli()) {
    CAPTURE(info.name);
    CHECK(names.insert(info.name).second);
    CHECK_FALSE(info.help.empty());
    std::vector<std::string> sizes;
    for (const WorkloadSize& size : info.sizes) {
      sizes.push_back(size.name);
      CHECK_NOTHROW(check_stimulus(info.name + "@" + size.name));
    }
    REQUIRE(sizes.size() >= 3);
    for (std::size_t more = 3; more < sizes.size(); ++more)
      CHECK((sizes[more] == "wide" || sizes[more] == "llc" || sizes[more] == "ciao" || sizes[more] == "loscache"));
    sizes.resize(3);
    CHECK(sizes == std::vector<std::string>{"tiny", "std", "paper"});
    std::set<std::string> arguments;
    for (const Argument& argument : info.arguments) {
      CHECK(arguments.insert(argument.name).second);
      CHECK_FALSE(argument.help.empty());
      CHECK(argument.low <= argument.high);
    }
    for (const char* common : {"unroll", "alu", "seed", "limit_warp_instructions"}) CHECK(arguments.count(common) == 1);
    for (const WorkloadSize& size : info.sizes) {
      for (const auto& value : size.values) CHECK(arguments.count(value.first) == 1);
    }
    for (const Shorthand& shorthand : info.shorthands) {
      CHECK(arguments.count(shorthand.name) == 0);
      for (const auto& target : shorthand.argument_names) CHECK(arguments.count(target) == 1);
    }
  }
}

TEST_CASE("a wrong spec is refused with the remedy", "[stimuli][specs]") {
  CHECK_THAT(refusal("gem"), Contains("unknown workload 'gem'; did you mean 'gemm'?") && Contains("vectoradd, gemm, 2mm"));
  CHECK_THAT(refusal("zzzzzz"), Contains("unknown workload 'zzzzzz'; there are vectoradd"));
  CHECK_THAT(refusal(""), Contains("names no workload"));
  CHECK_THAT(refusal("@tiny"), Contains("names no workload"));
  CHECK_THAT(refusal("gemm@"), Contains("a size must follow '@'"));
  CHECK_THAT(refusal("gemm@tny"), Contains("unknown size 'tny'; did you mean 'tiny'? gemm has tiny, std, paper"));
  CHECK_THAT(refusal("gemm:nkk=4"), Contains("unknown argument 'nkk'; did you mean 'nk'? gemm takes ni (1..16384, default 512)") &&
                                        Contains("lda (1..16384, default nk)") && Contains("n (= ni, nj, nk)"));
  CHECK_THAT(refusal("gemm:rows=4"), Contains("unknown argument 'rows'; gemm takes"));
  CHECK_THAT(refusal("gemm:"), Contains("'' is not of the form key=value"));
  CHECK_THAT(refusal("gemm:n"), Contains("'n' is not of the form key=value"));
  CHECK_THAT(refusal("gemm:=4"), Contains("not of the form key=value"));
  CHECK_THAT(refusal("gemm:n="), Contains("not of the form key=value"));
  CHECK_THAT(refusal("gemm:n=4,"), Contains("'' is not of the form key=value"));
  CHECK_THAT(refusal("gemm:n=4,n=5"), Contains("'n' is given twice"));
  for (const char* number : {"4x", "x", "0x10", "nan", "inf", " 4", "4 ", "1e999"}) {
    CHECK_THAT(refusal(std::string("gemm:n=") + number), Contains("is not a number; write e.g. n=1"));
  }
  CHECK_THAT(refusal("gemm:n=2.5"), Contains("ni=2.5 must be a whole number"));
  CHECK_THAT(refusal("gemm:n=0"), Contains("ni=0 is out of range; ni (rows of A and C) may be 1 to 16384"));
  CHECK_THAT(refusal("gemm:n=-4"), Contains("out of range"));
  CHECK_THAT(refusal("gemm:n=99999999999999999999"), Contains("out of range"));
  CHECK_THAT(refusal("gemm:alu=-1"), Contains("alu=-1 is out of range"));
  CHECK_THAT(refusal("gemm:unroll=33"), Contains("may be 1 to 32"));
  CHECK_THAT(refusal("spmv:density=0"), Contains("may be 0.0001 to 1"));
  CHECK_THAT(refusal("gemm:n=\x1b[2J"), Contains("\\x1b") && !Contains("\x1b"));
  CHECK_THAT(refusal(std::string(5000, 'g')).substr(0, 1000), Contains("unknown workload"));
}

TEST_CASE("arguments that contradict each other are refused", "[stimuli][specs]") {
  CHECK_THAT(refusal("gemm:nk=64,lda=63"), Contains("gemm:nk=64,lda=63: lda is the distance between rows of A and must be at least nk"));
  CHECK_THAT(refusal("atax:n=512,pitch=511"), Contains("at least ny"));
  CHECK_THAT(refusal("atax:nx=512,ny=256,row_trip=257"), Contains("row_trip must be at most ny"));
  CHECK_THAT(refusal("bicg:nx=256,ny=512,column_trip=257"), Contains("column_trip must be at most nx"));
  CHECK_THAT(refusal("mvt:n=256,pitch=255"), Contains("at least columns"));
  CHECK_THAT(refusal("mvt:n=256,trip=257"), Contains("at most columns"));
  CHECK_THAT(refusal("gesummv:n=256,trip=257"), Contains("trip must be at most columns"));
  CHECK_THAT(refusal("gesummv:n=256,pitch=255"), Contains("at least columns"));
  CHECK_THAT(refusal("syrk:m=64,pitch=63"), Contains("at least m"));
  CHECK_THAT(refusal("syr2k:m=64,pitch=63"), Contains("at least m"));
  CHECK_THAT(refusal("covar:m=64,width=63"), Contains("at least m"));
  CHECK_THAT(refusal("2mm:n=64,pitch=63"), Contains("at least n"));
  CHECK_THAT(refusal("3mm:n=64,trip=65"), Contains("trip must be at most n"));
  CHECK_THAT(refusal("2dconv:n=64,pitch=63"), Contains("at least nj"));
  CHECK_THAT(refusal("3dconv:n=64,pitch=63"), Contains("at least nk"));
  CHECK_THAT(refusal("3dconv:n=64,plane_rows=63"), Contains("at least nj"));
  CHECK_THAT(refusal("bfs:fewest=5,most=4"), Contains("fewest must be at most most"));
  CHECK_THAT(refusal("bfs:nodes=16777216,most=64"), Contains("choose less than 2^30"));
  CHECK_THAT(refusal("atax:n=32768"), Contains("need more than 4 GiB"));
  CHECK_THAT(refusal("kmeans:points=3,clusters=4"), Contains("clusters must be at most points"));
  CHECK_THAT(refusal("hotspot:h=2,steps=3"), Contains("steps must be a multiple of h"));
  CHECK_THAT(refusal("hotspot:n=64,pitch=63"), Contains("at least columns"));
  CHECK_THAT(refusal("hotspot3d:nx=96"), Contains("nx must be a multiple of 64 and ny of 4"));
  CHECK_THAT(refusal("hotspot3d:ny=6"), Contains("nx must be a multiple of 64 and ny of 4"));
  CHECK_THAT(refusal("lud:n=40"), Contains("n must be a multiple of 16"));
  CHECK_THAT(refusal("lud:n=64,pitch=63"), Contains("at least n"));
  CHECK_THAT(refusal("nw:n=40"), Contains("n must be a multiple of 16"));
  CHECK_THAT(refusal("nw:n=64,width=63"), Contains("at least n"));
  CHECK_THAT(refusal("cfd:nx=65"), Contains("may be 1 to 64"));
  CHECK_THAT(refusal("b+tree:keys=100,span=100"), Contains("span must be less than keys"));
  CHECK_THAT(refusal("b+tree:per_node=2"), Contains("about the number of nodes"));
  CHECK_THAT(refusal("backprop:in=17"), Contains("multiple of 16"));
  CHECK_THAT(refusal("blackscholes:options=7"), Contains("options must be even"));
  CHECK_THAT(refusal("transpose:width=100"), Contains("multiples of 32"));
  CHECK_THAT(refusal("transpose:width=64,height=32,variant=2"), Contains("width must equal height"));
  CHECK_THAT(refusal("fast_walsh:log2_data=7,log2_kernel=8"), Contains("log2_kernel must be at most log2_data"));
  CHECK_THAT(refusal("reduction:elements=513"), Contains("a multiple of 512"));
  CHECK_THAT(refusal("streamcluster:points=10,centres=9,launches=2"), Contains("centres + launches must be at most points"));
  CHECK_THAT(refusal("alexnet:conv1=0,conv2=0,conv3=0,fc6=0"), Contains("a layer must have outputs"));
  CHECK_THAT(refusal("resnet:block=0"), Contains("a layer must have outputs: conv1, or block=1"));
  CHECK_THAT(refusal("squeezenet:fire=0"), Contains("a layer must have outputs: conv1, or fire=1"));
  CHECK_THAT(refusal("resnet:side=27"), Contains("side must be 28, 14 or 7"));
  CHECK_THAT(refusal("resnet:narrow=129"), Contains("narrow must be at most"));
  CHECK_THAT(refusal("resnet:wide=513"), Contains("wide must be at most"));
  CHECK_THAT(refusal("squeezenet:squeeze=17"), Contains("squeeze must be at most between"));
  CHECK_THAT(refusal("squeezenet:expand=65"), Contains("expand must be at most expanded"));
  CHECK_THAT(refusal("gaussian:n=64,pitch=63"), Contains("at least n"));
  CHECK_THAT(refusal("matrixmul:n=100"), Contains("ha, wa and wb must be multiples of block"));
  CHECK_THAT(refusal("matrixmul:wa=64,lda=63"), Contains("at least wa"));
  CHECK_THAT(refusal("histogram64:bytes=100"), Contains("bytes must be a multiple of 16"));
  CHECK_THAT(refusal("cp:width=48"), Contains("width must be a multiple of 16 * points"));
  CHECK_THAT(refusal("cp:height=12"), Contains("and height of 8"));
  CHECK_THAT(refusal("lib:steps=41"), Contains("may be 1 to 40"));
  CHECK_THAT(refusal("dwt2d:width=64,height=8,levels=4"), Contains("choose fewer levels"));
  CHECK_THAT(refusal("sgemm:m=192"), Contains("m must be a multiple of 128, n of 16 and k of 8"));
  CHECK_THAT(refusal("sgemm:k=12"), Contains("m must be a multiple of 128, n of 16 and k of 8"));
  CHECK_THAT(refusal("histo:width=7"), Contains("width must be even"));
  CHECK_THAT(refusal("histo:width=2,height=9"), Contains("at least one and to a sum below 2^32"));
  CHECK_THAT(refusal("histo:width=2048,height=8192"), Contains("at least one and to a sum below 2^32"));
  CHECK_THAT(refusal("lbm:ny=1024,nz=1024"), Contains("choose fewer than 2^30"));
  CHECK_THAT(refusal("mri_gridding:nx=12"), Contains("nx and nz must be multiples of 8"));
  CHECK_THAT(refusal("mri_gridding:ny=6"), Contains("nx and nz must be multiples of 8"));
  CHECK_THAT(refusal("parboil_bfs:fewest=5,most=4"), Contains("fewest must be at most most"));
  CHECK_THAT(refusal("parboil_bfs:nodes=16777216,most=64"), Contains("choose less than 2^29"));
  CHECK_THAT(refusal("pagerank:nodes=16777216,degree=64"), Contains("choose fewer than 10^9"));
  CHECK_THAT(refusal("pagerank:degree=20,hub=100"), Contains("at least 8 times the degree"));
  CHECK_THAT(refusal("spmv:rows=1000000,density=1"), Contains("fewer than 10^9"));
  for (const char* job : {"inverted_index", "string_match", "word_count"}) {
    CHECK_THAT(refusal(std::string(job) + ":block=64,scan=65"), Contains("must be at most block"));
  }
  CHECK_THAT(refusal("syrk:n=64,rows=65"), Contains("rows must be at most n"));
  CHECK_THAT(refusal("similarity_score:dimensions=6"), Contains("must be multiples of 4"));
  CHECK_THAT(refusal("similarity_score:dimensions=64,pitch=32"), Contains("at least dimensions"));
  CHECK_THAT(refusal("mars_kmeans:points=3,clusters=4"), Contains("clusters must be at most points"));
}

TEST_CASE("the shipped suites name workloads that exist and no suite forgets one", "[stimuli][suites]") {
  const auto suites = load_suites(WHARF_SOURCE_DIR "/stimuli/suites.yaml");
  CHECK(find_suite(suites, "quick").workloads() ==
        std::vector<std::string>{"gemm@std", "2dconv@std", "bfs@std", "b+tree@std", "hotspot@std", "backprop@std"});
  std::vector<std::string> all, tiny;
  std::vector<std::string> cluster;
  for (const WorkloadInfo& info : list_stimuli()) {
    if (info.name.rfind("cluster_", 0) == 0) {  // only a machine with clusters runs them
      cluster.push_back(info.name + "@std");
      continue;
    }
    all.push_back(info.name + "@std");
    tiny.push_back(info.name + "@tiny");
  }
  CHECK(find_suite(suites, "cluster").workloads() == cluster);
  CHECK(find_suite(suites, "all").workloads() == all);
  CHECK(find_suite(suites, "tiny").workloads() == tiny);
  CHECK_THROWS_WITH(find_suite(suites, "quik"), Contains("unknown suite 'quik'; did you mean 'quick'? there are quick, all, tiny, "));
}

TEST_CASE("the groups of the publications have the sizes that their sources give, of workloads that exist", "[stimuli][suites]") {
  const auto suites = load_suites(WHARF_SOURCE_DIR "/stimuli/suites.yaml");
  for (const Suite& suite : suites) CHECK_NOTHROW(check_workloads(suite, check_stimulus));
  const auto size = [&](const char* name) { return find_suite(suites, name).members.size(); };
  CHECK(size("d3_sharing") == 11);
  CHECK(size("d3_low") == 5);
  CHECK(size("d3") == 11 + 5);
  CHECK(size("d4_shared_friendly") == 7);  // workloads that satisfy the criteria on the baseline (the source: 11, 5 and 12)
  CHECK(size("d4_private_friendly") == 4);
  CHECK(size("d4_other") == 17);
  CHECK(size("d4") == 28);
  CHECK(size("d4_deep_learning") == 3);
  CHECK(size("d5_deep_learning") == 3);
  CHECK(size("d5_sensitive") == 11);  // no twelfth workload satisfies the source's test
  CHECK(size("d5_poor") == 5);
  CHECK(size("d5_other") == 12);
  CHECK(size("d5_insensitive") == 17);
  CHECK(size("d5") == 28);
  CHECK(size("ata_high") == 5);
  CHECK(size("ata_low") == 5);
  CHECK(size("ata") == 10);
  CHECK(size("loscache") == 26);
  CHECK(size("morpheus_memory") == 14);
  CHECK(size("morpheus_compute") == 3);
  CHECK(size("morpheus") == 14 + 3);
  CHECK(size("ciao_lws") == 5);
  CHECK(size("ciao_sws") == 8);
  CHECK(size("ciao_ci") == 8);
  CHECK(size("ciao") == 21);
}

TEST_CASE("a group says which members its source names, and a suite of groups keeps that", "[stimuli][suites]") {
  const SuitesFile file("a: {named: [gemm@std], fill_ins: [atax@std]}\nb: {named: [bfs@std]}\nc: {of: [b, a]}\n");
  const auto suites = load_suites(file.path());
  CHECK(find_suite(suites, "a").partly_named());
  CHECK_FALSE(find_suite(suites, "b").partly_named());
  const Suite& all = find_suite(suites, "c");
  CHECK(all.workloads() == std::vector<std::string>{"bfs@std", "gemm@std", "atax@std"});
  CHECK_FALSE(all.members[0].fill_in);
  CHECK_FALSE(all.members[1].fill_in);
  CHECK(all.members[2].fill_in);
}

TEST_CASE("a wrong suites file is refused with every place", "[stimuli][suites]") {
  const std::string text = suites_refusal("b: gemm\nc: [atax@tiny, atax@tiny]\nd: []\ne: [[gemm]]\nf: {name: [gemm]}\ng: {of: [h]}\n");
  CHECK_THAT(text, Contains(":1:4: b: a suite is a list of workloads"));
  CHECK_THAT(text, Contains(":2:16: c: atax@tiny is named twice"));
  CHECK_THAT(text, Contains(":3:4: d: a suite is a list"));
  CHECK_THAT(text, Contains(":4:5: e: a workload is a text such as gemm@std, not"));
  CHECK_THAT(text, Contains(":5:5: f: unknown key 'name'; a group has named, fill_ins or of"));
  CHECK_THAT(text, Contains(":6:10: g: there is no suite 'h' above it"));
  CHECK_THAT(suites_refusal("a: [gemm@std, gem@std]\n"), Contains(":1:15: a: gem@std: unknown workload 'gem'; did you mean 'gemm'?"));
  CHECK_THAT(suites_refusal("a: {named: []}\n"), Contains(":1:4: a: names no workload"));
  CHECK_THAT(suites_refusal("a: [gemm]\na: [atax]\n"), Contains(":2:1"));
  CHECK_THAT(suites_refusal("[gemm]\n"), Contains(":1:1"));
  CHECK(suites_refusal("a: ['gemm:n=64,nk=8']\n") == "accepted");
  CHECK_THROWS_AS(load_suites("/nonexistent/suites.yaml"), InputError);
}

TEST_CASE("a workload's limit of warp instructions is an argument, and adding it keeps the rest of the text's meaning",
          "[stimuli][specs]") {
  CHECK(limit_warp_instructions("gemm@tiny") == kNever);
  CHECK(limit_warp_instructions("gemm@tiny:limit_warp_instructions=500") == 500);
  CHECK(first_launch("gemm@tiny:limit_warp_instructions=500").grid.count() == first_launch("gemm@tiny").grid.count());
  CHECK(with_limit("gemm", 500) == "gemm@std:limit_warp_instructions=500");  // a bare name means @std, a name with arguments does not
  CHECK(with_limit("gemm@tiny", 500) == "gemm@tiny:limit_warp_instructions=500");
  CHECK(with_limit("gemm:n=256", 500) == "gemm:n=256,limit_warp_instructions=500");
  for (const char* spec : {"gemm@tiny", "gemm:n=256", "gemm@tiny:n=256,ni=64"}) CHECK(without_limit(with_limit(spec, 500)) == spec);
  CHECK(without_limit("gemm:limit_warp_instructions=5,n=256") == "gemm:n=256");
}

TEST_CASE("a limit of zero, no number, or a second one is refused", "[stimuli][specs]") {
  CHECK_THAT(refusal("gemm@tiny:limit_warp_instructions=0"),
             Contains("limit_warp_instructions=0 is out of range") && Contains("may be 1 to"));
  CHECK_THAT(refusal("gemm@tiny:limit_warp_instructions=0.5"), Contains("must be a whole number"));
  CHECK_THAT(refusal("gemm@tiny:limit_warp_instruction=5"), Contains("did you mean 'limit_warp_instructions'?"));
  CHECK_THROWS_WITH(with_limit("gemm@tiny:limit_warp_instructions=5", 6), Contains("has a limit of its own; keep one"));
}
