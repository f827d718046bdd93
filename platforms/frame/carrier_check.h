#pragma once
// A requirement of the designs whose messages between SMs may move to the network between SMs.

#include "model/l1_sharing/carrier.h"
#include "platforms/frame/gpu_params.h"

namespace wharf {

inline void check_carrier(config::Binder& b, const GpuParams& gpu, Carrier carrier) {
  b.require(carrier == Carrier::own || gpu.network.peer == PeerNetwork::cluster, "network",
            "peer names no SM-to-SM network of each GPC, the one that carrier: peer needs", "set network.peer: cluster, or carrier: own");
}

}  // namespace wharf
