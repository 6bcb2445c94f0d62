// The limit of live results: `magnitude >= 2 ORDER BY time`, kept in memory and true after each commit.
//
//   live local STORE OPS [BATCH]    changes of this process, BATCH in a commit: from before the commit to the observer
//   live section STORE OPS          the same with sections by day
//   live open STORE                 a scan and a sort
//   live memory STORE               bytes for each row of the list
//   live related STORE OPS          the condition is about the station: its name changes, its quakes come or leave
//   live many STORE OPS RESULTS     so many results at once, of 100 rows each
//   live rebuild STORE              one commit that moves half of the rows
//   live group STORE OPS COLUMN     groups by a column of texts: how many rows, two sums
//   live cross STORE OPS            another process commits: from its commit to the observer
//   live write STORE OPS STAMPS     only that other process; STAMPS gets the time of each commit as a double
//
// `live fair local ...`, and so for many and group, also keeps the journal of saves that Perilune keeps in the file.
//
// STORE is changed: work on a copy. "begin" and "end NAME=VALUE..." on standard error are for run.py, a line of JSON on
// standard output for people; times are in seconds. Every mode that keeps a result ends by comparing it with a fresh
// SELECT.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live.h"

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int fewest, most;  // arguments
    void (*run)(char **arguments);
  } modes[] = {
      {"local", 2, 3, local_mode}, {"section", 2, 2, section_mode}, {"open", 1, 1, open_mode},
      {"memory", 1, 1, memory_mode}, {"related", 2, 2, related_mode}, {"many", 3, 3, many_mode},
      {"rebuild", 1, 1, rebuild_mode}, {"cross", 2, 2, cross_mode}, {"write", 3, 3, write_mode},
      {"group", 3, 3, group_mode},
  };
  if (argc > 1 && !strcmp(argv[1], "fair")) {
    keeps_journal = true;
    argc--, argv++;
  }
  for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++) {
    if (strcmp(argv[1], modes[i].name) || argc - 2 < modes[i].fewest || argc - 2 > modes[i].most) continue;
    db = open_store(argv[2]);
    if (column_index("quake", "_pk") >= 0) strcpy(key_column, "_pk");
    prepare_journal();
    modes[i].run(argv + 2);
    return 0;
  }
  fprintf(stderr, "usage: live [fair] local|section|open|memory|related|many|rebuild|group|cross|write STORE ARGUMENTS\n");
  return 64;
}
