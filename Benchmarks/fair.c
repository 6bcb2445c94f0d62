// The fair limit: the jobs of host.c that keep what Perilune promises besides.
//
//   host fair-read STORE           a row is one Lua value while Lua holds it, and is read again when the cursor has left it
//   host fair-second STORE         the same over rows that were copied before
//   host fair-hold STORE           the same of objects that are kept, with an index from keys to them
//   host fair-update STORE COUNT   objects changed in Lua; the save takes the write lock, and keeps what each row held, so
//                                  that it can be taken back
//   host fair-make COUNT STORE     objects made in Lua from tables, held until they are saved; the save notes their keys

#include <lua5.4/lauxlib.h>
#include <lua5.4/lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

// ---- Objects: userdata that are the same as long as Lua holds them -------------------------------------------------

// An identity map: a table that holds its values weakly.
static void push_identities(lua_State *L, int size) {
  lua_createtable(L, size, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
}

// Leaves the object of a number on the stack, a new one of `size` bytes where Lua has none; the first two upvalues are the
// metatable and the identity map. Returns the bytes of a new one, else NULL.
static void *push_object(lua_State *L, lua_Integer number, size_t size) {
  if (lua_rawgeti(L, lua_upvalueindex(2), number) == LUA_TUSERDATA) return NULL;
  lua_settop(L, -2);
  void *object = lua_newuserdatauv(L, size, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawseti(L, lua_upvalueindex(2), number);
  return object;
}

// Pushes a metatable whose values are read by `index` and, unless that is NULL, written by `newindex`.
static void push_metatable(lua_State *L, lua_CFunction index, lua_CFunction newindex) {
  lua_newtable(L);
  push_names(L);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, index, 1);
  lua_setfield(L, -3, "__index");
  if (newindex) {
    lua_pushcclosure(L, newindex, 1);
    lua_setfield(L, -2, "__newindex");
  } else {
    lua_settop(L, -2);
  }
}

// Makes a global function that makes objects.
static void set_maker(lua_State *L, const char *name, lua_CFunction make, lua_CFunction index, lua_CFunction newindex,
                      int size) {
  push_metatable(L, index, newindex);
  push_identities(L, size);
  lua_pushcclosure(L, make, 2);
  lua_setglobal(L, name);
}

// ---- Reading -------------------------------------------------------------------------------------------------------

static sqlite3_int64 current;
static sqlite3_stmt *by_key;

static int next_identified(lua_State *L) {
  if (sqlite3_step(cursor) != SQLITE_ROW) return 0;
  current = sqlite3_column_int64(cursor, 0);
  sqlite3_int64 *object = push_object(L, current, sizeof current);
  if (object) *object = current;
  return 1;
}

static int index_identified(lua_State *L) {
  sqlite3_int64 key = *(sqlite3_int64 *)lua_touserdata(L, 1);
  int column = asked_column(L);
  if (key == current) return push_column(L, cursor, column);
  sqlite3_reset(by_key);
  sqlite3_bind_int64(by_key, 1, key);
  return sqlite3_step(by_key) == SQLITE_ROW ? push_column(L, by_key, column) : 0;
}

void fair_read_job(char **arguments) {
  select_rows(arguments[0]);
  by_key = prepare("SELECT id, magnitude, place, time, depth, code, day FROM quake WHERE id = ?");
  lua_State *L = new_lua();
  set_maker(L, "rows", next_identified, index_identified, NULL, 0);
  begin();
  evaluate(L, pass, 2);
  end_pass(L);
}

static Row **rows;
static size_t row_count, next_row;

static Row *new_row(size_t size) {
  static size_t capacity;
  if (row_count == capacity) {
    capacity = capacity ? capacity * 2 : 1024;
    check((rows = realloc(rows, capacity * sizeof *rows)) != NULL, "memory");
  }
  check((rows[row_count] = malloc(size)) != NULL, "memory");
  return rows[row_count++];
}

static int next_kept(lua_State *L) {
  if (next_row == row_count) return 0;
  Row **object = push_object(L, (lua_Integer)next_row + 1, sizeof *object);
  if (object) *object = rows[next_row];
  next_row++;
  return 1;
}

static int index_kept(lua_State *L) { return push_copied(L, *(Row **)lua_touserdata(L, 1), asked_column(L)); }

void fair_second_job(char **arguments) {
  select_rows(arguments[0]);
  lua_State *L = new_lua();
  while (sqlite3_step(cursor) == SQLITE_ROW) copy_row(new_row(row_size()));
  set_maker(L, "rows", next_kept, index_kept, NULL, (int)row_count);
  begin();
  evaluate(L, pass, 2);
  end_pass(L);
}

// ---- Holding -------------------------------------------------------------------------------------------------------

// An index from keys to rows, which a fetch asks whether it knows a row: open addressing.
static uint32_t *cells;
static size_t cell_count;

static void index_row(uint32_t number) {
  size_t place = (uint64_t)rows[number]->number[0] * 0x9E3779B97F4A7C15u >> 20 & (cell_count - 1);
  while (cells[place]) place = (place + 1) & (cell_count - 1);
  cells[place] = number + 1;
}

static void index_rows(void) {
  if ((row_count + 1) * 4 <= cell_count * 3) return index_row((uint32_t)row_count - 1);
  free(cells);
  cell_count = cell_count ? cell_count * 2 : 1024;
  check((cells = calloc(cell_count, sizeof *cells)) != NULL, "memory");
  for (uint32_t i = 0; i < row_count; i++) index_row(i);
}

static int next_held(lua_State *L) {
  if (sqlite3_step(cursor) != SQLITE_ROW) return 0;
  Row *row = new_row(row_size());
  copy_row(row);
  index_rows();
  *(Row **)push_object(L, (lua_Integer)row_count, sizeof row) = row;
  return 1;
}

// The first pass fills the page cache, so that what is counted is the objects.
void fair_hold_job(char **arguments) {
  select_rows(arguments[0]);
  lua_State *L = new_lua();
  set_maker(L, "rows", next_identified, index_identified, NULL, 0);
  evaluate(L, pass, 2);
  set_maker(L, "rows", next_held, index_kept, NULL, 0);
  lua_gc(L, LUA_GCCOLLECT);
  sqlite3_reset(cursor);
  begin();
  size_t before = resident_bytes();
  evaluate(L, holding_pass, 2);
  end_held(L, before);
}

// ---- Changing ------------------------------------------------------------------------------------------------------

// A change of a number in an object: what the row held, and what it shall hold.
typedef struct {
  Row *row;
  int column;
  double old, new;
} PendingChange;

static PendingChange *pending;
static size_t pending_count, pending_capacity;

static int change_kept(lua_State *L) {
  Row *row = *(Row **)lua_touserdata(L, 1);
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  int column = (int)lua_tointeger(L, -1);
  if (pending_count == pending_capacity) {
    pending_capacity = pending_capacity ? pending_capacity * 2 : 1024;
    check((pending = realloc(pending, pending_capacity * sizeof *pending)) != NULL, "memory");
  }
  double new = luaL_checknumber(L, 3);
  pending[pending_count++] = (PendingChange){row, column, row->number[column], new};
  row->number[column] = new;
  return 0;
}

// The record of a transaction: for each row its key, and each changed column with its old and its new value.
static struct {
  char *bytes;
  size_t size, capacity;
} record;

static void *extend_record(size_t size) {
  if (record.size + size > record.capacity) {
    record.capacity = record.capacity ? record.capacity * 2 + size : 4096;
    check((record.bytes = realloc(record.bytes, record.capacity)) != NULL, "memory");
  }
  record.size += size;
  return record.bytes + record.size - size;
}

static void record_value(sqlite3_value *value) {
  int type = sqlite3_value_type(value);
  *(char *)extend_record(1) = (char)type;
  if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
    int32_t length = sqlite3_value_bytes(value);
    memcpy(extend_record(sizeof length), &length, sizeof length);
    memcpy(extend_record((size_t)length), sqlite3_value_blob(value), (size_t)length);
  } else if (type != SQLITE_NULL) {
    double number = sqlite3_value_double(value);
    memcpy(extend_record(sizeof number), &number, sizeof number);
  }
}

