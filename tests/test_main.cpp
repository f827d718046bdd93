#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }

// libsystemc.so names sc_main (with C linkage); the test programs start simulations from their cases instead.
extern "C" int sc_main(int, char**) { return 0; }
