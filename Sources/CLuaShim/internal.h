// What the files of this target share.
#ifndef PERILUNE_SHIM_INTERNAL_H
#define PERILUNE_SHIM_INTERNAL_H

#define _GNU_SOURCE  // pthread_sigqueue, gettid, memmem
#include "CLuaShim.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

enum { INTERRUPTIBLE_PLACES = 8 };

// Why the trampoline must not simply return.  One word, so that the usual case costs one test.
enum {
  ATTENTION_MEMORY = 1,     // the limit was passed while Swift was on the stack
  ATTENTION_RELEASE = 2,    // objects wait to be released
  ATTENTION_INTERRUPT = 4,  // `reason` is set
  ATTENTION_CROWDED = 8,    // the process took more memory than it may
};

typedef struct {
  void (* volatile function)(void *);
  void * volatile context;
} Interruptible;

#define NO_SLOT UINT32_MAX
typedef struct {
  void *object;    // NULL if the slot is free
  uint32_t next;   // in the list of free or of released slots
} ObjectSlot;

// Blocks of at most LARGEST_SMALL_BLOCK bytes, in small_blocks.c.
enum { LARGEST_SMALL_BLOCK = 256, SMALL_BLOCK_STEP = 8 };
typedef struct BlockPage BlockPage;
typedef struct BlockRegion BlockRegion;
typedef struct {
  BlockPage *pages[LARGEST_SMALL_BLOCK / SMALL_BLOCK_STEP + 1];   // by size: those that have room
  BlockRegion *regions;                                           // those that have a free page
  uint32_t region_count;                                          // of all
} SmallBlocks;

struct shim_State {
  lua_State *main;
  lua_State *volatile current;   // the running thread: the one whose hook an interruption arms
  volatile unsigned attention;   // changed by atomic operations only: signal handlers write it too

  int swift_frames;              // above 0: a Swift frame is below, allocation must not fail
  int call_depth;                // shim_calls under way
  bool traces_calls;             // the next shim_call keeps the traceback of its error, wherever it is made
  const char *stack_base;        // about where the C stack was when the outermost call began

  SmallBlocks small_blocks;
  size_t used, limit, peak;
  size_t collector_debt;         // accounted bytes that the collector has not heard of
  size_t collect_above;          // bytes in use at which all generations are collected
  uint64_t allocations, fail_at, deferred_failures;

  bool prints_warnings, warning_continues;

  void *owner;
  shim_Callbacks callbacks;

  // Every Swift object that Lua owns has a slot; those whose userdata was collected are a list in them, so that a
  // finalizer never allocates.
  ObjectSlot *slots;
  uint32_t slot_count, slot_capacity;   // slots that were ever used; slots there is room for
  uint32_t first_free, first_released;  // or NO_SLOT

  int yield_count;
  bool yield_continues;

  volatile sig_atomic_t reason;
  int exit_status;
  pthread_t thread;              // the thread that runs Lua
  timer_t timer;
  bool has_timer;
  volatile sig_atomic_t is_limit_final; // what does not stop after the limit is ended with the process
  volatile sig_atomic_t is_last_wait;   // the time limit is over, and the timer runs once more
  volatile sig_atomic_t sigint_count;   // how many came since the last shim_clear_interrupt
  volatile time_t first_sigint;         // when the first of them came, in seconds of the monotonic clock
  void (*volatile last_resort)(int reason);

  // The limit of the process, in process_memory.c.
  int memory_file;               // /proc/self/statm, or -1
  size_t page_size;
  size_t process_limit;          // what scripts may add; 0 is no limit
  size_t process_allowed;        // what the process may hold with that
  timer_t memory_timer;
  bool has_memory_timer;
  bool crowding_was_told;        // a loop in Swift must stop for want of memory
  Interruptible interruptibles[INTERRUPTIBLE_PLACES];

  struct Profile *profile;       // the time of lines, in profile.c; NULL if nothing asked for it
};

static inline shim_State *state_of(lua_State *L) { return *(shim_State **)lua_getextraspace(L); }

static inline void set_attention(shim_State *S, unsigned bits) {
  __atomic_fetch_or(&S->attention, bits, __ATOMIC_RELAXED);
}
static inline void clear_attention(shim_State *S, unsigned bits) {
  __atomic_fetch_and(&S->attention, ~bits, __ATOMIC_RELAXED);
}
static inline bool is_interrupted(shim_State *S) { return unlikely(S->reason != SHIM_NOT_INTERRUPTED); }

// state.c
bool settle_memory(lua_State *L, shim_State *S);   // false: the limit is passed for good
_Noreturn void raise_memory_error(lua_State *L);
void push_memory_error(lua_State *L);

// small_blocks.c
void *take_block(SmallBlocks *blocks, size_t bytes);   // not zeroed, aligned to 8 bytes; NULL without memory
void give_block(SmallBlocks *blocks, void *block);
void trim_blocks(SmallBlocks *blocks);                 // gives the memory of free pages back to the system
void close_blocks(SmallBlocks *blocks);                // all blocks have been given back

// trampoline.c
void release_waiting_objects(shim_State *S);
int finish_swift_call(lua_State *L, shim_State *S, int32_t answer);

// Calls Swift; `answer` is what the call expression gives.
#define CALL_SWIFT(L, S, call)                                        \
  do {                                                                \
    if (unlikely((S)->attention & ATTENTION_RELEASE) && (S)->swift_frames == 0) release_waiting_objects(S); \
    (S)->swift_frames++;                                              \
    int32_t answer = (call);                                          \
    (S)->swift_frames--;                                              \
    if (likely(answer >= 0 && (S)->attention == 0)) return answer;    \
    return finish_swift_call((L), (S), answer);                       \
  } while (0)

// protected.c
int protect(lua_State *L, int arguments, int results, int handler);

// interrupt.c
_Noreturn void raise_interrupt(lua_State *L);
void adopt_thread(shim_State *S);   // the calling thread runs Lua from now on
void stop_running(shim_State *S, int reason);
void prepare_interrupt_messages(lua_State *L);
void close_interrupts(shim_State *S);
void stop_here(lua_State *L, lua_Debug *activation);

// profile.c
void rest_hook(lua_State *L);   // sets the hook that is there where nothing is interrupted
void close_profile(shim_State *S);

// process_memory.c
bool is_crowded(shim_State *S);
// Collects garbage.  True: the process is within its limit again.  Objects are released at safe points only.
bool relieve(shim_State *S, bool releases_objects);
void clear_crowding(shim_State *S);
void close_process_memory(shim_State *S);
// As push_memory_error, with the limit in the text where the process has one: for scripts that caught the error.
void push_memory_message(lua_State *L);

// object.c
void prepare_object_metatable(lua_State *L);
void release_all_objects(shim_State *S);

// The libraries.  Each replaces functions of a library that is open.
void set_library_functions(lua_State *L, const char *library, const luaL_Reg *functions);
void open_base_functions(lua_State *L);
void open_text_load(lua_State *L);
void open_coroutine_functions(lua_State *L);
void open_table_functions(lua_State *L);
void open_string_functions(lua_State *L);
void open_pattern_functions(lua_State *L);
void open_debug_functions(lua_State *L);

#endif
