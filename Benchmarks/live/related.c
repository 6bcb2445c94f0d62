// A condition on another table: quakes whose station is late in the alphabet. When a name changes, the quakes of that
// station come or leave, and are found by its key.

#include <stdlib.h>
#include <string.h>

#include "live.h"

static bool was_late, is_late;  // in the alphabet
static int name_column;

static bool is_late_name(sqlite3_value *name) {
  const unsigned char *text = sqlite3_value_text(name);
  return text && text[0] >= 'N';
}

static void note_station(void *context, sqlite3 *store, int operation, const char *schema, const char *table,
                         sqlite3_int64 old_id, sqlite3_int64 new_id) {
  (void)context, (void)schema, (void)old_id, (void)new_id;
  if (operation != SQLITE_UPDATE || strcmp(table, "station")) return;
  sqlite3_value *name;
  sqlite3_preupdate_old(store, name_column, &name);
  was_late = is_late_name(name);
  sqlite3_preupdate_new(store, name_column, &name);
  is_late = is_late_name(name);
}

static void load_of_stations(Result *result) {
  sqlite3_stmt *rows = prepare(
      "SELECT quake.time, quake.%s FROM quake JOIN station ON station.%s = quake.station_pk WHERE station.name >= 'N'"
      " ORDER BY quake.time, quake.%s", key_column, key_column, key_column);
  while (sqlite3_step(rows) == SQLITE_ROW) {
    list_insert(&result->list, (Key){sqlite3_column_double(rows, 0), sqlite3_column_int64(rows, 1)});
  }
  sqlite3_finalize(rows);
}

static void follow_station(Result *result, sqlite3_stmt *quakes, int64_t station) {
  sqlite3_bind_int64(quakes, 1, station);
  while (sqlite3_step(quakes) == SQLITE_ROW) {
    Change *change = add_change(sqlite3_column_int64(quakes, 0));
    change->was = was_late;
    change->is = is_late;
    change->old_row = change->new_row = (Row){.magnitude = 2, .time = sqlite3_column_double(quakes, 1)};
  }
  sqlite3_reset(quakes);
  apply_changes(result);
  clear_changes();
}

void related_mode(char **arguments) {
  long operations = atol(arguments[1]);
  Result result = strong_quakes;
  start_checkpoints(arguments[0]);
  uint64_t stations = (uint64_t)number("SELECT count(*) FROM station");
  name_column = column_index("station", "name");
  check(name_column >= 0 && stations > 0, "there are no stations");
  load_of_stations(&result);
  sqlite3_stmt *rename = prepare(
      "UPDATE station SET name = iif(name >= 'N', 'B', 'S') || substr(name, 2) WHERE %s = ?", key_column);
  sqlite3_stmt *quakes = prepare("SELECT %s, time FROM quake WHERE station_pk = ?", key_column);
  sqlite3_preupdate_hook(db, note_station, NULL);
  double *times = doubles(operations);
  begin();
  for (long i = 0; i < operations; i++) {
    int64_t station = (int64_t)below(stations) + 1;
    sqlite3_bind_int64(rename, 1, station);
    double start = clock_now();
    check(sqlite3_step(rename) == SQLITE_DONE, "a name");
    sqlite3_reset(rename);
    follow_station(&result, quakes, station);
    times[i] = clock_now() - start;
  }
  result_verify(&result,
      "SELECT quake.%s FROM quake JOIN station ON station._pk = quake.station_pk WHERE station.name >= 'N'"
      " ORDER BY quake.time, quake.%s");
  tell_times("", times, operations);
  tell("count", (double)result.list.length);
  finish("related");
}
