// The arguments of the program, as the system hands them to it. Swift's runtime reads them in /proc on Linux,
// and has none where that is not mounted.

#ifndef TILEWRIGHT_CARGUMENTS_H
#define TILEWRIGHT_CARGUMENTS_H

/// How many there are, the program's name among them.
int ca_count(void);

/// One of them, from 0; it lives for ever.
const char *ca_argument(int index);

#endif
