// Debian's library is built with these features; its header declares them only when asked.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_COLUMN_METADATA 1
#include <sqlite3.h>
#include <sys/mman.h>
#include <unistd.h>

// sqlite3_db_config is variadic, which Swift cannot call.

/// Has text in double quotes name columns and nothing else, in statements and in the schema.
static inline void perilune_refuse_double_quoted_strings(sqlite3 *db) {
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}

/// Whether text in double quotes that names no column is read as a string, as sqlite3 does.
static inline int perilune_allow_double_quoted_strings(sqlite3 *db, int allow) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, allow, (int *)0);
}

/// Takes the place of functions that hand out or take addresses of code.
static inline void perilune_refuse_function(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  (void)values;
  char *message = sqlite3_mprintf("%s() is refused: it turns values into code", (char *)sqlite3_user_data(context));
  sqlite3_result_error(context, message ? message : "refused", -1);
  sqlite3_free(message);
}

/// Takes from a connection what runs code that values name, and what writes past the schema.
///
/// SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER still lets bound values through, so that functions of ours stand in its place.
/// They cannot be called from a schema either.
static inline int perilune_guard_connection(sqlite3 *db) {
  static const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
  int code = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (code == SQLITE_OK) code = sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, (int *)0);
  if (code == SQLITE_OK) code = sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
  if (code == SQLITE_OK) code = sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, (int *)0);
  static const char *const names[] = {"fts3_tokenizer", "load_extension"};
  for (int name = 0; name < 2; name++) {
    for (int count = 1; count <= 2 && code == SQLITE_OK; count++) {
      code = sqlite3_create_function_v2(
        db, names[name], count, flags, (void *)names[name], perilune_refuse_function, 0, 0, 0);
    }
  }
  return code;
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

/// Whether statements that are compiled from now on compute what is constant once, and not for each row.
///
/// Compiling looks for each constant among all before it, which is quadratic (3.40; nothing stops it). The number is that of
/// SQLITE_FactorOutConst in sqliteInt.h.
static inline void perilune_factor_constants(sqlite3 *db, int factors) {
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, factors ? 0 : 0x08);
}

/// Whether triggers run on the connection.
static inline int perilune_enable_triggers(sqlite3 *db, int enable) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, enable, (int *)0);
}

/// Whether the connection enforces foreign keys. Unlike the PRAGMA it works within transactions.
static inline int perilune_enable_foreign_keys(sqlite3 *db, int enable) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, enable, (int *)0);
}

static inline int perilune_keep_log_on_close(sqlite3 *db, int keep) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

// The file itself, as SQLite has it open: closing any other descriptor of it would drop this process's locks.

/// The main file of a connection, which need not have read anything yet; null where there is none.
static inline sqlite3_file *perilune_main_file(sqlite3 *db) {
  sqlite3_file *file = 0;
  sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return file && file->pMethods ? file : 0;
}

/// Reads bytes of the main file past SQLite; those behind its end are zero.
static inline int perilune_read_file(sqlite3 *db, void *buffer, int count, sqlite3_int64 offset) {
  sqlite3_file *file = perilune_main_file(db);
  if (!file) return SQLITE_NOTFOUND;
  int code = file->pMethods->xRead(file, buffer, count, offset);
  return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

/// The size of the main file.
static inline sqlite3_int64 perilune_file_size(sqlite3 *db) {
  sqlite3_int64 size = 0;
  sqlite3_file *file = perilune_main_file(db);
  return file && file->pMethods->xFileSize(file, &size) == SQLITE_OK ? size : 0;
}

/// The memory map of the main file, at least `size` bytes of it; null where there is none as long. `xUnfetch` gives it back, and the
/// map stays as it is until then.
static inline void *perilune_fetch_map(sqlite3_file *file, sqlite3_int64 size) {
  void *start = 0;
  if (!file || file->pMethods->iVersion < 3 || !file->pMethods->xFetch || size <= 0 || size > 0x7fffffff) return 0;
  return file->pMethods->xFetch(file, 0, (int)size, &start) == SQLITE_OK ? start : 0;
}

/// The size of the mapped part of the main file, if it is mapped as far as it may be.
static inline sqlite3_int64 perilune_mapped_size(sqlite3 *db) {
  sqlite3_int64 most = -1, size = perilune_file_size(db);
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_MMAP_SIZE, &most) != SQLITE_OK) return 0;
  return size > most ? most : size;
}

/// Takes the mapped pages of the main file out of this process's memory; they stay in that of the system.
///
/// SQLite's pointers into the map stay valid: a page that is read again is mapped again.
static inline void perilune_release_mapped_pages(sqlite3 *db) {
  sqlite3_file *file = perilune_main_file(db);
  sqlite3_int64 size = perilune_mapped_size(db);
  void *start = perilune_fetch_map(file, size);
  if (!start) return;
  madvise(start, (size_t)size, MADV_DONTNEED);
  file->pMethods->xUnfetch(file, 0, start);
}

