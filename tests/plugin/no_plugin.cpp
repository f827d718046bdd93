// A shared library that is not a plugin.

extern "C" int answer() { return 42; }
