// Lua calls Swift.
//
// Lua sees the functions of this file. They call Swift's functions, which return a code. Every longjmp (errors,
// yields) starts here, when no Swift frame is above the protected call that will catch it.
#include "internal.h"

static int resume_swift(lua_State *L, int status, lua_KContext continuation);

static int yield_as_prepared(lua_State *L, shim_State *S) {
  int count = S->yield_count;
  if (!S->yield_continues) return lua_yield(L, count);
  // The object with the continuation stays in this frame, below what is yielded, where the collector sees it.
  return lua_yieldk(L, count, lua_gettop(L) - count, resume_swift);
}

// What was collected between two calls goes before the next: `collectgarbage` itself calls no Swift, and what a stopped script
// has dropped would have the next call stopped for want of memory, too.
__attribute__((noinline)) void release_waiting_objects(shim_State *S) {
  S->swift_frames++;
  S->callbacks.release_objects(S->owner);
  S->swift_frames--;
}

// The rare ends of a call: an answer that is no count, or something that waits for attention.
__attribute__((noinline)) int finish_swift_call(lua_State *L, shim_State *S, int32_t answer) {
  if (S->attention & ATTENTION_RELEASE) release_waiting_objects(S);
  if ((S->attention & ATTENTION_MEMORY) && !settle_memory(L, S)) raise_memory_error(L);
  if (unlikely(is_crowded(S)) && !is_interrupted(S)) {
    // An error at this point results from the request to stop.
    bool was_stopped = S->crowding_was_told && answer == SHIM_RAISE;
    if (!relieve(S, true) || was_stopped) {
      clear_crowding(S);
      raise_memory_error(L);
    }
  }
  // Here and not only in the hook: a loop in C over Swift functions never comes to the hook.
  if (is_interrupted(S)) raise_interrupt(L);
  switch (answer) {
    case SHIM_RAISE: return lua_error(L);
    case SHIM_YIELD: return yield_as_prepared(L, S);
    default: return answer;
  }
}

static int resume_swift(lua_State *L, int status, lua_KContext continuation) {
  (void)status;
  shim_State *S = state_of(L);
  int index = (int)continuation;
  void *object = *(void **)lua_touserdata(L, index);
  lua_remove(L, index);
  CALL_SWIFT(L, S, S->callbacks.continue_object(L, object));
}

bool shim_prepare_yield(lua_State *L, int count, bool continuation) {
  if (!lua_isyieldable(L)) return false;
  shim_State *S = state_of(L);
  S->yield_count = count;
  S->yield_continues = continuation;
  return true;
}

// ---------------------------------------------------------------- functions

// Upvalues: function, context, then those of the function.
static int call_function(lua_State *L) {
  shim_State *S = state_of(L);
  shim_Function function = (shim_Function)lua_touserdata(L, lua_upvalueindex(1));
  void *context = lua_touserdata(L, lua_upvalueindex(2));
  CALL_SWIFT(L, S, function(L, context));
}

int shim_upvalue(int index) { return lua_upvalueindex(index + 2); }
int shim_registry_index(void) { return LUA_REGISTRYINDEX; }

void shim_push_function(lua_State *L, shim_Function function, void *context, int upvalues) {
  lua_pushlightuserdata(L, (void *)function);
  lua_pushlightuserdata(L, context);
  lua_rotate(L, -(upvalues + 2), 2);
  lua_pushcclosure(L, call_function, upvalues + 2);
}

void shim_push_retaining_function(lua_State *L, shim_Function function, void *object, int upvalues) {
  shim_push_object(L, object, 0, 0);   // the last upvalue, only to be kept
  shim_push_function(L, function, object, upvalues + 1);
}

// Upvalue: the userdata that owns the Swift closure.
static int call_closure(lua_State *L) {
  shim_State *S = state_of(L);
  void *object = *(void **)lua_touserdata(L, lua_upvalueindex(1));
  // A weak-keyed table may still show a function whose userdata has been finalized.
  if (unlikely(object == NULL)) return luaL_error(L, "this function has been collected");
  CALL_SWIFT(L, S, S->callbacks.call_object(L, object));
}

void shim_push_closure(lua_State *L, void *object) {
  shim_push_object(L, object, 0, 0);
  lua_pushcclosure(L, call_closure, 1);
}
