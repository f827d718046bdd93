// A shared library that calls a function that the program does not have, like a library built for another version of Wharf.

extern "C" int gone_since_the_last_version();

extern "C" int answer() { return gone_since_the_last_version(); }
