// Many results at once, each of a range of codes.

#include <stdlib.h>

#include "live.h"

enum { ROWS_OF_EACH = 100 };

// A quake whose code is within what the results cover; codes are a product, so that nobody needs to ask the store.
static int64_t covered_row(uint64_t rows, uint64_t end_code) {
  uint64_t id = below(rows) + 1;
  while ((uint32_t)(id * 2654435761u) >= end_code) id = id % rows + 1;
  return (int64_t)id;
}

void many_mode(char **arguments) {
  long operations = atol(arguments[1]);
  uint64_t count = strtoul(arguments[2], NULL, 10);
  start_checkpoints(arguments[0]);
  uint64_t rows = (uint64_t)number("SELECT count(*) FROM quake");
  uint64_t width = ((uint64_t)ROWS_OF_EACH << 32) / rows;
  check(count > 0 && count <= rows / ROWS_OF_EACH, "there are too few rows for so many results");
  Result *results = calloc(count, sizeof *results);
  check(results != NULL, "memory");
  for (uint64_t i = 0; i < count; i++) {
    results[i].first_code = width * i;
    results[i].end_code = width * (i + 1);
    result_load(&results[i]);
  }
  sqlite3_stmt *update = prepare("UPDATE quake SET time = ? WHERE %s = ?", key_column);
  observe_table();
  double *times = doubles(operations);
  begin();
  for (long i = 0; i < operations; i++) {
    sqlite3_bind_int64(update, 2, covered_row(rows, width * count));
    sqlite3_bind_double(update, 1, 1500000000 + (double)below(31536000000u) / 1000);
    double start = clock_now();
    begin_saving();
    check(sqlite3_step(update) == SQLITE_DONE, "a time");
    sqlite3_reset(update);
    end_saving();
    for (uint64_t j = 0; j < count; j++) apply_changes(&results[j]);
    times[i] = clock_now() - start;
    clear_changes();
  }
  for (uint64_t i = 0; i < count; i++) {
    char *sql = sqlite3_mprintf("SELECT %%s FROM quake WHERE code >= 'us%08x' AND code < 'us%08x' ORDER BY time, %%s",
                                (unsigned)results[i].first_code, (unsigned)results[i].end_code);
    result_verify(&results[i], sql);
    sqlite3_free(sql);
  }
  tell_times("", times, operations);
  tell_result();
  finish("many");
}
