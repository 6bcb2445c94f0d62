// Changes of this process: one in a commit, or many.

#include <stdlib.h>

#include "live.h"

typedef struct {
  long count;
  double *all, *maintenance, *of_kind[KINDS];
  long kind_counts[KINDS];
} Times;

static Times new_times(long count) {
  Times times = {.all = doubles(count), .maintenance = doubles(count)};
  for (int kind = 0; kind < KINDS; kind++) times.of_kind[kind] = doubles(count);
  return times;
}

static void note_time(Times *times, long index, double whole, double maintenance) {
  times->all[times->count] = whole;
  times->maintenance[times->count++] = maintenance;
  int kind = (int)(index % KINDS);
  times->of_kind[kind][times->kind_counts[kind]++] = whole;
}

// One commit of one change, as a statement of its own.
static void change_one(Result *result, Times *times, long index) {
  choose_step(index);
  double start = clock_now();
  begin_saving();
  take_step();
  end_saving();
  double committed = clock_now();
  apply_changes(result);
  double end = clock_now();
  clear_changes();
  note_time(times, index, end - start, end - committed);
}

static void measure_ones(Result *result, Times *times, long operations) {
  result_load(result);
  observe_table();
  begin();
  for (long i = 0; i < operations; i++) change_one(result, times, i);
}

// One commit of many; the rows are found within it, so that is not timed.
static double change_many(long first, long batch) {
  double start = clock_now(), choosing = 0;
  run("BEGIN IMMEDIATE");
  for (long i = 0; i < batch; i++) {
    double before = clock_now();
    choose_step(first + i);
    choosing += clock_now() - before;
    take_step();
  }
  run("COMMIT");
  return clock_now() - start - choosing;
}

// Without and with a result in turn, as the cache grows warmer with each.
static void measure_batches(Result *result, Times *times, long operations, long batch) {
  double *plain = doubles(operations);
  begin();
  for (long i = 0; i < operations; i++) {
    if (i > 0) result_close(result);
    forget_table();
    plain[i] = change_many(2 * i * batch, batch);
    result_load(result);
    observe_table();
    double writing = change_many((2 * i + 1) * batch, batch), committed = clock_now();
    merge_changes();
    apply_changes(result);
    double maintenance = clock_now() - committed;
    clear_changes();
    note_time(times, i, writing + maintenance, maintenance);
  }
  tell("plain", median(plain, operations));
  tell("extra", median(times->maintenance, operations) / (double)batch);
}

static void tell_kinds(Times *times) {
  for (int kind = 0; kind < KINDS; kind++) {
    if (times->kind_counts[kind]) tell(kind_names[kind], median(times->of_kind[kind], times->kind_counts[kind]));
  }
}

static void measure_saves(char **arguments, bool is_sectioned, const char *mode) {
  long operations = atol(arguments[1]), batch = arguments[2] ? atol(arguments[2]) : 1;
  Result result = strong_quakes;
  result.is_sectioned = is_sectioned;
  start_checkpoints(arguments[0]);
  prepare_steps(db, false);
  Times times = new_times(operations);
  if (batch > 1) {
    measure_batches(&result, &times, operations, batch);
  } else {
    measure_ones(&result, &times, operations);
    tell_kinds(&times);
  }
  result_verify(&result, strong_sql);
  tell_times("", times.all, operations);
  tell("maintain", median(times.maintenance, operations));
  tell_result();
  finish(mode);
}

void local_mode(char **arguments) { measure_saves(arguments, false, "local"); }
void section_mode(char **arguments) { measure_saves(arguments, true, "section"); }
