// Every workload computes the result of its benchmark, issues the catalogue's instructions, and is deterministic.

#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/catalogue.h"
#include "stimuli/self_checking.h"
#include "stimuli/spmd/spmd_stimulus.h"
#include "stimuli_walk.h"
#include "tests/support/catalogue_workload.h"

using namespace wharf;
using wharf::spmd::SpmdStimulus;
using wharf::test::region;
using wharf::test::spmd_of;
using wharf::test::walk;

namespace {

/// A fingerprint of all instructions of a run.
std::uint64_t fingerprint(const std::string& spec, std::uint64_t seed) {
  const auto stimulus = make_stimulus(spec, seed);
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3u + (hash >> 29); };
  walk(*stimulus, [&](const KernelLaunch&, const WarpInstruction& i, std::uint64_t cta, unsigned warp) {
    for (const std::uint64_t word :
         {std::uint64_t(i.pc), std::uint64_t(i.unit), std::uint64_t(i.active), std::uint64_t(i.repeat), std::uint64_t(i.destination),
          std::uint64_t(i.sources[0]), std::uint64_t(i.sources[1]), cta, std::uint64_t(warp)}) {
      mix(word);
    }
    for (unsigned l = 0; has_addresses(i.unit) && l < kLanes; ++l) {
      if ((i.active >> l) & 1u) mix(i.addresses[l]);
    }
  });
  return hash;
}

