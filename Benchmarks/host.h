// The limits of reading and writing: what host.c and fair.c share.

#ifndef HOST_H
#define HOST_H

#include <lua5.4/lua.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern sqlite3 *db;

void check(int ok, const char *what);
void run(const char *sql);
sqlite3_stmt *prepare(const char *sql);
void open_store(const char *path, int flags);
void begin(void);
size_t resident_bytes(void);

enum { column_count = 7 };  // id, magnitude, place, time, depth, code, day

// A copy of a row: numbers in place, texts one after the other behind them.
typedef struct {
  int32_t length[column_count];  // of a text; -1 says that the column is a number
  double number[column_count];
  char text[];
} Row;

// The rows of the table, in the order of the file.
extern sqlite3_stmt *cursor;
void select_rows(const char *path);
size_t row_size(void);
void copy_row(Row *row);
int push_column(lua_State *L, sqlite3_stmt *statement, int column);
int push_copied(lua_State *L, const Row *row, int column);

lua_State *new_lua(void);
void evaluate(lua_State *L, const char *source, int results);
void push_names(lua_State *L);  // pushes a table from the names of columns to their numbers
int asked_column(lua_State *L);  // the one at index 2, by such a table, which is the first upvalue
extern const char *const pass;
extern const char *const holding_pass;
void end_pass(lua_State *L);
void end_held(lua_State *L, size_t before);

sqlite3_stmt *begin_load(const char *path);
void insert_row(sqlite3_stmt *insert);
void end_load(sqlite3_stmt *insert, long count);

void fair_read_job(char **arguments);
void fair_second_job(char **arguments);
void fair_hold_job(char **arguments);
void fair_update_job(char **arguments);
void fair_make_job(char **arguments);

#endif
