// The only C frames that a Lua error may jump over.
//
// Lua raises errors with longjmp, and no Swift frame may be jumped over: it would leak what it holds.  So
//   * what Lua calls of Swift is entered through a C function of this target (the trampoline).  Swift answers with a
//     count or one of the codes below, and C raises or yields after Swift has returned;
//   * what Swift calls of Lua and may raise is called here, inside lua_pcall, and answers a status;
//   * memory errors are held back while Swift is on the stack (see state.c), so functions that can fail for want
//     of memory alone may be called from Swift directly.
#ifndef PERILUNE_CLUASHIM_H
#define PERILUNE_CLUASHIM_H

#include <lua5.4/lua.h>
#include <lua5.4/lauxlib.h>
#include <lua5.4/lualib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct shim_State shim_State;

// What a Swift function answers besides a count of results.
enum {
  SHIM_RAISE = -1,  // the error value is on the top of the stack: raise it
  SHIM_YIELD = -2,  // yield what shim_prepare_yield said
};

typedef int32_t (*shim_Function)(lua_State *L, void *_Nullable context);

// Swift's side of a state.
typedef struct shim_Callbacks {
  shim_Function call_object;              // calls the Swift closure that an object holds
  shim_Function continue_object;          // the same, and keeps the object itself meanwhile
  void (*release_objects)(void *owner);   // releases what shim_take_released gives
  void (*warn)(void *owner, const char *piece, bool is_last);   // tells a piece of a warning; must not call Lua
} shim_Callbacks;

// ---------------------------------------------------------------- state.c: life and memory

// A state whose allocations may not pass `limit` bytes; NULL if there is not even memory for that.
// `fail_allocation` as for shim_fail_allocation.
shim_State *_Nullable shim_open(size_t limit, void *owner, shim_Callbacks callbacks, uint64_t fail_allocation);
// Runs pending closers and finalizers.  shim_take_released may still be called afterwards; then shim_free.
void shim_close(shim_State *S);
void shim_free(shim_State *S);
shim_State *shim_of(lua_State *L);
lua_State *shim_main_thread(shim_State *S);
// The thread (coroutine) that runs now, and the main thread when none does.
lua_State *shim_current_thread(shim_State *S);
void *shim_owner(lua_State *L);

// How many shim_calls are under way, one inside the other.
int shim_call_depth(shim_State *S);

size_t shim_memory_used(shim_State *S);
size_t shim_memory_peak(shim_State *S);
size_t shim_memory_limit(shim_State *S);
void shim_set_memory_limit(shim_State *S, size_t limit);
// Limits the memory of the whole process to `limit` bytes more than it has now. Code that exceeds the limit fails
// with a memory error. 0 removes the limit. Returns false if the system does not report the memory of a process.
bool shim_set_process_limit(shim_State *S, size_t limit);
size_t shim_process_limit(shim_State *S);
// Whether what runs shall stop, for an interruption or for want of memory: loops in Swift ask it now and then.
bool shim_is_to_stop(shim_State *S);
// Whether a loop was stopped for want of memory, and the error has not been raised.
bool shim_is_crowded(shim_State *S);
void shim_clear_crowding(shim_State *S);
// Memory held outside Lua on behalf of Lua's objects: counts against the limit and drives the collector.
void shim_account(shim_State *S, ptrdiff_t bytes);
// Collects everything; the cheap way to be sure that what is dropped is gone.
void shim_collect(lua_State *L);

// Fault injection for tests: fails the growing allocation of this number (counted from 1; 0: none).
void shim_fail_allocation(shim_State *S, uint64_t number);
uint64_t shim_allocations(shim_State *S);
// The bytes of the regions that small blocks are given out from, and whether their lists and counters agree.
size_t shim_small_block_bytes(shim_State *S);
bool shim_are_small_blocks_sound(shim_State *S);
uint64_t shim_deferred_failures(shim_State *S);

// ---------------------------------------------------------------- trampoline.c: Lua calls Swift

