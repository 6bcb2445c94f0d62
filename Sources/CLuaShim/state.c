// A state, its allocator and its memory limit.
//
// The limit is soft.  While only Lua and C frames are on the stack, an allocation beyond the limit fails and Lua raises
// its memory error.  While a Swift frame is on the stack (swift_frames > 0) the allocation is granted instead, and
// the error is raised when that Swift function has returned to the trampoline, unless a collection has helped by then.
// So functions of the C API that can fail for want of memory alone may be called from Swift like any other.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char memory_error_key;

static bool is_refused(shim_State *S, size_t old_size, size_t new_size) {
  uint64_t number = ++S->allocations;
  // Lua tries again after an emergency collection: an injected failure must fail the second time too.
  bool injected = S->fail_at != 0 && (number == S->fail_at || number == S->fail_at + 1);
  return unlikely(injected || S->used - old_size + new_size > S->limit);
}

// A finalizer of ours that fails for want of memory would not be called again, and its object would be lost: the little
// that a call takes is granted.  lua_gc answers -1 inside finalizers only.
static bool is_finalizing(shim_State *S) { return S->main != NULL && lua_gc(S->main, LUA_GCISRUNNING) == -1; }

#if __has_feature(address_sanitizer)
static bool is_small(size_t size) { return size == 0; }   // of none: the sanitizer is to see each block
#else
static bool is_small(size_t size) { return size <= LARGEST_SMALL_BLOCK; }
#endif

static void release(shim_State *S, void *block, size_t size) {
  if (is_small(size)) give_block(&S->small_blocks, block);
  else free(block);
}

// realloc for blocks whose size tells where they are.
static void *resize(shim_State *S, void *block, size_t old_size, size_t new_size) {
  if (!is_small(new_size) && (block == NULL || !is_small(old_size))) return realloc(block, new_size);
  void *moved = is_small(new_size) ? take_block(&S->small_blocks, new_size) : malloc(new_size);
  if (block == NULL || moved == NULL) return moved;
  memcpy(moved, block, old_size < new_size ? old_size : new_size);
  release(S, block, old_size);
  return moved;
}

static void *allocate(void *context, void *block, size_t old_size, size_t new_size) {
  shim_State *S = context;
  if (block == NULL) old_size = 0;   // then it tells the type of the new object
  if (new_size == 0) {
    S->used -= old_size;
    if (block != NULL) release(S, block, old_size);
    return NULL;
  }
  if (new_size > old_size && is_refused(S, old_size, new_size) && !is_finalizing(S)) {
    if (S->swift_frames == 0) return NULL;
    S->deferred_failures++;
    set_attention(S, ATTENTION_MEMORY);
  }
  void *moved = resize(S, block, old_size, new_size);
  if (unlikely(moved == NULL)) {
    // Lua relies on shrinking.
    if (new_size <= old_size && is_small(new_size) == is_small(old_size)) return block;
    if (S->swift_frames == 0 && new_size > old_size) return NULL;
    fputs("fatal: out of memory\n", stderr);
    abort();                                  // as Swift does when its own allocation fails
  }
  S->used += new_size - old_size;
  if (S->used > S->peak) S->peak = S->used;
  return moved;
}

static int panic(lua_State *L) {
  const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, -1);
  fprintf(stderr, "fatal: a Lua error outside every protected call: %s\n", message);
  abort();
}

// Passes warnings on once a script has said warn("@on").
static void pass_warning(void *context, const char *message, int continues) {
  shim_State *S = context;
  bool is_control = !S->warning_continues && !continues && message[0] == '@';
  if (is_control) {
    if (strcmp(message, "@on") == 0) S->prints_warnings = true;
    if (strcmp(message, "@off") == 0) S->prints_warnings = false;
    return;
  }
  if (S->prints_warnings) S->callbacks.warn(S->owner, message, !continues);
  S->warning_continues = continues;
}

static int prepare(lua_State *L) {
  lua_pushliteral(L, "not enough memory");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &memory_error_key);
  prepare_interrupt_messages(L);
  prepare_object_metatable(L);
  return 0;
}

