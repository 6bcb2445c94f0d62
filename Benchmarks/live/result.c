// A result and its changes: the old and the new values of each written row come from the pre-update hook, so that a
// commit costs as much as it changes.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live.h"

const Result strong_quakes = {.least_magnitude = 2, .end_code = 1ull << 32};
const char *const strong_sql = "SELECT %s FROM quake WHERE magnitude >= 2 ORDER BY time, %s";

bool result_matches(const Result *result, const Row *row) {
  return row->magnitude >= result->least_magnitude && row->code >= result->first_code && row->code < result->end_code;
}

// ---- Sections: rows of each day, and a Fenwick tree over the days that have any ------------------------------------

enum { DAYS = 1 << 16 };
static int rows_of_day[DAYS], days_with_rows[DAYS + 1];

static int day_of(double time) {
  int day = (int)floor(time / 86400);
  check(day >= 0 && day < DAYS, "a time has no day here");
  return day;
}

static void count_in_section(double time, int difference) {
  int day = day_of(time), had = rows_of_day[day] > 0;
  rows_of_day[day] += difference;
  int has = rows_of_day[day] > 0;
  if (had == has) return;
  for (int i = day + 1; i <= DAYS; i += i & -i) days_with_rows[i] += has - had;
}

static int section_of(double time) {
  int count = 0;
  for (int i = day_of(time); i > 0; i -= i & -i) count += days_with_rows[i];
  return count;
}

static long section_start(const Result *result, double time) {
  return list_rank(&result->list, (Key){day_of(time) * 86400.0, INT64_MIN});
}

// ---- Changes -------------------------------------------------------------------------------------------------------

static Change *changes;
static long change_count, change_capacity;

Change *add_change(int64_t id) {
  if (change_count == change_capacity) {
    change_capacity = change_capacity ? change_capacity * 2 : 64;
    check((changes = realloc(changes, sizeof *changes * (size_t)change_capacity)) != NULL, "memory");
  }
  Change *change = &changes[change_count];
  *change = (Change){.id = id, .order = change_count, .old_index = -1, .new_index = -1};
  change_count++;
  return change;
}

void clear_changes(void) { change_count = 0; }

static int by_id_and_order(const void *a, const void *b) {
  const Change *left = a, *right = b;
  if (left->id != right->id) return left->id < right->id ? -1 : 1;
  return left->order < right->order ? -1 : 1;
}

void merge_changes(void) {
  if (change_count < 2) return;
  qsort(changes, (size_t)change_count, sizeof *changes, by_id_and_order);
  long kept = 0;
  for (long i = 1; i < change_count; i++) {
    if (changes[i].id == changes[kept].id) {
      changes[kept].is = changes[i].is;
      changes[kept].new_row = changes[i].new_row;
    } else {
      changes[++kept] = changes[i];
    }
  }
  change_count = kept + 1;
}

static int magnitude_column, time_column, code_column;

static double hooked_number(sqlite3 *store, int column, int (*value_of)(sqlite3 *, int, sqlite3_value **)) {
  sqlite3_value *value;
  value_of(store, column, &value);
  return sqlite3_value_double(value);
}

static Row hooked_row(sqlite3 *store, int (*value_of)(sqlite3 *, int, sqlite3_value **)) {
  sqlite3_value *code;
  value_of(store, code_column, &code);
  const char *text = (const char *)sqlite3_value_text(code);
  return (Row){
      .magnitude = hooked_number(store, magnitude_column, value_of),
      .time = hooked_number(store, time_column, value_of),
      .code = text && strlen(text) > 2 ? (uint32_t)strtoul(text + 2, NULL, 16) : 0,
  };
}

static void note_write(void *context, sqlite3 *store, int operation, const char *schema, const char *table,
                       sqlite3_int64 old_id, sqlite3_int64 new_id) {
  (void)context, (void)schema;
  if (strcmp(table, "quake")) return;
  Change *change = add_change(operation == SQLITE_INSERT ? new_id : old_id);
  record_write(store, operation, change->id);
  change->was = operation != SQLITE_INSERT;
  change->is = operation != SQLITE_DELETE;
  if (change->was) change->old_row = hooked_row(store, sqlite3_preupdate_old);
  if (change->is) change->new_row = hooked_row(store, sqlite3_preupdate_new);
}

void observe_table(void) {
  magnitude_column = column_index("quake", "magnitude");
  time_column = column_index("quake", "time");
  code_column = column_index("quake", "code");
  check(magnitude_column >= 0 && time_column >= 0 && code_column >= 0, "quake has other columns");
  sqlite3_preupdate_hook(db, note_write, NULL);
}