// Pushes a C closure that calls `function` with `context`.  `upvalues` values are popped and become its upvalues,
// at shim_upvalue(1...) inside the function.
void shim_push_function(lua_State *L, shim_Function function, void *_Nullable context, int upvalues);
// Pushes a C closure that calls the closure held by `object`; takes over one reference to it.
void shim_push_closure(lua_State *L, void *object);
// As shim_push_function, with `object` as the context, kept alive by the closure; takes over one reference.
void shim_push_retaining_function(lua_State *L, shim_Function function, void *object, int upvalues);
int shim_upvalue(int index);
int shim_registry_index(void);

// Prepares for an answer of SHIM_YIELD: the `count` values on the top are yielded.  With a continuation, an object
// made by shim_push_object is expected below them; its closure is called when the coroutine is resumed.
// False if the running function cannot yield.
bool shim_prepare_yield(lua_State *L, int count, bool continuation);

// ---------------------------------------------------------------- object.c: Swift objects in Lua

// Pushes a userdata that owns one reference to `object`, with the metatable that the registry has at `reference`
// (0: a plain one).  `bytes` are accounted while it lives.
void shim_push_object(lua_State *L, void *object, int reference, uint32_t bytes);
// The object of the userdata at `index` if its metatable is `metatable` (as by lua_topointer), else NULL.
void *_Nullable shim_object(lua_State *L, int index, const void *metatable);
// An object whose userdata was collected, with its reference, or NULL.  Only these may be released: a finalizer runs
// in the middle of any allocation, where Swift code must not.
void *_Nullable shim_take_released(shim_State *S);
// Sets __gc of the metatable on the top; scripts cannot.
void shim_own_objects(lua_State *L);
// Pops a table of methods and pushes a function for __index: the method of that name, else what the closure held by
// `object` answers (self at 1, key at 2); takes over one reference to it.
void shim_push_index_function(lua_State *L, void *object);

// ---------------------------------------------------------------- record.c: small values by the million

typedef int32_t (*shim_Accessor)(lua_State *L, void *payload, int32_t id, void *_Nullable context);

typedef struct shim_RecordAccess {
  shim_Accessor get;             // self at 1, key at 2
  shim_Accessor set;             // self at 1, key at 2, value at 3
  shim_Function missing_get;     // the key is no name: self at 1, key at 2
  shim_Function missing_set;     // self at 1, key at 2, value at 3
  void *_Nullable context;
} shim_RecordAccess;

// Sets __index and __newindex of the metatable at `metatable`.  The table of names is on the top and is popped: name
// to integer id, or name to a value that reading the name gives.  Answers the copy of `access` that the metatable keeps.
shim_RecordAccess *shim_set_record_access(lua_State *L, int metatable, shim_RecordAccess access);
// Tells the class that its table of names, at `names`, was changed.
void shim_note_record_names(lua_State *L, shim_RecordAccess *access, int names);
// Pushes a new userdata of `size` bytes with the metatable that the registry has at `reference`; answers its bytes.
void *shim_push_record(lua_State *L, int reference, size_t size);
// Pushes the record in a slot of the weak array that the registry has at `known`, and answers NULL; or pushes a new one, puts
// it there, and answers its bytes.
void *_Nullable shim_push_known_record(lua_State *L, int known, lua_Integer slot, int reference, size_t size);
// The bytes of the record at `index` if its metatable is `metatable` (as by lua_topointer), else NULL.
void *_Nullable shim_record(lua_State *L, int index, const void *metatable);

// Weak arrays: tables with weak values that the registry has at `reference`.
void shim_push_weak_table(lua_State *L, int array_size);
bool shim_weak_get(lua_State *L, int reference, lua_Integer slot);
void shim_weak_set(lua_State *L, int reference, lua_Integer slot);
bool shim_weak_has(lua_State *L, int reference, lua_Integer slot);
bool shim_weak_is_empty(lua_State *L, int reference);

// Pushes what the table at `index` has under each of the first `count` names of the list that the registry has at `names`,
// nil where it has nothing; answers how many keys it has besides.  No metamethod is asked.
lua_Integer shim_push_fields(lua_State *L, int index, int names, int count);
bool shim_weak_get_pointer(lua_State *L, int reference, const void *key);
void shim_weak_set_pointer(lua_State *L, int reference, const void *key);