shim_State *shim_open(size_t limit, void *owner, shim_Callbacks callbacks, uint64_t fail_allocation) {
  shim_State *S = calloc(1, sizeof *S);
  if (S == NULL) return NULL;
  S->limit = limit;
  S->fail_at = fail_allocation;
  S->owner = owner;
  S->callbacks = callbacks;
  S->memory_file = -1;
  adopt_thread(S);
  S->first_free = S->first_released = NO_SLOT;
  lua_State *L = lua_newstate(allocate, S);
  if (L == NULL) {
    shim_free(S);
    return NULL;
  }
  S->main = S->current = L;
  *(shim_State **)lua_getextraspace(L) = S;   // every new thread inherits it
  lua_atpanic(L, panic);
  lua_setwarnf(L, pass_warning, S);
  lua_gc(L, LUA_GCGEN, 0, 0);   // as Lua's own interpreter does
  lua_pushcfunction(L, prepare);
  if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
    lua_close(L);
    shim_free(S);
    return NULL;
  }
  S->swift_frames = 1;   // from here on Swift is on the stack, except where Lua runs
  return S;
}

void shim_close(shim_State *S) {
  shim_uninstall_sigint(S);
  shim_set_time_limit(S, 0, false);
  close_process_memory(S);
  shim_clear_interrupt(S);
  S->swift_frames = 0;
  lua_close(S->main);
  S->swift_frames = 1;
  release_all_objects(S);
  close_interrupts(S);
}

void shim_free(shim_State *S) {
  close_profile(S);
  close_blocks(&S->small_blocks);
  free(S->slots);
  free(S);
}

shim_State *shim_of(lua_State *L) { return state_of(L); }
lua_State *shim_main_thread(shim_State *S) { return S->main; }
lua_State *shim_current_thread(shim_State *S) { return S->current; }
void *shim_owner(lua_State *L) { return state_of(L)->owner; }
int shim_call_depth(shim_State *S) { return S->call_depth; }

// ---------------------------------------------------------------- the limit

size_t shim_memory_used(shim_State *S) { return S->used; }
size_t shim_memory_peak(shim_State *S) { return S->peak; }
size_t shim_memory_limit(shim_State *S) { return S->limit; }
void shim_set_memory_limit(shim_State *S, size_t limit) { S->limit = limit; }
void shim_fail_allocation(shim_State *S, uint64_t number) { S->fail_at = number; }
uint64_t shim_allocations(shim_State *S) { return S->allocations; }
uint64_t shim_deferred_failures(shim_State *S) { return S->deferred_failures; }

enum { COLLECTOR_STEP = 256 * 1024, COLLECTOR_GROWTH = 4 * 1024 * 1024 };

static void collect_all(lua_State *L, shim_State *S) {
  lua_gc(L, LUA_GCCOLLECT);
  S->collect_above = S->used * 2 + COLLECTOR_GROWTH;
}

// The collector paces itself by what Lua allocates; this tells it of what Swift holds for Lua's objects.  A step collects
// young objects only, and when to look at the old ones Lua decides by its own bytes: here that is decided by all.
void shim_account(shim_State *S, ptrdiff_t bytes) {
  S->used += (size_t)bytes;
  if (bytes <= 0) return;
  if (S->used > S->peak) S->peak = S->used;
  if (S->used > S->limit) set_attention(S, ATTENTION_MEMORY);
  S->collector_debt += (size_t)bytes;
  if (S->collector_debt < COLLECTOR_STEP) return;
  int kilobytes = (int)(S->collector_debt / 1024 < INT32_MAX / 2 ? S->collector_debt / 1024 : INT32_MAX / 2);
  S->collector_debt = 0;
  if (!lua_gc(S->current, LUA_GCISRUNNING)) return;
  if (S->used <= S->collect_above) lua_gc(S->current, LUA_GCSTEP, kilobytes);
  else collect_all(S->current, S);
}

void shim_collect(lua_State *L) {
  // The second round frees what the first one only finalized.
  lua_gc(L, LUA_GCCOLLECT);
  collect_all(L, state_of(L));
}

bool settle_memory(lua_State *L, shim_State *S) {
  clear_attention(S, ATTENTION_MEMORY);
  if (S->fail_at != 0) return false;   // an injected failure is to be seen
  if (S->used <= S->limit) return true;
  lua_gc(L, LUA_GCCOLLECT);
  S->swift_frames++;
  S->callbacks.release_objects(S->owner);
  S->swift_frames--;
  clear_attention(S, ATTENTION_MEMORY);
  return S->used <= S->limit;
}

void push_memory_error(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &memory_error_key); }

void raise_memory_error(lua_State *L) {
  push_memory_error(L);
  lua_error(L);
  abort();   // lua_error does not return
}