static bool is_same(sqlite3_value *left, sqlite3_value *right) {
  int type = sqlite3_value_type(left);
  if (type != sqlite3_value_type(right)) return false;
  if (type == SQLITE_INTEGER) return sqlite3_value_int64(left) == sqlite3_value_int64(right);
  if (type == SQLITE_FLOAT) return sqlite3_value_double(left) == sqlite3_value_double(right);
  int length = sqlite3_value_bytes(left);
  return length == sqlite3_value_bytes(right) && !memcmp(sqlite3_value_blob(left), sqlite3_value_blob(right), (size_t)length);
}

static void record_write(void *context, sqlite3 *store, int operation, const char *schema, const char *table,
                         sqlite3_int64 old_key, sqlite3_int64 new_key) {
  (void)context, (void)schema, (void)table;
  sqlite3_int64 key = operation == SQLITE_INSERT ? new_key : old_key;
  *(char *)extend_record(1) = (char)operation;
  memcpy(extend_record(sizeof key), &key, sizeof key);
  if (operation != SQLITE_UPDATE) return;
  for (int i = 1; i < column_count; i++) {
    sqlite3_value *old, *new;
    sqlite3_preupdate_old(store, i, &old);
    sqlite3_preupdate_new(store, i, &new);
    if (is_same(old, new)) continue;
    *(char *)extend_record(1) = (char)i;
    record_value(old);
    record_value(new);
  }
}

