// Debian's library is built with these features; its header declares them only when asked.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_COLUMN_METADATA 1
#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift cannot call.

/// Whether text in double quotes that names no column is read as a string, as sqlite3 does.
static inline int perilune_allow_double_quoted_strings(sqlite3 *db, int allow) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, allow, (int *)0);
}

// The destructor values are casts of integers, which Swift does not import.

/// Binds text that SQLite copies.
static inline int perilune_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/// Binds bytes that SQLite copies.
static inline int perilune_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Returns text that SQLite copies from a function; empty text is no null.
static inline void perilune_result_text(sqlite3_context *context, const char *text, int count) {
  sqlite3_result_text(context, count == 0 ? "" : text, count, SQLITE_TRANSIENT);
}

/// Returns bytes that SQLite copies from a function; empty ones are no null.
static inline void perilune_result_blob(sqlite3_context *context, const void *bytes, int count) {
  if (count == 0) sqlite3_result_zeroblob(context, 0);
  else sqlite3_result_blob(context, bytes, count, SQLITE_TRANSIENT);
}

/// Whether triggers run on the connection.
static inline int perilune_enable_triggers(sqlite3 *db, int enable) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, enable, (int *)0);
}