/// Methods of files that read the map of another connection, and what they need.
typedef struct perilune_shared_map {
  sqlite3_io_methods methods;
  const sqlite3_io_methods *own;
  sqlite3_file *owner;
  char *start;
  sqlite3_int64 size;
} perilune_shared_map;

static int perilune_fetch_shared(sqlite3_file *file, sqlite3_int64 offset, int count, void **page) {
  const perilune_shared_map *map = (const perilune_shared_map *)file->pMethods;
  // Without a page, SQLite reads.
  *page = offset + count <= map->size ? map->start + offset : 0;
  return SQLITE_OK;
}

static int perilune_unfetch_shared(sqlite3_file *file, sqlite3_int64 offset, void *page) {
  (void)file;
  (void)offset;
  (void)page;
  return SQLITE_OK;
}

/// Holds the map of a connection's main file, so that other connections can read it; null where there is none. Meanwhile the connection
/// may not be used.
static inline perilune_shared_map *perilune_share_map(sqlite3 *db) {
  sqlite3_file *file = perilune_main_file(db);
  sqlite3_int64 size = perilune_mapped_size(db);
  void *start = perilune_fetch_map(file, size);
  if (!start) return 0;
  perilune_shared_map *map = (perilune_shared_map *)sqlite3_malloc(sizeof *map);
  if (!map) {
    file->pMethods->xUnfetch(file, 0, start);
    return 0;
  }
  map->own = file->pMethods;
  map->methods = *file->pMethods;
  map->methods.xFetch = perilune_fetch_shared;
  map->methods.xUnfetch = perilune_unfetch_shared;
  map->owner = file;
  map->start = (char *)start;
  map->size = size;
  return map;
}

/// Has another connection to the same file, which uses no page of it, read the map, or map the file itself again.
static inline void perilune_use_map(sqlite3 *db, perilune_shared_map *map, int uses) {
  sqlite3_file *file = perilune_main_file(db);
  const sqlite3_io_methods *own = map ? map->own : 0, *shared = map ? &map->methods : 0;
  if (file && file->pMethods == (uses ? own : shared)) file->pMethods = uses ? shared : own;
}

/// Lets go of the map, which no connection uses any more.
static inline void perilune_end_sharing(perilune_shared_map *map) {
  if (!map) return;
  map->own->xUnfetch(map->owner, 0, map->start);
  sqlite3_free(map);
}

/// Returns whether a connection holds a reserved lock on the main file, that is, is about to write. Takes no lock.
static inline int perilune_is_reserved(sqlite3 *db) {
  int reserved = 0;
  sqlite3_file *file = perilune_main_file(db);
  return file && file->pMethods->xCheckReservedLock(file, &reserved) == SQLITE_OK && reserved;
}

/// Takes the exclusive lock of the main file without waiting.
///
/// Returns SQLITE_OK if no other connection holds a lock on the file. A connection to a store with a write-ahead log
/// holds a shared lock as long as it is open.
static inline int perilune_lock_alone(sqlite3 *db) {
  sqlite3_file *file = perilune_main_file(db);
  if (!file) return SQLITE_NOTFOUND;
  int code = file->pMethods->xLock(file, SQLITE_LOCK_SHARED);
  if (code == SQLITE_OK) code = file->pMethods->xLock(file, SQLITE_LOCK_EXCLUSIVE);
  if (code != SQLITE_OK) file->pMethods->xUnlock(file, SQLITE_LOCK_NONE);
  return code;
}

/// Gives that lock back.
static inline void perilune_unlock(sqlite3 *db) {
  sqlite3_file *file = perilune_main_file(db);
  if (file) file->pMethods->xUnlock(file, SQLITE_LOCK_NONE);
}

/// Writes the contents of the main file through to the disk, and waits for it.
static inline int perilune_sync_file(sqlite3 *db) {
  sqlite3_file *file = perilune_main_file(db);
  if (!file) return SQLITE_NOTFOUND;
  return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
}

/// Reads the head of the shared index of a write-ahead log, which changes with every commit of any connection.
///
/// Gives its checksum and its number of commits; returns 0 if the connection reads no such log. Takes no lock and
/// makes no system call. Call it within a transaction only if it has just succeeded outside of one: if there is no
/// log, this call must not create one.
static inline int perilune_log_head(sqlite3 *db, unsigned long long *checksum, unsigned *commits) {
  sqlite3_file *file = 0, *log = 0;
  void volatile *index = 0;
  // Without a name it is the main database, and names need not be compared.
  sqlite3_file_control(db, 0, SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (!log || !log->pMethods) return 0;
  sqlite3_file_control(db, 0, SQLITE_FCNTL_FILE_POINTER, &file);
  if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
  if (file->pMethods->xShmMap(file, 0, 32768, 0, &index) != SQLITE_OK || !index) return 0;
  // The format is part of SQLite's promises: version, unused, commits, flags, frames, pages, sums, salts, checksum.
  unsigned volatile *words = (unsigned volatile *)index;
  if (words[0] != 3007000) return 0;
  *commits = words[2];
  *checksum = (unsigned long long)words[10] << 32 | words[11];
  return 1;
}
