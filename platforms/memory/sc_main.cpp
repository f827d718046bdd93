// libsystemc refers to sc_main (with C linkage). A file of its own: a program that has one does not link this.

extern "C" int sc_main(int, char**) { return 0; }
