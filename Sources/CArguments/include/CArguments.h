// The arguments of the program, as the system passes them. On Linux, Swift's runtime reads them from /proc,
// and finds no arguments if /proc is not mounted.

#ifndef TILEWRIGHT_CARGUMENTS_H
#define TILEWRIGHT_CARGUMENTS_H

/// The number of arguments, including the program's name.
int ca_count(void);

/// The argument at an index, from 0. It is valid until the program ends.
const char *ca_argument(int index);

#endif
