// Commits of another process: triggers note the rows in a history, the watcher hears of the write-ahead log by inotify,
// asks whether a commit came, reads the history and the rows, and tells its observer.

#include <math.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live.h"

extern char **environ;

enum { PAUSE = 2000 };  // microseconds between two commits

// ---- The writer ----------------------------------------------------------------------------------------------------

// Each commit changes a row that no commit before it changed, so that an observer is told of as many rows as there were
// commits, however many commits it hears of at once.
void write_mode(char **arguments) {
  long operations = atol(arguments[1]);
  double *stamps = doubles(operations);
  prepare_steps(db, true);
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  usleep(200000);  // until the reader waits
  for (long i = 0; i < operations; i++) {
    choose_step(i);
    usleep(PAUSE);
    take_step();
    stamps[i] = wall_now();
  }
  FILE *file = fopen(arguments[2], "w");
  check(file && fwrite(stamps, sizeof *stamps, (size_t)operations, file) == (size_t)operations, arguments[2]);
  check(fclose(file) == 0, arguments[2]);
}

static pid_t start_writer(char *store, char *operations, char *stamps) {
  char *command[] = {"live", "write", store, operations, stamps, NULL};
  pid_t writer;
  check(posix_spawn(&writer, "/proc/self/exe", NULL, NULL, command, environ) == 0, "the writer");
  return writer;
}

// ---- The watcher ---------------------------------------------------------------------------------------------------

static void keep_history(void) {
  run("CREATE TABLE history (number INTEGER PRIMARY KEY, id INTEGER)");
  static const char *const events[][2] = {{"INSERT", "new"}, {"UPDATE", "new"}, {"DELETE", "old"}};
  for (int i = 0; i < 3; i++) {
    char *sql = sqlite3_mprintf("CREATE TRIGGER history_%s AFTER %s ON quake BEGIN"
                                " INSERT INTO history (id) VALUES (%s.%s); END",
                                events[i][0], events[i][0], events[i][1], key_column);
    run(sql);
    sqlite3_free(sql);
  }
}

// The time under which a row is in the list; NAN for one that is not, as a history holds no old values.
static double *time_of_row;
static int64_t row_limit;

static void note_places(const Result *result, long operations) {
  char *sql = sqlite3_mprintf("SELECT max(%s) FROM quake", key_column);
  row_limit = (int64_t)number(sql) + operations + 1;
  sqlite3_free(sql);
  time_of_row = malloc(sizeof *time_of_row * (size_t)row_limit);
  check(time_of_row != NULL, "memory");
  for (int64_t id = 0; id < row_limit; id++) time_of_row[id] = NAN;
  int block = 0, position = 0;
  for (long i = 0; i < result->list.length; i++) {
    Key key = list_next(&result->list, &block, &position);
    time_of_row[key.id] = key.time;
  }
}

static sqlite3_stmt *version, *news, *rows;
static int64_t last_number;

static int data_version(void) {
  sqlite3_step(version);
  int value = sqlite3_column_int(version, 0);
  sqlite3_reset(version);
  return value;
}

static void reread(int64_t id) {
  check(id < row_limit, "an unknown row");
  Change *change = add_change(id);
  change->was = !isnan(time_of_row[id]);
  change->old_row = (Row){.magnitude = 2, .time = time_of_row[id]};
  sqlite3_bind_int64(rows, 1, id);
  if (sqlite3_step(rows) == SQLITE_ROW) {
    change->is = true;
    change->new_row = (Row){.magnitude = sqlite3_column_double(rows, 0), .time = sqlite3_column_double(rows, 1)};
  }
  sqlite3_reset(rows);
  time_of_row[id] = change->is && change->new_row.magnitude >= 2 ? change->new_row.time : NAN;
}

// How many rows were told of.
static long read_news(Result *result) {
  long count = 0;
  run("BEGIN");
  sqlite3_bind_int64(news, 1, last_number);
  while (sqlite3_step(news) == SQLITE_ROW) {
    last_number = sqlite3_column_int64(news, 0);
    reread(sqlite3_column_int64(news, 1));
    count++;
  }
  sqlite3_reset(news);
  run("COMMIT");
  merge_changes();
  apply_changes(result);
  clear_changes();
  return count;
}

// The log is written before its index says that the commit is done, so that the first looks may come too early.
static bool has_news(int *seen) {
  for (int looks = 0; looks < 60; looks++) {
    int now = data_version();
    if (now != *seen) {
      *seen = now;
      return true;
    }
    if (looks >= 10) usleep(5);
  }
  return false;
}

static long watch(Result *result, int events, double *told, long operations) {
  int seen = data_version();
  long count = 0;
  struct pollfd log = {.fd = events, .events = POLLIN};
  while (count < operations && poll(&log, 1, 5000) > 0) {
    char buffer[4096];
    while (read(events, buffer, sizeof buffer) > 0) continue;
    while (count < operations && has_news(&seen)) {
      long more = read_news(result);
      double now = wall_now();
      for (long i = 0; i < more && count < operations; i++) told[count++] = now;
    }
  }
  return count;
}

static void subtract_stamps(const char *path, double *told, long count) {
  double stamp;
  FILE *file = fopen(path, "r");
  check(file != NULL, path);
  for (long i = 0; i < count; i++) {
    check(fread(&stamp, sizeof stamp, 1, file) == 1, path);
    told[i] = told[i] > stamp ? told[i] - stamp : 0;
  }
  fclose(file);
}

void cross_mode(char **arguments) {
  long operations = atol(arguments[1]);
  Result result = strong_quakes;
  keep_history();
  result_load(&result);
  note_places(&result, operations);
  version = prepare("PRAGMA data_version");
  news = prepare("SELECT number, id FROM history WHERE number > ? ORDER BY number");
  rows = prepare("SELECT magnitude, time FROM quake WHERE %s = ?", key_column);
  char log[4096], stamps[4096];
  snprintf(log, sizeof log, "%s-wal", arguments[0]);
  snprintf(stamps, sizeof stamps, "%s.stamps", arguments[0]);
  int events = inotify_init1(IN_NONBLOCK);
  check(events >= 0 && inotify_add_watch(events, log, IN_MODIFY) >= 0, log);
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  double *told = doubles(operations);
  begin();
  pid_t writer = start_writer(arguments[0], arguments[1], stamps);
  long count = watch(&result, events, told, operations);
  int status;
  check(waitpid(writer, &status, 0) == writer && status == 0, "the writer failed");
  check(count == operations, "commits were lost");
  subtract_stamps(stamps, told, count);
  remove(stamps);
  result_verify(&result, strong_sql);
  tell_times("", told, count);
  tell("count", (double)result.list.length);
  finish("cross");
}
