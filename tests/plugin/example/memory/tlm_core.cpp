// A foreign TLM-2.0 initiator (any that uses the base protocol) in place of core 0, above Wharf's L1, network, L2 and DRAM.

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>
#include <exception>
#include <systemc>

#include "model/base/config/load.h"
#include "platforms/memory/hosted_memory.h"

namespace {

struct Core : sc_core::sc_module {
  SC_HAS_PROCESS(Core);
  explicit Core(sc_core::sc_module_name name) : sc_module(name) { SC_THREAD(run); }

  tlm_utils::simple_initiator_socket<Core> socket{"socket"};
  sc_core::sc_event starts;

  /// Reads a line twice: from DRAM, then from its L1.
  void run() {
    wait(starts);
    for (const char* what : {"first", "second"}) {
      const sc_core::sc_time begin = sc_core::sc_time_stamp();
      tlm::tlm_generic_payload read;
      read.set_read();
      read.set_address(0x10000);
      read.set_data_ptr(nullptr);  // timed, no bytes
      read.set_data_length(32);
      read.set_streaming_width(32);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(read, delay);
      wait(delay);
      std::printf("%s read: %s, %.1f ns\n", what, read.get_response_string().c_str(),
                  (sc_core::sc_time_stamp() - begin).to_seconds() * 1e9);
    }
  }
};

}  // namespace

int sc_main(int, char**) {
  try {
    const auto configuration = wharf::config::load<wharf::GpuParams>(WHARF_DATA "/platforms/configs", "private", {"sms=1", "channels=1"});
    Core core("core");
    wharf::HostedMemory memory(configuration.params, {}, {}, [&](unsigned, tlm::tlm_target_socket<>& entry) {
      core.socket.bind(entry);
      return true;
    });
    core.starts.notify(sc_core::SC_ZERO_TIME);
    memory.advance(2000);
    memory.finish();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