static int save_changes(lua_State *L) {
  (void)L;
  static const char *const updates[column_count] = {
      [1] = "UPDATE quake SET magnitude = ? WHERE id = ?",
      [3] = "UPDATE quake SET time = ? WHERE id = ?",
      [4] = "UPDATE quake SET depth = ? WHERE id = ?",
  };
  sqlite3_stmt *statements[column_count] = {NULL};
  sqlite3_preupdate_hook(db, record_write, NULL);
  run("BEGIN IMMEDIATE");
  for (size_t i = 0; i < pending_count; i++) {
    int column = pending[i].column;
    check(updates[column] != NULL, "only numbers are changed");
    if (!statements[column]) statements[column] = prepare(updates[column]);
    sqlite3_bind_double(statements[column], 1, pending[i].new);
    sqlite3_bind_int64(statements[column], 2, (sqlite3_int64)pending[i].row->number[0]);
    check(sqlite3_step(statements[column]) == SQLITE_DONE, "update");
    sqlite3_reset(statements[column]);
  }
  run("COMMIT");
  pending_count = 0;
  return 0;
}

static const char *const changing_pass =
    "local count = 0\n"
    "for quake in rows do\n"
    "  quake.depth = quake.depth + 1\n"
    "  count = count + 1\n"
    "end\n"
    "save()\n"
    "return count";

void fair_update_job(char **arguments) {
  open_store(arguments[0], SQLITE_OPEN_READWRITE);
  lua_State *L = new_lua();
  lua_pushcfunction(L, save_changes);
  lua_setglobal(L, "save");
  set_maker(L, "rows", next_held, index_kept, change_kept, 0);
  begin();
  cursor = prepare("SELECT id, magnitude, place, time, depth, code, day FROM quake WHERE id <= ?");
  sqlite3_bind_int64(cursor, 1, atol(arguments[1]));
  evaluate(L, changing_pass, 1);
  fprintf(stderr, "end count=%lld\n", lua_tointeger(L, -1));
}

// ---- Making --------------------------------------------------------------------------------------------------------

