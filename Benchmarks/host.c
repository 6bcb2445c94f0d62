// The limit: what SQLite and Lua do for each job with as little as possible between them.
//
//   host read STORE           hands every row to Lua as an object that reads the cursor
//   host second STORE         passes in Lua over rows that were copied out of SQLite before
//   host hold STORE           keeps a copy of every row as an object in a Lua table
//   host update STORE COUNT   reads, changes and writes one column of the first COUNT rows
//   host load TABLE.csv STORE loads a CSV file: rows first, indexes after, one transaction
//   host make COUNT STORE     stores rows made on the spot, in the same way
//   host query STORE SQL      runs a statement five times and prints the last value
//   host start STORE CHUNK    opens the store, makes a Lua state and evaluates an expression
//
// The same with what Perilune promises besides is in fair.c: fair-read, fair-second, fair-hold, fair-update, fair-make.
//
// "begin" and "end NAME=VALUE..." on standard error mark the part that is measured; run.py holds the stopwatch.

#include <fcntl.h>
#include <lua5.4/lauxlib.h>
#include <lua5.4/lualib.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

sqlite3 *db;

void check(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "host: %s: %s\n", what, db ? sqlite3_errmsg(db) : strerror(74));
  exit(1);
}

void run(const char *sql) { check(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, sql); }

sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) == SQLITE_OK, sql);
  return statement;
}

