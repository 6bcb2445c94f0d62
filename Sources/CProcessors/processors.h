#ifndef PERILUNE_PROCESSORS_H
#define PERILUNE_PROCESSORS_H

#include <sys/syscall.h>
#include <unistd.h>

/// The number of processors that this thread may use, at least 1.
static inline int perilune_usable_processors(void) {
  unsigned long mask[128];
  long size = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  int count = 0;
  for (long place = 0; place < size / (long)sizeof mask[0]; place++) count += __builtin_popcountl(mask[place]);
  return count > 0 ? count : 1;
}

#endif