// A date is a value of its own kind; the first upvalue is its metatable.
static int make_date(lua_State *L) {
  double seconds = luaL_checknumber(L, 1);
  *(double *)lua_newuserdatauv(L, sizeof seconds, 0) = seconds;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_setmetatable(L, -2);
  return 1;
}

// An object from a table of its values; the upvalues are its metatable and the identity map.
static int make_quake(lua_State *L) {
  static const char *const names[column_count] = {NULL, "magnitude", "place", "time", "depth", "code", "day"};
  Row head = {.length = {-1, -1, -1, -1, -1, -1, -1}};
  const char *texts[column_count] = {NULL};
  size_t size = sizeof head;
  for (int i = 1; i < column_count; i++) {
    size_t length;
    switch (lua_getfield(L, 1, names[i])) {
      case LUA_TNUMBER: head.number[i] = lua_tonumber(L, -1); break;
      case LUA_TUSERDATA: head.number[i] = *(double *)lua_touserdata(L, -1); break;
      default:
        texts[i] = luaL_checklstring(L, -1, &length);
        head.length[i] = (int32_t)length;
        size += length;
    }
  }
  head.number[0] = (double)row_count + 1;
  Row *row = new_row(size);
  *row = head;
  char *end = row->text;
  for (int i = 1; i < column_count; i++) {
    if (texts[i]) end = mempcpy(end, texts[i], (size_t)head.length[i]);
  }
  *(Row **)push_object(L, (lua_Integer)row_count, sizeof row) = row;
  return 1;
}

static const char *store_path;

static int save_new(lua_State *L) {
  (void)L;
  sqlite3_stmt *insert = begin_load(store_path);
  sqlite3_preupdate_hook(db, record_write, NULL);
  for (size_t i = 0; i < row_count; i++) {
    const char *text = rows[i]->text;
    sqlite3_bind_int64(insert, 1, (sqlite3_int64)rows[i]->number[0]);
    for (int column = 1; column < column_count; column++) {
      int length = rows[i]->length[column];
      if (length < 0) {
        sqlite3_bind_double(insert, column + 1, rows[i]->number[column]);
      } else {
        sqlite3_bind_text(insert, column + 1, text, length, SQLITE_STATIC);
        text += length;
      }
    }
    insert_row(insert);
  }
  end_load(insert, (long)row_count);
  return 0;
}

static const char *const making_pass =
    "local count = ...\n"
    "local places, days = {}, {}\n"
    "for i = 1, 200 do places[i] = i .. 'km N of Cobb, CA' end\n"
    "for i = 1, 365 do days[i] = 'day ' .. i end\n"
    "begin()\n"
    "for i = 1, count do\n"
    "  Quake {\n"
    "    magnitude = i * 37 % 400 / 100,\n"
    "    place = places[i % 200 + 1],\n"
    "    time = Date(1500000000 + i * 7919 % 31536000 + 0.5),\n"
    "    depth = i % 700 + 0.25,\n"
    "    code = string.format('us%08x', i * 2654435761 & 0xffffffff),\n"
    "    day = days[i % 365 + 1],\n"
    "  }\n"
    "end\n"
    "save()";

static int tell_begin(lua_State *L) {
  (void)L;
  begin();
  return 0;
}

// The same rows as jobs/create.lua and the GRDB peer make.
void fair_make_job(char **arguments) {
  store_path = arguments[1];
  lua_State *L = new_lua();
  lua_newtable(L);
  lua_pushcclosure(L, make_date, 1);
  lua_setglobal(L, "Date");
  set_maker(L, "Quake", make_quake, index_kept, NULL, 0);
  lua_pushcfunction(L, save_new);
  lua_setglobal(L, "save");
  lua_pushcfunction(L, tell_begin);
  lua_setglobal(L, "begin");
  check(luaL_loadstring(L, making_pass) == LUA_OK, "the script");
  lua_pushinteger(L, atol(arguments[0]));
  if (lua_pcall(L, 1, 0, 0) == LUA_OK) return;
  fprintf(stderr, "host: %s\n", lua_tostring(L, -1));
  exit(1);
}
