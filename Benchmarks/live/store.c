// The store, the clocks, and what is told: "begin" and "end NAME=VALUE..." on standard error, a line of JSON on
// standard output.

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "live.h"

sqlite3 *db;
char key_column[8] = "id";

void check(bool ok, const char *what) {
  if (ok) return;
  bool is_store = db && sqlite3_errcode(db) != SQLITE_OK && sqlite3_errcode(db) < SQLITE_ROW;
  fprintf(stderr, "live: %s: %s\n", what, is_store ? sqlite3_errmsg(db) : strerror(errno));
  exit(1);
}

// Debian's SQLite has no mapping and a mutex around each call; no limit is found that way. A larger cache than this one is
// slower: after some commits all of it is looked through. A checkpoint is never part of a commit: see start_checkpoints.
sqlite3 *open_store(const char *path) {
  sqlite3 *store;
  check(sqlite3_open_v2(path, &store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK, path);
  sqlite3_busy_timeout(store, 5000);
  const char *settings =
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192;"
      "PRAGMA mmap_size = 1073741824; PRAGMA wal_autocheckpoint = 0";
  check(sqlite3_exec(store, settings, NULL, NULL, NULL) == SQLITE_OK, path);
  return store;
}

void run(const char *sql) { check(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, sql); }

sqlite3_stmt *prepare(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *sql = sqlite3_vmprintf(format, arguments);
  va_end(arguments);
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) == SQLITE_OK, sql);
  sqlite3_free(sql);
  return statement;
}

int column_index(const char *table, const char *column) {
  sqlite3_stmt *statement = prepare("SELECT cid FROM pragma_table_info(%Q) WHERE name = %Q", table, column);
  int index = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int(statement, 0) : -1;
  sqlite3_finalize(statement);
  return index;
}

double number(const char *sql) {
  sqlite3_stmt *statement = prepare("%s", sql);
  check(sqlite3_step(statement) == SQLITE_ROW, sql);
  double value = sqlite3_column_double(statement, 0);
  sqlite3_finalize(statement);
  return value;
}

static double seconds_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double clock_now(void) { return seconds_of(CLOCK_MONOTONIC); }
double wall_now(void) { return seconds_of(CLOCK_REALTIME); }

double *doubles(long count) {
  double *values = malloc(sizeof *values * (size_t)(count + 1));
  check(values != NULL, "memory");
  return values;
}

// ---- Telling -------------------------------------------------------------------------------------------------------

enum { MOST_FACTS = 32 };
static struct {
  char name[24];
  double value;
} facts[MOST_FACTS];
static int fact_count;

void begin(void) { fputs("begin\n", stderr); }

void tell(const char *name, double value) {
  check(fact_count < MOST_FACTS, "too many facts");
  snprintf(facts[fact_count].name, sizeof facts->name, "%s", name);
  facts[fact_count++].value = value;
}

static int by_value(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

double median(double *seconds, long count) {
  qsort(seconds, (size_t)count, sizeof *seconds, by_value);
  return seconds[count / 2];
}

void tell_times(const char *prefix, double *seconds, long count) {
  char name[24];
  double middle = median(seconds, count);
  snprintf(name, sizeof name, "%smedian", prefix);
  tell(name, middle);
  snprintf(name, sizeof name, "%sp99", prefix);
  tell(name, seconds[count * 99 / 100]);
  snprintf(name, sizeof name, "%smax", prefix);
  tell(name, seconds[count - 1]);
}

void tell_result(void) {
  tell("count", number("SELECT count(*) FROM quake WHERE magnitude >= 2"));
  tell("sum", number("SELECT sum(time - 1500000000) FROM quake WHERE magnitude >= 2"));
}

void finish(const char *mode) {
  fputs("end", stderr);
  printf("{\"mode\": \"%s\"", mode);
  for (int i = 0; i < fact_count; i++) {
    fprintf(stderr, " %s=%.9f", facts[i].name, facts[i].value);
    printf(", \"%s\": %.9f", facts[i].name, facts[i].value);
  }
  fputs("\n", stderr);
  puts("}");
}
