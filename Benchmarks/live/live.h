// The limit of live results: what the parts of `live` share.

#ifndef LIVE_H
#define LIVE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

// ---- The list: ordered keys in counted blocks ----------------------------------------------------------------------

typedef struct {
  double time;
  int64_t id;
} Key;

typedef struct Block Block;

typedef struct {
  Block **blocks;
  Key *firsts;  // the first key of each block, side by side for the search
  int *counts;  // a Fenwick tree over the lengths of the blocks
  int block_count, capacity;
  long length;
} List;

void list_insert(List *list, Key key);
void list_remove(List *list, Key key);
long list_rank(const List *list, Key key);  // how many keys are before it
void list_fill(List *list, const Key *keys, long count);
void list_free(List *list);
Key list_next(const List *list, int *block, int *position);

void sort_keys(Key *keys, long count);  // by time, those of one time as they came

// ---- Results: which rows are shown, and what changed ---------------------------------------------------------------

typedef struct {
  double magnitude, time;
  uint32_t code;
} Row;

typedef struct {
  int64_t id;
  long order;            // of its coming, until rows that changed twice were made one
  bool was, is;          // there before and after the commit
  Row old_row, new_row;
  long old_index, new_index;
  int old_section, new_section;
  long old_place, new_place;  // within the sections
} Change;

typedef struct {
  List list;
  bool is_sectioned;
  double least_magnitude;
  uint64_t first_code, end_code;
} Result;

extern const Result strong_quakes;  // magnitude >= 2, every code
extern const char *const strong_sql;

void result_load(Result *result);
void result_close(Result *result);
void result_verify(const Result *result, const char *sql);
bool result_matches(const Result *result, const Row *row);

void observe_table(void);  // every write of the connection to `quake` becomes a change
void forget_table(void);
Change *add_change(int64_t id);
void merge_changes(void);  // one for each row
void apply_changes(Result *result);
void clear_changes(void);

// ---- The store -----------------------------------------------------------------------------------------------------

extern sqlite3 *db;
extern char key_column[8];  // _pk or id

void check(bool ok, const char *what);
sqlite3 *open_store(const char *path);
void run(const char *sql);
sqlite3_stmt *prepare(const char *format, ...);
int column_index(const char *table, const char *column);
double number(const char *sql);

double clock_now(void);
double wall_now(void);  // comparable between processes

// ---- The journal: only where the first argument is `fair`, as a bare limit does no more than it must ---------------

extern bool keeps_journal;
void prepare_journal(void);
void begin_saving(void);
void end_saving(void);
void record_write(sqlite3 *store, int operation, int64_t id);

// ---- The work: the same sequence of changes for everyone -----------------------------------------------------------

enum { KINDS = 5 };
extern const char *const kind_names[KINDS];

uint64_t below(uint64_t limit);
void prepare_steps(sqlite3 *store, bool are_distinct);
void choose_step(long index);  // finds the row, outside of what is timed
void take_step(void);

// ---- What is told --------------------------------------------------------------------------------------------------

void begin(void);
void tell(const char *name, double value);
void tell_times(const char *prefix, double *seconds, long count);  // median, p99 and max
double median(double *seconds, long count);
void tell_result(void);  // facts that are the same for everyone who made the same changes
void finish(const char *mode);

double *doubles(long count);
void start_checkpoints(const char *path);

// ---- The modes, with what follows their name -----------------------------------------------------------------------

void local_mode(char **arguments);
void section_mode(char **arguments);
void open_mode(char **arguments);
void memory_mode(char **arguments);
void related_mode(char **arguments);
void many_mode(char **arguments);
void rebuild_mode(char **arguments);
void cross_mode(char **arguments);
void group_mode(char **arguments);
void write_mode(char **arguments);

#endif