// ---------------------------------------------------------------- protected.c: Swift calls Lua
// All answer LUA_OK or a status; then the error value has been pushed in place of arguments and results.

int shim_call(lua_State *L, int arguments, int results);
int shim_load(lua_State *L, const char *_Nullable source, size_t length, const char *name);
int shim_get(lua_State *L, int index);                       // key on the top -> value
int shim_set(lua_State *L, int index);                       // key, value on the top
int shim_get_index(lua_State *L, int index, lua_Integer key);
int shim_set_index(lua_State *L, int index, lua_Integer key);  // value on the top
int shim_length(lua_State *L, int index, lua_Integer *length);
int shim_compare(lua_State *L, int left, int right, int operation, bool *result);
int shim_arithmetic(lua_State *L, int operation);            // operands on the top -> result
int shim_concat(lua_State *L, int count);
int shim_display(lua_State *L, int index);                   // as luaL_tolstring
int shim_next(lua_State *L, int index, bool *more);          // key on the top -> key, value
// False, and nothing set, if the key is nil or NaN.  Key and value on the top are popped.
bool shim_rawset(lua_State *L, int index);

// Whether the calls that follow keep their traceback although they are made within others.
void shim_set_traces_calls(shim_State *S, bool traces);
bool shim_traces_calls(shim_State *S);
// The traceback of the last error that reached the outermost call, or one that keeps it: pushes it, or nil; forgets it.
void shim_take_traceback(lua_State *L);

// ---------------------------------------------------------------- interrupt.c

enum {
  SHIM_NOT_INTERRUPTED = 0,
  SHIM_INTERRUPTED = 1,
  SHIM_TIMED_OUT = 2,
  SHIM_EXITED = 3,   // os.exit
};

// The time that lines of Lua take, from now on.  False: there is no memory for it.
bool shim_start_profile(shim_State *S);
// Counts a query to the line that runs.
void shim_profile_query(shim_State *S, uint64_t nanoseconds);
typedef struct {
  const char *source;   // until the state is closed
  int line;
  uint64_t count, nanoseconds, queries, query_nanoseconds;
} shim_ProfiledLine;
uint32_t shim_profile_count(shim_State *S);
shim_ProfiledLine shim_profile_line(shim_State *S, uint32_t index);

// Stops what runs, until shim_clear_interrupt.  From any thread, and from signal handlers on the state's own thread.
void shim_interrupt(shim_State *S);
void shim_clear_interrupt(shim_State *S);
int shim_interrupt_reason(shim_State *S);
int shim_exit_status(shim_State *S);
// SIGINT interrupts this state, whichever thread of the process receives it.
void shim_install_sigint(shim_State *S);
void shim_uninstall_sigint(shim_State *S);
// Stops what runs after this many seconds of wall time, counted from now; 0 takes the limit away.  `is_final` says whether
// the last resort comes after it.  False if the system has no timer for us.
bool shim_set_time_limit(shim_State *S, double seconds, bool is_final);
// Calls `function(reason)` from the signal handler where something did not stop: five seconds after a final limit, and
// at a third SIGINT one to two seconds after the first and later.  It must be async-signal-safe, and end the process.
void shim_set_last_resort(shim_State *S, void (*_Nullable function)(int reason));
// Calls `function(context)` from the signal handler at an interruption: it must be async-signal-safe.
// Answers a token, or -1 if all places are taken.
int shim_add_interruptible(shim_State *S, void (*function)(void *_Nullable), void *_Nullable context);
void shim_remove_interruptible(shim_State *S, int token);

// ---------------------------------------------------------------- libraries.c

// Opens the standard libraries, with the functions of ours that can be interrupted.
int shim_open_libraries(lua_State *L, bool sandboxed);
// Lua's default package.path and package.cpath, regardless of the environment.
const char *shim_default_path(void);
const char *shim_default_cpath(void);
// Pushes a table with the stock functions that ours replace, for differential tests.
int shim_push_stock_functions(lua_State *L);

#pragma clang assume_nonnull end
#endif
