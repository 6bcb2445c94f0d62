// Half of the table in one commit.

#include "live.h"

static void move_half(void) {
  char *sql = sqlite3_mprintf("UPDATE quake SET time = time + 1000 WHERE %s %% 2 = 0", key_column);
  run(sql);
  sqlite3_free(sql);
}

void rebuild_mode(char **arguments) {
  (void)arguments;
  Result result = strong_quakes;
  move_half();
  double begun = clock_now();
  move_half();
  double plain = clock_now() - begun;
  result_load(&result);
  observe_table();
  begin();
  begun = clock_now();
  move_half();
  merge_changes();
  apply_changes(&result);
  double whole = clock_now() - begun;
  tell("whole", whole);
  tell("plain", plain);
  tell("extra", whole - plain);
  tell_result();
  finish("rebuild");
  result_verify(&result, strong_sql);
}
