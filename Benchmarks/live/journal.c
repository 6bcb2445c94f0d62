// What a save of Perilune's writes besides its rows: a record of their old and new values, as a row of a journal in the same
// transaction, so that the save can be taken back after it.

#include <stdlib.h>
#include <string.h>

#include "live.h"

enum { KEPT = 20 };  // so many saves can be taken back

bool keeps_journal;

static char *record;
static size_t record_size, record_capacity;
static sqlite3_stmt *begin_save, *commit_save, *add_record, *trim_records;

static void *extend(size_t size) {
  if (record_size + size > record_capacity) {
    record_capacity = record_capacity * 2 + size;
    check((record = realloc(record, record_capacity)) != NULL, "memory");
  }
  record_size += size;
  return record + record_size - size;
}

static void append(sqlite3_value *value) {
  int type = sqlite3_value_type(value);
  *(char *)extend(1) = (char)type;
  if (type == SQLITE_NULL) return;
  if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
    int length = sqlite3_value_bytes(value);
    memcpy(extend(sizeof length), &length, sizeof length);
    memcpy(extend((size_t)length), sqlite3_value_blob(value), (size_t)length);
  } else {
    double number = sqlite3_value_double(value);
    memcpy(extend(sizeof number), &number, sizeof number);
  }
}

static bool is_same(sqlite3_value *left, sqlite3_value *right) {
  int type = sqlite3_value_type(left);
  if (type != sqlite3_value_type(right)) return false;
  if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) return sqlite3_value_double(left) == sqlite3_value_double(right);
  int length = sqlite3_value_bytes(left);
  return length == sqlite3_value_bytes(right) && !memcmp(sqlite3_value_blob(left), sqlite3_value_blob(right), (size_t)length);
}

// Notes a write that the pre-update hook tells of: of an updated row what differs, of a deleted one all.
void record_write(sqlite3 *store, int operation, int64_t id) {
  if (!keeps_journal) return;
  *(char *)extend(1) = (char)operation;
  memcpy(extend(sizeof id), &id, sizeof id);
  for (int i = 0; operation != SQLITE_INSERT && i < sqlite3_preupdate_count(store); i++) {
    sqlite3_value *old, *new;
    sqlite3_preupdate_old(store, i, &old);
    if (operation == SQLITE_UPDATE) {
      sqlite3_preupdate_new(store, i, &new);
      if (is_same(old, new)) continue;
      *(char *)extend(1) = (char)i;
      append(old);
      append(new);
    } else {
      append(old);
    }
  }
}

void prepare_journal(void) {
  if (!keeps_journal) return;
  run("CREATE TABLE IF NOT EXISTS limit_journal (number INTEGER PRIMARY KEY, role TEXT, time REAL, changes BLOB)");
  begin_save = prepare("BEGIN IMMEDIATE");
  commit_save = prepare("COMMIT");
  add_record = prepare("INSERT INTO limit_journal (role, time, changes) VALUES ('save', ?, ?)");
  trim_records = prepare(
      "DELETE FROM limit_journal WHERE number <= (SELECT number FROM limit_journal ORDER BY number DESC LIMIT 1 OFFSET %d)",
      KEPT);
}

static void step(sqlite3_stmt *statement) {
  check(sqlite3_step(statement) == SQLITE_DONE, "a save");
  sqlite3_reset(statement);
}

void begin_saving(void) {
  if (keeps_journal) step(begin_save);
}

void end_saving(void) {
  if (!keeps_journal) return;
  sqlite3_bind_double(add_record, 1, wall_now());
  sqlite3_bind_blob(add_record, 2, record, (int)record_size, SQLITE_STATIC);
  step(add_record);
  // A few at a time, before the journal needs a second page.
  if (sqlite3_last_insert_rowid(db) % 4 == 0) step(trim_records);
  step(commit_save);
  record_size = 0;
}