/// Variants in addition to the plain @tiny runs, one for each path through a kernel.
const std::vector<std::string> kVariants = {
    "gemm:ni=40,nj=70,nk=9,lda=11",
    "gemm:n=64,promote=1,unroll=4",
    "gemm:n=32,alu=0",
    "atax:nx=300,ny=200,promote=1",
    "bicg:nx=300,ny=200,trip=50",
    "mvt:n=130,promote=1",
    "gesummv:n=130",
    "gesummv:n=130,promote=1",
    "2mm:n=70,rows=20,trip=33,pitch=75",
    "2mm:n=40,promote=1,unroll=2",
    "3mm:n=45,rows=9,trip=7,alu=0",
    "3mm:n=40,promote=1",
    "3mm:n=20,rows=30,trip=7",
    "doitgen:nr=2,nq=9,np=40",
    "doitgen:nr=1,nq=8,np=32,promote=1",
    "syrk:n=50,m=20,promote=1",
    "syrk:n=50,m=20,rows=21",
    "syr2k:n=50,m=20,pitch=23,rows=9",
    "syr2k:n=40,m=20,promote=1,alu=0",
    "corr:m=70,n=20",
    "corr:m=40,n=3,width=50,promote=1,unroll=3",
    "covar:m=70,n=40",
    "covar:m=33,n=3,width=50,promote=1,alu=0",
    "2dconv:ni=30,nj=50,pitch=64",
    "2dconv:n=64,alu=0",
    "2dconv:ni=30,nj=50,pitch=64,batch=1",
    "3dconv:ni=4,nj=20,nk=40,pitch=41,plane_rows=22,batch=1",
    "gemm:n=40,batch=1",
    "gemm:n=40,promote=1,batch=1",
    "3dconv:ni=4,nj=20,nk=40,pitch=41,plane_rows=22",
    "kmeans:points=1000,texture=1,batch=3",
    "kmeans:points=700,iterations=3",
    "hotspot:rows=50,columns=70,h=3,steps=6",
    "hotspot:n=40,h=1,steps=3,pitch=48",
    "hotspot:n=40,alu=0.1",
    "hotspot3d:nx=64,ny=8,nz=3,steps=3",
    "hotspot3d:nx=128,ny=4,nz=1,alu=0",
    "srad_v1:rows=30,columns=50,iterations=3",
    "srad_v1:rows=27,columns=19,unroll=2",
    "srad_v1:rows=70,columns=30,alu=0",
    "lud:n=16",
    "lud:n=48,pitch=50",
    "lud:n=64,unroll=4,alu=0",
    "nw:n=16",
    "nw:n=80,width=90,penalty=3",
    "nw:n=32,unroll=4,alu=0",
    "nw:n=80,alignments=2,hoisted=1",
    "cfd:nx=2,ny=3,nz=4,window=0,iterations=5",
    "cfd:nx=5,ny=3,nz=4,window=64,stages=1,unroll=4,alu=0",
    "b+tree:keys=100,points=50,ranges=40,span=30",
    "b+tree:keys=1000,per_node=3,points=40,ranges=40,span=0,alu=0",
    "b+tree:keys=70000,per_node=255,points=40,ranges=40",
    "backprop:in=16",
    "stencil:nx=100,ny=30,nz=5,steps=3",
    "stencil:nx=64,ny=8,nz=6,unroll=2,alu=0",
    "spmv:rows=100,density=1",
    "spmv:rows=500,texture=1,launches=2,batch=3",
    "bfs:nodes=2",
    "bfs:nodes=1000,fewest=1,most=1,alu=0",
    "vectoradd:n=1",
    "vectoradd:n=1000",
    "blackscholes:options=1000,iterations=2",
    "blackscholes:options=70001,pairs=0",
    "transpose:width=96,height=32",
    "transpose:width=96,height=160,variant=1,padded=0",
    "transpose:n=128,variant=2",
    "fast_walsh:log2_data=7,log2_kernel=3",
    "fast_walsh:log2_data=12",
    "fast_walsh:log2_data=15,log2_kernel=15",
    "scalar_prod:vectors=5,elements=1500,ctas=2,batch=2",
    "streams:n=2,rounds=1,streams=1",
    "residency:rows=7,lookups=3,stream=2,ctas=2,in_turn=1,hint=1",
    "residency:rows=100,lookups=5,ctas=3,hint=2,window=1,ratio=30,repeats=3,reset=1,unroll=2,alu=0",
    "streams:n=1001,rounds=3,streams=5,unroll=2,alu=0",
    "lps:nx=33,ny=7,nz=4,iterations=3",
    "lps:nx=1,ny=1,nz=1",
    "alexnet:conv1=2,conv2=0,conv3=0,fc6=0",
    "alexnet:conv1=1,conv1_rows=3,conv1_launches=3,conv2=0,conv3=0,fc6=0,alu=0",
    "resnet:conv1=2,block=0",
    "resnet:conv1=1,conv1_patch_rows=3,conv1_rows=2,side=7,narrow=1,wide=2,alu=0",
    "squeezenet:conv1=2,fire=0",
    "squeezenet:conv1=1,side=13,channels=2,between=2,expanded=1,alu=0,unroll=2",
    "alexnet:conv1=0,conv2=3,conv2_channels=2,conv2_groups=1,conv3=2,conv3_channels=5,fc6=2,fc6_inputs=3",
    "resnet:side=7,narrow=5,wide=9",
    "resnet:side=14,narrow=2,wide=2,alu=0,unroll=3",
    "squeezenet:side=13,channels=5,between=4,expanded=3",
    "ispass_nn:images=3,trips3=1",
    "barnes_hut:bodies=300,steps=3,sms=1",
    "barnes_hut:bodies=2,sms=1,volatile=1",
    "ray:width=100,height=61",
    "reduction:elements=512,passes=1",
    "reduction:elements=99840,double=1,unroll=2",
    "streamcluster:points=1000,dimensions=3,centres=1,launches=1",
    "streamcluster:points=70,dimensions=5,centres=20,launches=3,batch=4",
    "gaussian:n=2",
    "gaussian:n=37,pitch=41,alu=0",
    "nn:records=1000",
    "matrixmul:n=32,block=32",
    "matrixmul:ha=48,wa=16,wb=32,lda=20,alu=0,unroll=4",
    "histogram64:bytes=16",
    "histogram64:bytes=4096000,alu=0",
    "cp:points=8,width=128,height=8,atoms=9001",
    "cp:points=1,width=16,height=8,atoms=3,unroll=2",
    "stencil3d:nx=40,ny=7,nz=5,steps=3",
    "lib:paths=70,steps=3",
    "lib:paths=32,alu=0,unroll=2",
    "mri_q:voxels=300,samples=1500",
    "dwt2d:width=97,height=51,levels=2",
    "dwt2d:width=480,height=20,components=2,levels=4,alu=0",
    "dwt2d:width=970,height=130,components=1,levels=1",
    "sgemm:m=256,n=16,k=8",
    "sgemm:m=128,n=32,k=24,alu=0,unroll=2",
    "histo:width=130,height=50,bins=24576,iterations=2",
    "histo:width=64,height=50,bins=1000000,alu=0",
    "histo:width=256,height=80,bins=4",  // counters of 8 bits overflow into their neighbours
    "lbm:nx=33,ny=5,nz=4,steps=3",
    "lbm:nx=120,ny=6,nz=5,steps=2,alu=0",
    "mri_gridding:samples=2500,nx=16,ny=12,nz=8",
    "mri_gridding:samples=10,nx=8,alu=0",
    "parboil_bfs:nodes=2",
    "parboil_bfs:nodes=20000,fewest=1,most=1,alu=0",
    "parboil_bfs:nodes=9000,fewest=40,most=64",  // more than fits into a queue in shared memory
    "parboil_spmv:side=1",
    "parboil_spmv:side=2",  // rows of four elements: the unrolled loop runs one iteration less
    "parboil_spmv:side=21,launches=2,unroll=4,alu=0",
    "pagerank:nodes=1000,degree=12,iterations=4",
    "pagerank:nodes=65,degree=0",
    "pagerank:nodes=1000,degree=12,iterations=2,hub=96",
    "atax:nx=1000,ny=300,one_launch=1",
    "atax:nx=300,ny=20,pitch=64,one_launch=1,promote=1,alu=0",
    "mvt:n=300,rows=512,columns=100,pitch=128,row_trip=50,column_trip=70",
    "gesummv:n=300,columns=64,trip=33",
    "corr:m=300,n=6,trip=5",
    "corr:m=300,n=6,trip=5,promote=1",
    "covar:m=70,n=3,trip=1",
    "inverted_index:records=300,block=200,scan=150",
    "inverted_index:records=1,block=64,scan=64",
    "inverted_index:records=700,sort_launches=3,alu=0",
    "page_view_count:lines=1",
    "page_view_count:lines=1100,sort_launches=3",
    "page_view_count:lines=700,sort_in_shared=0,alu=0",
    "similarity_score:documents=2,dimensions=4",
    "similarity_score:documents=50,dimensions=8",
    "similarity_score:documents=40,dimensions=12,pitch=20,sort_in_shared=0,sort_launches=30,alu=0",
    "string_match:records=1,block=64",
    "string_match:records=300,block=300,scan=100,alu=0",
    "word_count:records=1,block=64",
    "word_count:records=300,block=200,scan=100",
    "word_count:records=2000,block=64,sort_launches=5,alu=0",
    "mars_kmeans:points=1,clusters=1",
    "mars_kmeans:points=1100,clusters=30,alu=0",
    "llm_gemm:m=1,n=64,k=64",
    "llm_gemm:m=33,n=192,k=320,alu=0",
    "llm_gemm:m=1,n=8,k=256,few=1",
    "llm_gemm:m=8,n=24,k=1536,few=1,unroll=2,alu=0",
    "llm_prefill:tokens=64,heads=2",
    "llm_prefill:tokens=192,heads=1,unroll=2,alu=0",
    "llm_decode:sequences=1,context=1,heads=1",
    "llm_decode:sequences=3,context=129,heads=2,alu=0,unroll=2",
    "llm_norm:tokens=1,hidden=256",
    "llm_norm:tokens=9,hidden=2304,unroll=3,alu=0",
    "llm_layer:prefill=1,tokens=64,heads=2,ffn=256",
    "llm_layer:tokens=1,context=0,heads=2,ffn=256,alu=0",
    "llm_top_k:tokens=1,experts=32,k=32",
    "llm_top_k:tokens=9,experts=256,k=1,alu=0,unroll=2",
    "llm_moe:tokens=1,hidden=256,k=1",
    "llm_moe:tokens=70,hidden=256,k=8,alu=0",
    "llm_rotary:tokens=1,heads=1",
    "llm_rotary:tokens=70,heads=3,alu=0",
    "cluster_histogram:elements=16384,ctas=16,bins=252,cluster=1",
    "cluster_histogram:elements=16384,ctas=16,bins=256,cluster=16",
    "cluster_histogram:elements=16384,ctas=16,bins=256,cluster=4,dsm=0",
    "cluster_reduction:elements=16384,ctas=16,cluster=16",
    "cluster_reduction:elements=16384,ctas=16,cluster=1",
    "cluster_reduction:elements=16384,ctas=16,cluster=8,dsm=0",
    "cluster_stencil:size=256,cluster=16,steps=3",
    "cluster_stencil:size=512,cluster=2,steps=4,dsm=0",
    "cluster_stencil:size=256,cluster=1,steps=5",
    "cluster_gemm:m=64,n=128,k=64,dsm=0",
    "cluster_gemm:m=64,n=64,k=96,cluster=1"};

}  // namespace