// Debian's SQLite has a cache of 2 MB, no mapping and a mutex around each call; no limit is found that way.
void open_store(const char *path, int flags) {
  check(sqlite3_open_v2(path, &db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK, path);
  run("PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824; PRAGMA synchronous = NORMAL");
}

void begin(void) { fputs("begin\n", stderr); }

size_t resident_bytes(void) {
  long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  check(statm && fscanf(statm, "%*d %ld", &pages) == 1, "/proc/self/statm");
  fclose(statm);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

// ---- Rows as Lua sees them -------------------------------------------------------------------------------------

static const char *const columns = "id, magnitude, place, time, depth, code, day";

sqlite3_stmt *cursor;

size_t row_size(void) {
  size_t size = sizeof(Row);
  for (int i = 0; i < column_count; i++) {
    if (sqlite3_column_type(cursor, i) == SQLITE_TEXT) size += (size_t)sqlite3_column_bytes(cursor, i);
  }
  return size;
}

void copy_row(Row *row) {
  char *end = row->text;
  for (int i = 0; i < column_count; i++) {
    row->length[i] = -1;
    if (sqlite3_column_type(cursor, i) == SQLITE_TEXT) {
      const void *text = sqlite3_column_text(cursor, i);
      row->length[i] = sqlite3_column_bytes(cursor, i);
      end = mempcpy(end, text, (size_t)row->length[i]);
    } else {
      row->number[i] = sqlite3_column_double(cursor, i);
    }
  }
}

int push_copied(lua_State *L, const Row *row, int column) {
  if (row->length[column] < 0) {
    lua_pushnumber(L, row->number[column]);
    return 1;
  }
  const char *text = row->text;
  for (int i = 0; i < column; i++) text += row->length[i] > 0 ? row->length[i] : 0;
  lua_pushlstring(L, text, (size_t)row->length[column]);
  return 1;
}

// The column that `object.name` asks for; the first upvalue is a table of names.
int asked_column(lua_State *L) {
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  return (int)lua_tointeger(L, -1);
}

int push_column(lua_State *L, sqlite3_stmt *statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: lua_pushinteger(L, sqlite3_column_int64(statement, column)); break;
    case SQLITE_FLOAT: lua_pushnumber(L, sqlite3_column_double(statement, column)); break;
    case SQLITE_TEXT: {
      const char *text = (const char *)sqlite3_column_text(statement, column);
      lua_pushlstring(L, text, (size_t)sqlite3_column_bytes(statement, column));
      break;
    }
    default: lua_pushnil(L);
  }
  return 1;
}

static int cursor_index(lua_State *L) { return push_column(L, cursor, asked_column(L)); }

static int own_index(lua_State *L) { return push_copied(L, lua_touserdata(L, 1), asked_column(L)); }

static int reference_index(lua_State *L) { return push_copied(L, *(Row **)lua_touserdata(L, 1), asked_column(L)); }

// Iterators; the first upvalue is the metatable of the objects.

static int give(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_setmetatable(L, -2);
  return 1;
}

static int next_cursor(lua_State *L) {
  if (sqlite3_step(cursor) != SQLITE_ROW) return 0;
  *(sqlite3_int64 *)lua_newuserdatauv(L, sizeof(sqlite3_int64), 0) = sqlite3_column_int64(cursor, 0);
  return give(L);
}

static int next_own(lua_State *L) {
  if (sqlite3_step(cursor) != SQLITE_ROW) return 0;
  copy_row(lua_newuserdatauv(L, row_size(), 0));
  return give(L);
}

static Row **rows;
static size_t row_count, next_row;

static int next_reference(lua_State *L) {
  if (next_row == row_count) return 0;
  *(Row **)lua_newuserdatauv(L, sizeof(Row *), 0) = rows[next_row++];
  return give(L);
}

static void copy_all_rows(void) {
  size_t capacity = 0;
  while (sqlite3_step(cursor) == SQLITE_ROW) {
    if (row_count == capacity) {
      capacity = capacity ? capacity * 2 : 1024;
      check((rows = realloc(rows, capacity * sizeof *rows)) != NULL, "memory");
    }
    check((rows[row_count] = malloc(row_size())) != NULL, "memory");
    copy_row(rows[row_count++]);
  }
}

void push_names(lua_State *L) {
  static const char *const names[column_count] = {"id", "magnitude", "place", "time", "depth", "code", "day"};
  lua_createtable(L, 0, column_count);
  for (int i = 0; i < column_count; i++) {
    lua_pushinteger(L, i);
    lua_setfield(L, -2, names[i]);
  }
}

// Makes the global `rows`, an iterator over objects that are read by `index`.
static void set_iterator(lua_State *L, lua_CFunction next, lua_CFunction index) {
  lua_newtable(L);
  push_names(L);
  lua_pushcclosure(L, index, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcclosure(L, next, 1);
  lua_setglobal(L, "rows");
}

const char *const pass =
    "local sum, count, find = 0, 0, string.find\n"
    "for quake in rows do\n"
    "  sum = sum + quake.magnitude\n"
    "  if find(quake.place, 'CA', 1, true) then count = count + 1 end\n"
    "end\n"
    "return sum, count";

const char *const holding_pass =
    "held = {}\n"
    "local sum, count, find = 0, 0, string.find\n"
    "for quake in rows do\n"
    "  held[#held + 1] = quake\n"
    "  sum = sum + quake.magnitude\n"
    "  if find(quake.place, 'CA', 1, true) then count = count + 1 end\n"
    "end\n"
    "return sum, count";

lua_State *new_lua(void) {
  lua_State *L = luaL_newstate();
  check(L != NULL, "memory");
  luaL_openlibs(L);
  return L;
}

void evaluate(lua_State *L, const char *source, int results) {
  if (luaL_loadstring(L, source) == LUA_OK && lua_pcall(L, 0, results, 0) == LUA_OK) return;
  fprintf(stderr, "host: %s\n", lua_tostring(L, -1));
  exit(1);
}

void select_rows(const char *path) {
  open_store(path, SQLITE_OPEN_READONLY);
  char *sql = sqlite3_mprintf("SELECT %s FROM quake", columns);
  cursor = prepare(sql);
  sqlite3_free(sql);
}

void end_pass(lua_State *L) {
  fprintf(stderr, "end sum=%.2f count=%lld\n", lua_tonumber(L, -2), lua_tointeger(L, -1));
}

static void read_job(char **argv) {
  select_rows(argv[0]);
  lua_State *L = new_lua();
  set_iterator(L, next_cursor, cursor_index);
  begin();
  evaluate(L, pass, 2);
  end_pass(L);
}

static void second_job(char **argv) {
  select_rows(argv[0]);
  lua_State *L = new_lua();
  copy_all_rows();
  set_iterator(L, next_reference, reference_index);
  begin();
  evaluate(L, pass, 2);
  end_pass(L);
}

// The bytes of each object in `held`.
void end_held(lua_State *L, size_t before) {
  lua_gc(L, LUA_GCCOLLECT);
  double held = (double)(resident_bytes() - before);
  lua_getglobal(L, "held");
  fprintf(stderr, "end sum=%.2f count=%lld bytes=%.1f\n", lua_tonumber(L, -3), lua_tointeger(L, -2),
          held / (double)lua_rawlen(L, -1));
}

// The first pass fills the page cache, so that what is counted is the objects.
static void hold_job(char **argv) {
  select_rows(argv[0]);
  lua_State *L = new_lua();
  set_iterator(L, next_cursor, cursor_index);
  evaluate(L, pass, 2);
  lua_gc(L, LUA_GCCOLLECT);
  sqlite3_reset(cursor);
  set_iterator(L, next_own, own_index);
  begin();
  size_t before = resident_bytes();
  evaluate(L, holding_pass, 2);
  end_held(L, before);
}

// ---- Writing ---------------------------------------------------------------------------------------------------

static void update_job(char **argv) {
  open_store(argv[0], SQLITE_OPEN_READWRITE);
  long limit = atol(argv[1]), count = 0;
  sqlite3_int64 *ids = malloc((size_t)limit * sizeof *ids);
  double *depths = malloc((size_t)limit * sizeof *depths);
  begin();
  run("BEGIN IMMEDIATE");
  sqlite3_stmt *select = prepare("SELECT id, depth FROM quake WHERE id <= ?");
  sqlite3_bind_int64(select, 1, limit);
  while (sqlite3_step(select) == SQLITE_ROW) {
    ids[count] = sqlite3_column_int64(select, 0);
    depths[count++] = sqlite3_column_double(select, 1);
  }
  sqlite3_finalize(select);
  sqlite3_stmt *update = prepare("UPDATE quake SET depth = ? WHERE id = ?");
  for (long i = 0; i < count; i++) {
    sqlite3_bind_double(update, 1, depths[i] + 1);
    sqlite3_bind_int64(update, 2, ids[i]);
    check(sqlite3_step(update) == SQLITE_DONE, "update");
    sqlite3_reset(update);
  }
  run("COMMIT");
  fprintf(stderr, "end count=%ld\n", count);
}

sqlite3_stmt *begin_load(const char *path) {
  open_store(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  run("PRAGMA journal_mode = WAL; BEGIN;"
      "CREATE TABLE quake (id INTEGER PRIMARY KEY, magnitude DOUBLE NOT NULL, place TEXT NOT NULL,"
      " time DOUBLE NOT NULL, depth DOUBLE NOT NULL, code TEXT NOT NULL, day TEXT NOT NULL)");
  return prepare("INSERT INTO quake VALUES (?, ?, ?, ?, ?, ?, ?)");
}

void insert_row(sqlite3_stmt *insert) {
  check(sqlite3_step(insert) == SQLITE_DONE, "insert");
  sqlite3_reset(insert);
}

void end_load(sqlite3_stmt *insert, long count) {
  sqlite3_finalize(insert);
  run("CREATE UNIQUE INDEX quake_code ON quake (code);"
      "CREATE INDEX quake_time ON quake (time);"
      "CREATE INDEX quake_magnitude ON quake (magnitude);"
      "COMMIT");
  fprintf(stderr, "end count=%ld\n", count);
}

// A field of a CSV file whose quoted fields hold no quotes; moves `at` behind it and the comma or newline.
static const char *take_field(char **at, int *length) {
  char *start = *at, *end;
  if (*start == '"') {
    end = strchr(++start, '"');
    *at = end + 2;
  } else {
    end = strpbrk(start, ",\n");
    *at = end + 1;
  }
  *length = (int)(end - start);
  return start;
}

static void load_job(char **argv) {
  int file = open(argv[0], O_RDONLY);
  struct stat status;
  check(file >= 0 && fstat(file, &status) == 0, argv[0]);
  size_t size = (size_t)status.st_size;
  // A byte more, so that the last page ends in a zero.
  char *text = mmap(NULL, size + 1, PROT_READ, MAP_PRIVATE, file, 0), *at = text;
  check(text != MAP_FAILED, argv[0]);
  begin();
  sqlite3_stmt *insert = begin_load(argv[1]);
  long count = 0;
  at = strchr(at, '\n') + 1;
  while (at < text + size) {
    int length;
    for (int column = 1; column <= column_count; column++) {
      const char *field = take_field(&at, &length);
      switch (column) {
        case 1: sqlite3_bind_int64(insert, column, strtoll(field, NULL, 10)); break;
        case 2: case 4: case 5: sqlite3_bind_double(insert, column, strtod(field, NULL)); break;
        default: sqlite3_bind_text(insert, column, field, length, SQLITE_STATIC);
      }
    }
    insert_row(insert);
    count++;
  }
  end_load(insert, count);
}

// The same rows as jobs/create.lua and the GRDB peer make.
static void make_job(char **argv) {
  long count = atol(argv[0]);
  static char places[200][24], days[365][12];
  for (int i = 0; i < 200; i++) snprintf(places[i], sizeof places[i], "%dkm N of Cobb, CA", i + 1);
  for (int i = 0; i < 365; i++) snprintf(days[i], sizeof days[i], "day %d", i + 1);
  begin();
  sqlite3_stmt *insert = begin_load(argv[1]);
  for (long i = 1; i <= count; i++) {
    char code[16];
    int length = snprintf(code, sizeof code, "us%08x", (uint32_t)i * 2654435761u);
    sqlite3_bind_int64(insert, 1, i);
    sqlite3_bind_double(insert, 2, i * 37 % 400 / 100.0);
    sqlite3_bind_text(insert, 3, places[i % 200], -1, SQLITE_STATIC);
    sqlite3_bind_double(insert, 4, 1500000000 + i * 7919 % 31536000 + 0.5);
    sqlite3_bind_double(insert, 5, i % 700 + 0.25);
    sqlite3_bind_text(insert, 6, code, length, SQLITE_STATIC);
    sqlite3_bind_text(insert, 7, days[i % 365], -1, SQLITE_STATIC);
    insert_row(insert);
  }
  end_load(insert, count);
}

// ---- The rest --------------------------------------------------------------------------------------------------

static void make_linked(long count) {
  sqlite3_stmt *folder = prepare("INSERT INTO folder (name) VALUES (?)");
  sqlite3_stmt *item = prepare("INSERT INTO item (name, number, folder_id) VALUES (?, ?, ?)");
  char name[32];
  sqlite3_int64 owner = 0;
  for (long i = 1; i <= count; i++) {
    if (i % 100 == 1) {
      sqlite3_bind_text(folder, 1, name, snprintf(name, sizeof name, "folder %ld", i), SQLITE_STATIC);
      check(sqlite3_step(folder) == SQLITE_DONE, "insert");
      sqlite3_reset(folder);
      owner = sqlite3_last_insert_rowid(db);
    }
    sqlite3_bind_text(item, 1, name, snprintf(name, sizeof name, "item %ld", i), SQLITE_STATIC);
    sqlite3_bind_int64(item, 2, i);
    sqlite3_bind_int64(item, 3, owner);
    check(sqlite3_step(item) == SQLITE_DONE, "insert");
    sqlite3_reset(item);
  }
  sqlite3_finalize(folder);
  sqlite3_finalize(item);
}

static void open_linked(const char *path) {
  open_store(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
      "CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, number INTEGER,"
      " folder_id INTEGER REFERENCES folder (id) ON DELETE CASCADE);"
      "CREATE INDEX item_folder ON item (folder_id);");
}

// Linked rows, inserted one by one in a transaction.
static void link_job(char **argv) {
  long count = atol(argv[0]);
  open_linked(argv[1]);
  begin();
  run("BEGIN");
  make_linked(count);
  run("COMMIT");
  fprintf(stderr, "end count=%ld\n", count);
}

// The same taken back by the store and inserted again.
static void undo_job(char **argv) {
  long count = atol(argv[0]);
  open_linked(argv[1]);
  run("BEGIN; SAVEPOINT made");
  make_linked(count);
  begin();
  run("ROLLBACK TO made");
  make_linked(count);
  fprintf(stderr, "end count=%ld\n", count);
  run("ROLLBACK");
}

// All rows of both tables, joined.
static void related_job(char **argv) {
  open_store(argv[0], SQLITE_OPEN_READONLY);
  begin();
  sqlite3_stmt *rows = prepare(
      "SELECT folder.id, folder.name, item.id, item.name, item.number FROM folder"
      " JOIN item ON item.folder_id = folder.id ORDER BY folder.id, item.id");
  sqlite3_int64 sum = 0;
  long count = 0;
  while (sqlite3_step(rows) == SQLITE_ROW) {
    sum += sqlite3_column_int64(rows, 4);
    count++;
  }
  fprintf(stderr, "end sum=%lld count=%ld\n", (long long)sum, count);
  sqlite3_finalize(rows);
}

static void query_job(char **argv) {
  open_store(argv[0], SQLITE_OPEN_READONLY);
  sqlite3_stmt *statement = prepare(argv[1]);
  double value = 0;
  begin();
  for (int i = 0; i < 5; i++) {
    check(sqlite3_step(statement) == SQLITE_ROW, argv[1]);
    value = sqlite3_column_double(statement, 0);
    sqlite3_reset(statement);
  }
  fprintf(stderr, "end value=%.2f\n", value);
}

static void start_job(char **argv) {
  open_store(argv[0], SQLITE_OPEN_READWRITE);
  sqlite3_stmt *schema = prepare("SELECT name FROM sqlite_schema");
  sqlite3_step(schema);
  sqlite3_finalize(schema);
  lua_State *L = new_lua();
  char *source = sqlite3_mprintf("return %s", argv[1]);
  evaluate(L, source, 1);
  puts(luaL_tolstring(L, -1, NULL));
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int arguments;
    void (*run)(char **argv);
  } jobs[] = {
      {"read", 1, read_job}, {"second", 1, second_job}, {"hold", 1, hold_job},   {"update", 2, update_job},
      {"load", 2, load_job}, {"make", 2, make_job},     {"query", 2, query_job}, {"start", 2, start_job},
      {"link", 2, link_job}, {"undo", 2, undo_job},     {"related", 1, related_job},
      {"fair-read", 1, fair_read_job},     {"fair-second", 1, fair_second_job}, {"fair-hold", 1, fair_hold_job},
      {"fair-update", 2, fair_update_job}, {"fair-make", 2, fair_make_job},
  };
  for (size_t i = 0; argc > 1 && i < sizeof jobs / sizeof *jobs; i++) {
    if (strcmp(argv[1], jobs[i].name) == 0 && argc - 2 == jobs[i].arguments) {
      jobs[i].run(argv + 2);
      return 0;
    }
  }
  fprintf(stderr, "usage: host read|second|hold|update|load|make|query|start|link|undo|related ARGUMENTS\n"
          "       host fair-read|fair-second|fair-hold|fair-update|fair-make ARGUMENTS\n");
  return 64;
}
