// Opening a result: its time, and bytes for each of its rows.

#include <stdio.h>
#include <unistd.h>

#include "live.h"

static double resident_bytes(void) {
  long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  check(statm && fscanf(statm, "%*d %ld", &pages) == 1, "/proc/self/statm");
  fclose(statm);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void measure_opening(bool is_warm, const char *mode) {
  Result result = strong_quakes;
  if (is_warm) number("SELECT sum(magnitude + time) FROM quake NOT INDEXED");
  double before = resident_bytes(), start = clock_now();
  begin();
  result_load(&result);
  tell("load", clock_now() - start);
  tell("bytes", (resident_bytes() - before) / (double)result.list.length);
  tell_result();
  finish(mode);
  result_verify(&result, strong_sql);
}

void open_mode(char **arguments) {
  (void)arguments;
  measure_opening(false, "open");
}

void memory_mode(char **arguments) {
  (void)arguments;
  measure_opening(true, "memory");
}
