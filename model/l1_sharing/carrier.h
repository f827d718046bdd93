#pragma once
// What carries the messages between the SMs of a group, in designs with a network of their own for them.

#include <initializer_list>

#include "model/base/config/binder.h"

namespace wharf {

enum class Carrier {
  own,   // the design's network, which its keys describe
  peer,  // the network that network.peer names
};

/// Binds the key `carrier`. `own_keys`: keys of the same group that describe the design's network.
inline void bind_carrier(config::Binder& b, Carrier& carrier, std::initializer_list<const char*> own_keys) {
  b.choice("carrier", carrier, {{"own", Carrier::own}, {"peer", Carrier::peer}},
           "what carries the messages. own: a network that the keys of this group describe. peer: the SM-to-SM network of each GPC, "
           "network.peer: cluster");
  for (const char* key : own_keys) b.ineffective_unless(carrier == Carrier::own, key, "carrier is peer: network.cluster applies");
}

}  // namespace wharf
