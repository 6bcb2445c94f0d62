// The work: five kinds of changes in turn, each of which an observer of strong quakes must be told. The peers and
// jobs/live-steps.lua draw the same numbers, so that everyone makes the same changes to the same rows.

#include <stdlib.h>

#include "live.h"

enum Kind { MAGNITUDE, TIME, DEPTH, INSERT, DELETE };
const char *const kind_names[KINDS] = {"magnitude", "time", "depth", "insert", "delete"};

static uint64_t state = 88172645463325252u;

// xorshift64
uint64_t below(uint64_t limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 11) % limit;
}

static sqlite3_stmt *find, *statements[KINDS];
static int64_t original_rows, last_id;
static uint8_t *taken;

void prepare_steps(sqlite3 *store, bool are_distinct) {
  sqlite3 *other = db;
  db = store;
  find = prepare("SELECT magnitude FROM quake WHERE %s = ?", key_column);
  statements[MAGNITUDE] = prepare("UPDATE quake SET magnitude = ?2 WHERE %s = ?1", key_column);
  statements[TIME] = prepare("UPDATE quake SET time = ?2 WHERE %s = ?1", key_column);
  statements[DEPTH] = prepare("UPDATE quake SET depth = depth + 1 WHERE %s = ?1", key_column);
  statements[INSERT] = prepare(
      "INSERT INTO quake (%s, magnitude, place, time, depth, code, day)"
      " VALUES (?1, ?2, '5km N of Cobb, CA', ?3, 1.0, printf('us%%08x', ?1 * 2654435761 & 4294967295), '2018-01-01')",
      key_column);
  statements[DELETE] = prepare("DELETE FROM quake WHERE %s = ?1", key_column);
  sqlite3_stmt *last = prepare("SELECT max(%s) FROM quake", key_column);
  sqlite3_step(last);
  original_rows = last_id = sqlite3_column_int64(last, 0);
  sqlite3_finalize(last);
  if (are_distinct) check((taken = calloc((size_t)original_rows + 1, 1)) != NULL, "memory");
  db = other;
}

static bool find_magnitude(int64_t id, double *magnitude) {
  sqlite3_bind_int64(find, 1, id);
  bool is_there = sqlite3_step(find) == SQLITE_ROW;
  if (is_there) *magnitude = sqlite3_column_double(find, 0);
  sqlite3_reset(find);
  return is_there;
}

// The first row from a random one on that is there and, unless any will do, is shown.
static int64_t random_row(bool is_shown, double *magnitude) {
  int64_t id = (int64_t)below((uint64_t)original_rows) + 1;
  for (int64_t tried = 0; tried < original_rows; tried++, id = id % original_rows + 1) {
    if (taken && taken[id]) continue;
    if (!find_magnitude(id, magnitude) || (is_shown && *magnitude < 2)) continue;
    if (taken) taken[id] = 1;
    return id;
  }
  check(false, "there are too few rows for so many changes");
  return 0;
}

static double random_time(void) { return 1500000000 + (double)below(31536000000u) / 1000; }

static sqlite3_stmt *chosen;

void choose_step(long index) {
  enum Kind kind = (enum Kind)(index % KINDS);
  double magnitude = 0;
  chosen = statements[kind];
  int64_t id = kind == INSERT ? ++last_id : random_row(kind != MAGNITUDE, &magnitude);
  sqlite3_bind_int64(chosen, 1, id);
  switch (kind) {
    case MAGNITUDE: sqlite3_bind_double(chosen, 2, magnitude >= 2 ? magnitude - 2 : magnitude + 2); break;
    case TIME: sqlite3_bind_double(chosen, 2, random_time()); break;
    case INSERT:
      sqlite3_bind_double(chosen, 2, 2 + (double)below(200) / 100);
      sqlite3_bind_double(chosen, 3, random_time());
      break;
    default: break;
  }
}

void take_step(void) {
  check(sqlite3_step(chosen) == SQLITE_DONE, "a change");
  sqlite3_reset(chosen);
}