TEST_CASE("every workload at size tiny computes the right results in at most 0.1 million warp instructions", "[stimuli]") {
  for (const WorkloadInfo& info : list_stimuli()) {
    CAPTURE(info.name);
    const auto stimulus = make_stimulus(info.name + "@tiny", 1);
    auto& checking = dynamic_cast<SelfChecking&>(*stimulus);
    std::string why;
    CHECK_FALSE(checking.check_results(why));  // no kernel has run yet
    CHECK(why.find("not complete") != std::string::npos);
    const auto result = walk(*stimulus);
    const bool right = checking.check_results(why);
    CAPTURE(why);
    CHECK(right);
    CHECK(result.instructions <= 100'000);
    CHECK(result.by_unit[static_cast<unsigned>(Unit::exit)] == result.warps);
  }
}

TEST_CASE("variants of every workload compute the right results", "[stimuli]") {
  for (const std::string& spec : kVariants) {
    CAPTURE(spec);
    const auto stimulus = make_stimulus(spec, 3);
    walk(*stimulus);
    std::string why;
    const bool right = dynamic_cast<SelfChecking&>(*stimulus).check_results(why);
    CAPTURE(why);
    CHECK(right);
  }
}

TEST_CASE("a single wrong byte in an output is noticed and named", "[stimuli]") {
  const std::vector<std::pair<std::string, std::string>> outputs = {{"vectoradd", "c"},
                                                                    {"gemm", "c"},
                                                                    {"atax", "y"},
                                                                    {"atax", "tmp"},
                                                                    {"bicg", "s"},
                                                                    {"bicg", "q"},
                                                                    {"mvt", "x1"},
                                                                    {"mvt", "x2"},
                                                                    {"gesummv", "y"},
                                                                    {"2mm", "C"},
                                                                    {"2mm", "E"},
                                                                    {"3mm", "E"},
                                                                    {"3mm", "F"},
                                                                    {"3mm", "G"},
                                                                    {"doitgen", "sum"},
                                                                    {"doitgen", "A"},
                                                                    {"syrk", "C"},
                                                                    {"syr2k", "C"},
                                                                    {"corr", "stddev"},
                                                                    {"corr", "symmat"},
                                                                    {"covar", "mean"},
                                                                    {"covar", "data"},
                                                                    {"covar", "symmat"},
                                                                    {"2dconv", "B"},
                                                                    {"3dconv", "B"},
                                                                    {"bfs", "cost"},
                                                                    {"bfs2", "cost"},
                                                                    {"kmeans", "member"},
                                                                    {"backprop", "weights"},
                                                                    {"backprop", "old_weights"},
                                                                    {"backprop", "partial"},
                                                                    {"hotspot", "result"},
                                                                    {"hotspot3d", "tOut"},
                                                                    {"srad_v1", "c"},
                                                                    {"srad_v1", "image"},
                                                                    {"lud", "m"},
                                                                    {"nw", "score"},
                                                                    {"cfd", "step_factors"},
                                                                    {"cfd", "fluxes"},
                                                                    {"cfd", "variables"},
                                                                    {"b+tree", "answer"},
                                                                    {"b+tree", "recstart"},
                                                                    {"b+tree", "reclength"},
                                                                    {"stencil", "Anext"},
                                                                    {"spmv", "out"},
                                                                    {"blackscholes", "call"},
                                                                    {"blackscholes", "put"},
                                                                    {"transpose", "out"},
                                                                    {"fast_walsh", "data"},
                                                                    {"fast_walsh", "kernel"},
                                                                    {"scalar_prod", "C"},
                                                                    {"lps", "u2"},
                                                                    {"ispass_nn", "n2"},
                                                                    {"ispass_nn", "n3"},
                                                                    {"ispass_nn", "n4"},
                                                                    {"barnes_hut", "position_x"},
                                                                    {"barnes_hut", "velocity_z"},
                                                                    {"ray", "result"},
                                                                    {"reduction", "out"},
                                                                    {"streamcluster", "work"},
                                                                    {"alexnet", "conv2"},
                                                                    {"alexnet", "conv3"},
                                                                    {"alexnet", "fc6"},
                                                                    {"resnet", "a"},
                                                                    {"resnet", "b"},
                                                                    {"resnet", "c"},
                                                                    {"squeezenet", "squeezed"},
                                                                    {"squeezenet", "fire"},
                                                                    {"gaussian", "a"},
                                                                    {"gaussian", "m"},
                                                                    {"nn", "distances"},
                                                                    {"matrixmul", "C"},
                                                                    {"histogram64", "partial"},
                                                                    {"histogram64", "histogram"},
                                                                    {"cp", "energy"},
                                                                    {"stencil3d", "Anext"},
                                                                    {"lib", "v"},
                                                                    {"lib", "Lb"},
                                                                    {"mri_q", "phi_magnitude"},
                                                                    {"mri_q", "q_r"},
                                                                    {"mri_q", "q_i"},
                                                                    {"dwt2d", "bands0"},
                                                                    {"sgemm", "C"},
                                                                    {"histo", "histogram"},
                                                                    {"lbm", "grid1"},
                                                                    {"mri_gridding", "cells"},
                                                                    {"mri_gridding", "grid"},
                                                                    {"mri_gridding", "density"},
                                                                    {"parboil_bfs", "cost"},
                                                                    {"parboil_bfs", "colour"},
                                                                    {"parboil_spmv", "y"},
                                                                    {"pagerank", "rank"},
                                                                    {"inverted_index", "map_index"},
                                                                    {"page_view_count", "lines_group"},
                                                                    {"page_view_count", "unique_index"},
                                                                    {"page_view_count", "views_index"},
                                                                    {"similarity_score", "map_index"},
                                                                    {"string_match", "map_index"},
                                                                    {"word_count", "map_group"},
                                                                    {"mars_kmeans", "member"},
                                                                    {"streams", "a0"},
                                                                    {"streams", "a1"},
                                                                    {"residency", "sums"},
                                                                    {"llm_gemm", "out"},
                                                                    {"llm_prefill", "out"},
                                                                    {"llm_decode", "out"},
                                                                    {"llm_norm", "out"},
                                                                    {"llm_rotary", "out"},
                                                                    {"llm_layer", "out"},
                                                                    {"llm_top_k", "chosen"},
                                                                    {"llm_moe", "out"},
                                                                    {"cluster_histogram", "bins"},
                                                                    {"cluster_reduction", "out"},
                                                                    {"cluster_stencil", "out"},
                                                                    {"cluster_gemm", "c"}};
  std::set<std::string> covered;
  for (const auto& [name, array] : outputs) {
    CAPTURE(name, array);
    const auto stimulus = make_stimulus(name + "@tiny", 1);
    walk(*stimulus);
    std::string why;
    auto& checking = dynamic_cast<SelfChecking&>(*stimulus);
    REQUIRE(checking.check_results(why));
    const bool halves = name.rfind("llm_", 0) == 0 && array == "out";
    const unsigned element = name == "squeezenet" ? 8 : halves ? 2 : 4;
    std::byte* const byte = spmd_of(*stimulus).memory().find(region(*stimulus, array).base + element * 33 + (halves ? 1 : 2));
    *byte ^= std::byte{0x10};
    CHECK_FALSE(checking.check_results(why));
    CHECK(why.find("[33] is") != std::string::npos);
    *byte ^= std::byte{0x10};
    CHECK(checking.check_results(why));
    covered.insert(name);
  }
  CHECK(covered.size() == list_stimuli().size());
}

TEST_CASE("the same spec and seed give the same instructions, another seed another input", "[stimuli]") {
  for (const char* spec : {"bfs@tiny", "spmv@tiny", "hotspot@tiny", "gemm@tiny", "cfd@tiny", "b+tree@tiny"}) {
    CAPTURE(spec);
    CHECK(fingerprint(spec, 1) == fingerprint(spec, 1));
  }
  CHECK(fingerprint("bfs@tiny", 1) != fingerprint("bfs@tiny", 2));
  CHECK(fingerprint("spmv@tiny", 1) != fingerprint("spmv@tiny", 2));
  CHECK(fingerprint("cfd@tiny", 1) != fingerprint("cfd@tiny", 2));
  CHECK(fingerprint("b+tree@tiny", 1) != fingerprint("b+tree@tiny", 2));
  CHECK(fingerprint("bfs@tiny:seed=2", 1) == fingerprint("bfs@tiny", 2));
  CHECK(fingerprint("bfs2@tiny", 1) == fingerprint("bfs@tiny", 2));  // the second graph is that of the next seed
}

TEST_CASE("a kernel issues what the catalogue counts", "[stimuli]") {
  const auto units = [](const std::string& spec) { return walk(*make_stimulus(spec, 1)); };
  const auto of = [](const wharf::test::WalkResult& r, Unit unit) { return r.by_unit[static_cast<unsigned>(unit)]; };
  constexpr std::uint64_t kWarps = 64 * 64 / 32;
  const auto gemm = units("gemm:n=64");
  CHECK(gemm.warps == kWarps);
  CHECK(of(gemm, Unit::load) == kWarps * (1 + 64 * 2));
  CHECK(of(gemm, Unit::store) == kWarps * (1 + 64));
  CHECK(of(gemm, Unit::fp32) == kWarps * (1 + 64 * 3));
  CHECK(gemm.instructions == kWarps * (3 + 64 * (2 + 1 + 3) + 1));
  CHECK(of(units("gemm:n=64,promote=1"), Unit::store) == kWarps * 2);
  CHECK(of(units("gemm:n=64,alu=2"), Unit::fp32) == kWarps * 2 * (1 + 64 * 3));
  const auto atax = units("atax:n=256");  // 8 warps per kernel, 256 iterations: 1.3 and 1.8 each, rounded down at the end
  CHECK(of(atax, Unit::fp32) == 8 * (256 * 13 / 10) + 8 * (256 * 18 / 10));
  CHECK(of(atax, Unit::load) == 2 * 8 * (1 + 256 * 2));
  CHECK(of(units("gesummv:n=256"), Unit::load) == 8 * (256 * 6 + 2));
  CHECK(of(units("gesummv:n=256"), Unit::store) == 8 * (256 * 2 + 1));
  CHECK(of(units("gesummv:n=256,promote=1"), Unit::load) == 8 * (256 * 3));
  const auto vectoradd = units("vectoradd:n=1024");
  CHECK(vectoradd.instructions == 32 * 15);
  CHECK(units("blackscholes:options=8192").instructions == 128 * 147);
  // Three transforms of two launches each, in which 32 warps load 4 elements per lane. The product: two loads per 32 elements.
  CHECK(of(units("fast_walsh:log2_data=12"), Unit::load) == 3 * 2 * 32 * 4 + 2 * 4096 / 32);
  const auto connected = units("alexnet:conv1=0,conv2=0,conv3=0,fc6=10,fc6_inputs=100");
  CHECK(connected.instructions == 10 * (6 + 100 * 4 + 1 + 1));
  CHECK(of(connected, Unit::load) == 10 * 100 * 2);
  const auto squeezed = units("squeezenet:side=32,channels=8,between=2,expanded=2");
  // 32 columns of one warp each; the first and the last lack a column of the 3x3 kernel. Two more for each output's rectifier.
  CHECK(of(squeezed, Unit::fp64) == 32 * (2 * 8 + 2 * 2 + 2 * 2 * 9 + 3 * 2 * 2) - 2 * (2 * 2 * 3));
}