void forget_table(void) { sqlite3_preupdate_hook(db, NULL, NULL); }

// ---- Applying: all old indices, then all that leave, all that come, all new indices --------------------------------

static volatile int64_t observed;

static void observe(const Change *change) {
  observed += change->old_index * 31 + change->new_index * 7 + change->old_section + change->new_section +
              change->old_place + change->new_place;
}

static Key old_key(const Change *change) { return (Key){change->old_row.time, change->id}; }
static Key new_key(const Change *change) { return (Key){change->new_row.time, change->id}; }

static void locate(const Result *result, Key key, long *index, int *section, long *place) {
  *index = list_rank(&result->list, key);
  if (!result->is_sectioned) return;
  *section = section_of(key.time);
  *place = *index - section_start(result, key.time);
}

static void leave(Result *result, Key key) {
  list_remove(&result->list, key);
  if (result->is_sectioned) count_in_section(key.time, -1);
}

static void come(Result *result, Key key) {
  list_insert(&result->list, key);
  if (result->is_sectioned) count_in_section(key.time, 1);
}

// Whether the row was shown, is shown, and stands where it stood.
typedef struct {
  bool was, is, stays;
} Presence;

static Presence presence(const Result *result, const Change *change) {
  bool was = change->was && result_matches(result, &change->old_row);
  bool is = change->is && result_matches(result, &change->new_row);
  return (Presence){was, is, was && is && change->old_row.time == change->new_row.time};
}

void apply_changes(Result *result) {
  bool is_touched = false;
  for (long i = 0; i < change_count; i++) {
    Change *change = &changes[i];
    Presence at = presence(result, change);
    change->old_index = change->new_index = -1;
    is_touched |= at.was || at.is;
    if (at.was) locate(result, old_key(change), &change->old_index, &change->old_section, &change->old_place);
  }
  if (!is_touched) return;
  for (long i = 0; i < change_count; i++) {
    Presence at = presence(result, &changes[i]);
    if (at.was && !at.stays) leave(result, old_key(&changes[i]));
  }
  for (long i = 0; i < change_count; i++) {
    Presence at = presence(result, &changes[i]);
    if (at.is && !at.stays) come(result, new_key(&changes[i]));
  }
  for (long i = 0; i < change_count; i++) {
    Change *change = &changes[i];
    if (presence(result, change).is) {
      locate(result, new_key(change), &change->new_index, &change->new_section, &change->new_place);
    }
    observe(change);
  }
}

// ---- Loading and comparing -----------------------------------------------------------------------------------------

// A scan and a sort: half of the rows looked up by the index of times would take six times as long.
static sqlite3_stmt *prepare_load(const Result *result) {
  if (result->end_code == 1ull << 32) {
    return prepare("SELECT time, %s FROM quake NOT INDEXED WHERE magnitude >= 2", key_column);
  }
  return prepare("SELECT time, %s FROM quake WHERE code >= 'us%08x' AND code < 'us%08x'", key_column,
                 (unsigned)result->first_code, (unsigned)result->end_code);
}

void result_load(Result *result) {
  Key *keys = NULL;
  long count = 0, capacity = 0;
  sqlite3_stmt *rows = prepare_load(result);
  while (sqlite3_step(rows) == SQLITE_ROW) {
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 128;
      check((keys = realloc(keys, sizeof *keys * (size_t)capacity)) != NULL, "memory");
    }
    keys[count++] = (Key){sqlite3_column_double(rows, 0), sqlite3_column_int64(rows, 1)};
  }
  sqlite3_finalize(rows);
  sort_keys(keys, count);
  list_fill(&result->list, keys, count);
  for (long i = 0; result->is_sectioned && i < count; i++) count_in_section(keys[i].time, 1);
  free(keys);
}

void result_close(Result *result) {
  list_free(&result->list);
  memset(rows_of_day, 0, sizeof rows_of_day);
  memset(days_with_rows, 0, sizeof days_with_rows);
}

void result_verify(const Result *result, const char *sql) {
  sqlite3_stmt *rows = prepare(sql, key_column, key_column);
  long count = 0;
  int block = 0, position = 0;
  while (sqlite3_step(rows) == SQLITE_ROW) {
    Key key = list_next(&result->list, &block, &position);
    check(key.id == sqlite3_column_int64(rows, 0), "the result is not what a fresh SELECT gives");
    count++;
  }
  sqlite3_finalize(rows);
  check(count == result->list.length, "the result is longer than what a fresh SELECT gives");
}
