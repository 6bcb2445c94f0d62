// Groups: how many rows each has, the sum of their magnitudes and that of their depths, kept from the old and the new values
// that the pre-update hook gives. Sums are as doubles add up.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "live.h"

enum { KEY_SIZE = 24 };

typedef struct {
  char key[KEY_SIZE];
  int64_t count;
  double magnitude, depth;
} Group;

// A group's values before a commit, for the observer.
typedef struct {
  Group *group;
  Group before;
} Touched;

static Group *groups;
static size_t capacity, used;
static Touched touched[8];
static int touched_count;
static int key_index, magnitude_index, depth_index;

static size_t hash(const char *key) {
  uint64_t value = 1469598103934665603u;
  for (; *key; key++) value = (value ^ (uint8_t)*key) * 1099511628211u;
  return (size_t)(value ^ value >> 29);
}

static Group *find_group(const char *key) {
  for (size_t place = hash(key) & (capacity - 1);; place = (place + 1) & (capacity - 1)) {
    Group *group = &groups[place];
    if (!group->key[0]) {
      check(++used < capacity - capacity / 4, "there are too many groups");
      strncpy(group->key, key, KEY_SIZE - 1);
      return group;
    }
    if (!strcmp(group->key, key)) return group;
  }
}

static void add_row(Group *group, double magnitude, double depth, int sign) {
  group->count += sign;
  group->magnitude += sign * magnitude;
  group->depth += sign * depth;
}

static void touch(Group *group) {
  for (int i = 0; i < touched_count; i++) {
    if (touched[i].group == group) return;
  }
  check(touched_count < (int)(sizeof touched / sizeof *touched), "a step changes one row");
  touched[touched_count++] = (Touched){group, *group};
}

static void count_hooked(sqlite3 *store, int (*value_of)(sqlite3 *, int, sqlite3_value **), int sign) {
  sqlite3_value *key, *magnitude, *depth;
  value_of(store, key_index, &key);
  value_of(store, magnitude_index, &magnitude);
  value_of(store, depth_index, &depth);
  Group *group = find_group((const char *)sqlite3_value_text(key));
  touch(group);
  add_row(group, sqlite3_value_double(magnitude), sqlite3_value_double(depth), sign);
}

static void note_write(void *context, sqlite3 *store, int operation, const char *schema, const char *table,
                       sqlite3_int64 old_id, sqlite3_int64 new_id) {
  (void)context, (void)schema;
  if (strcmp(table, "quake")) return;
  record_write(store, operation, operation == SQLITE_INSERT ? new_id : old_id);
  if (operation != SQLITE_INSERT) count_hooked(store, sqlite3_preupdate_old, -1);
  if (operation != SQLITE_DELETE) count_hooked(store, sqlite3_preupdate_new, 1);
}

static void load_groups(const char *column) {
  capacity = 4096;
  while (capacity < 2 * (size_t)number("SELECT count(*) FROM quake")) capacity *= 2;
  check((groups = calloc(capacity, sizeof *groups)) != NULL, "memory");
  sqlite3_stmt *rows = prepare("SELECT %s, magnitude, depth FROM quake", column);
  while (sqlite3_step(rows) == SQLITE_ROW) {
    Group *group = find_group((const char *)sqlite3_column_text(rows, 0));
    add_row(group, sqlite3_column_double(rows, 1), sqlite3_column_double(rows, 2), 1);
  }
  sqlite3_finalize(rows);
}

static bool is_near(double kept, double fresh) { return fabs(kept - fresh) <= 1e-6 * (1 + fabs(fresh)); }

static void verify_groups(const char *column) {
  sqlite3_stmt *rows = prepare("SELECT %s, count(*), sum(magnitude), sum(depth) FROM quake GROUP BY 1", column);
  while (sqlite3_step(rows) == SQLITE_ROW) {
    Group *group = find_group((const char *)sqlite3_column_text(rows, 0));
    check(group->count == sqlite3_column_int64(rows, 1) && is_near(group->magnitude, sqlite3_column_double(rows, 2)) &&
              is_near(group->depth, sqlite3_column_double(rows, 3)),
          "a group differs from a fresh one");
  }
  sqlite3_finalize(rows);
}

static volatile double observed;

static void observe(void) {
  for (int i = 0; i < touched_count; i++) {
    const Group *now = touched[i].group, *before = &touched[i].before;
    observed += (double)(now->count - before->count) + now->magnitude - before->magnitude + now->depth - before->depth;
  }
  touched_count = 0;
}

// The steps but those that change the time, which groups know nothing of.
void group_mode(char **arguments) {
  long operations = atol(arguments[1]);
  const char *column = arguments[2];
  start_checkpoints(arguments[0]);
  prepare_steps(db, false);
  load_groups(column);
  key_index = column_index("quake", column);
  magnitude_index = column_index("quake", "magnitude");
  depth_index = column_index("quake", "depth");
  sqlite3_preupdate_hook(db, note_write, NULL);
  double *times = doubles(operations);
  begin();
  for (long i = 0; i < operations; i++) {
    choose_step(i / 4 * 5 + (i % 4 == 0 ? 0 : i % 4 + 1));
    double start = clock_now();
    begin_saving();
    take_step();
    end_saving();
    observe();
    times[i] = clock_now() - start;
  }
  verify_groups(column);
  tell_times("", times, operations);
  tell_result();
  finish("group");
}
