#pragma once
// The existing kernels: one function per catalogue entry, defined in the file of its benchmark.

#include <cstdint>
#include <memory>

#include "model/base/arguments.h"
#include "stimuli/kernels/device_kernel.h"
#include "stimuli/spmd/memory.h"
#include "stimuli/spmd/workload.h"

namespace wharf::spmd {

struct Entry {
  WorkloadInfo info;
  /// Makes the workload and its arrays. Throws InputError if the arguments contradict each other.
  std::unique_ptr<Workload> (*make)(const Arguments& arguments, Memory& memory, std::uint64_t seed);
  std::uint64_t seed_offset = 0;  // lets two entries of one benchmark run on different inputs
};

Entry vectoradd_entry();
Entry gemm_entry();
Entry mm2_entry();
Entry mm3_entry();
Entry doitgen_entry();
Entry atax_entry();
Entry bicg_entry();
Entry mvt_entry();
Entry gesummv_entry();
Entry syrk_entry();
Entry syr2k_entry();
Entry corr_entry();
Entry covar_entry();
Entry conv2d_entry();
Entry conv3d_entry();
Entry bfs_entry();
Entry bfs2_entry();
Entry kmeans_entry();
Entry backprop_entry();
Entry hotspot_entry();
Entry hotspot3d_entry();
Entry srad_v1_entry();
Entry lud_entry();
Entry nw_entry();
Entry cfd_entry();
Entry b_plus_tree_entry();
Entry stencil_entry();
Entry spmv_entry();
Entry blackscholes_entry();
Entry transpose_entry();
Entry fast_walsh_entry();
Entry scalar_prod_entry();
Entry streams_entry();
Entry residency_entry();
Entry lps_entry();
Entry ispass_nn_entry();
Entry barnes_hut_entry();
Entry ray_entry();
Entry reduction_entry();
Entry streamcluster_entry();
Entry gaussian_entry();
Entry nn_entry();
Entry matrixmul_entry();
Entry histogram64_entry();
Entry cp_entry();
Entry stencil3d_entry();
Entry lib_entry();
Entry mri_q_entry();
Entry alexnet_entry();
Entry resnet_entry();
Entry squeezenet_entry();
Entry dwt2d_entry();
Entry sgemm_entry();
Entry histo_entry();
Entry lbm_entry();
Entry mri_gridding_entry();
Entry parboil_bfs_entry();
Entry parboil_spmv_entry();
Entry pagerank_entry();
Entry inverted_index_entry();
Entry page_view_count_entry();
Entry similarity_score_entry();
Entry string_match_entry();
Entry word_count_entry();
Entry mars_kmeans_entry();
Entry llm_gemm_entry();
Entry llm_prefill_entry();
Entry llm_decode_entry();
Entry llm_norm_entry();
Entry llm_rotary_entry();
Entry llm_layer_entry();
Entry llm_top_k_entry();
Entry llm_moe_entry();
Entry cluster_histogram_entry();
Entry cluster_reduction_entry();
Entry cluster_stencil_entry();
Entry cluster_gemm_entry();

// The kernels that a host program can launch by name.
DeviceKernel gemm_kernel();
DeviceKernel spmv_kernel();
DeviceKernel bfs_visit_kernel();
DeviceKernel bfs_advance_kernel();

}  // namespace wharf::spmd
