// Swift calls Lua: everything that may raise, inside lua_pcall.
//
// The operations are light C functions that find their operands on the stack, so that a call costs one pcall and
// no allocation.
#include "internal.h"

static char traceback_key;

int protect(lua_State *L, int arguments, int results, int handler) {
  shim_State *S = state_of(L);
  if (unlikely(S->attention & ATTENTION_MEMORY) && !settle_memory(L, S)) {
    lua_settop(L, -(arguments + 1) - 1);
    push_memory_error(L);
    return LUA_ERRMEM;
  }
  int swift_frames = S->swift_frames;
  S->swift_frames = 0;   // inside, only C and Lua frames are above the setjmp: Lua may raise
  int status = lua_pcall(L, arguments, results, handler);
  S->swift_frames = swift_frames;
  return status;
}

// ---------------------------------------------------------------- calls

// Runs what is on the top with L as the running thread, which is another one if Swift calls from within a coroutine.
static int run_on(lua_State *L, shim_State *S, int arguments, int results, int handler) {
  lua_State *previous = S->current;
  S->current = L;
  int status = protect(L, arguments, results, handler);
  S->current = previous;
  return status;
}

// Keeps the traceback beside the error value, which stays what it is.
static int keep_traceback(lua_State *L) {
  luaL_traceback(L, L, NULL, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
  return 1;
}

void shim_take_traceback(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &traceback_key);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &traceback_key);
}

static int run_traced(lua_State *L, shim_State *S, int arguments, int results) {
  int base = lua_gettop(L) - arguments;
  lua_pushcfunction(L, keep_traceback);
  lua_insert(L, base);
  bool traces_calls = S->traces_calls;
  S->traces_calls = false;   // the calls within this one are part of its traceback
  int status = run_on(L, S, arguments, results, base);
  S->traces_calls = traces_calls;
  lua_remove(L, base);
  return status;
}

int shim_call(lua_State *L, int arguments, int results) {
  shim_State *S = state_of(L);
  if (unlikely(!lua_checkstack(L, results > 0 ? results + 2 : 2))) {
    lua_settop(L, -(arguments + 1) - 1);
    lua_pushliteral(L, "stack overflow");
    return LUA_ERRRUN;
  }
  // One traceback, made where the error is: with one at each level the message of a deep recursion through Swift
  // would be of the square of its depth.
  if (S->call_depth > 0 && likely(!S->traces_calls)) return run_on(L, S, arguments, results, 0);
  bool is_outermost = S->call_depth == 0;
  if (is_outermost) {
    if (unlikely(!pthread_equal(S->thread, pthread_self()))) adopt_thread(S);
    S->stack_base = __builtin_frame_address(0);
  }
  S->call_depth++;
  int status = run_traced(L, S, arguments, results);
  S->call_depth--;
  if (is_outermost && (S->attention & ATTENTION_RELEASE)) S->callbacks.release_objects(S->owner);
  return status;
}

void shim_set_traces_calls(shim_State *S, bool traces) { S->traces_calls = traces; }
bool shim_traces_calls(shim_State *S) { return S->traces_calls; }

int shim_load(lua_State *L, const char *source, size_t length, const char *name) {
  shim_State *S = state_of(L);
  int swift_frames = S->swift_frames;
  S->swift_frames = 0;   // lua_load protects itself
  int status = luaL_loadbufferx(L, source == NULL ? "" : source, length, name, "t");
  S->swift_frames = swift_frames;
  return status;
}

// ---------------------------------------------------------------- operations

static int run_get(lua_State *L) {
  lua_gettable(L, 1);
  return 1;
}

static int run_set(lua_State *L) {
  lua_settable(L, 1);
  return 0;
}

static int run_length(lua_State *L) {
  lua_pushinteger(L, luaL_len(L, 1));
  return 1;
}

static int run_compare(lua_State *L) {
  lua_pushboolean(L, lua_compare(L, 1, 2, (int)lua_tointeger(L, 3)));
  return 1;
}

static int run_arithmetic(lua_State *L) {
  int operation = (int)lua_tointeger(L, 1);
  lua_arith(L, operation);
  return 1;
}

static int run_concat(lua_State *L) {
  lua_concat(L, lua_gettop(L));
  return 1;
}

static int run_display(lua_State *L) {
  luaL_tolstring(L, 1, NULL);
  return 1;
}

static int run_next(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  return lua_next(L, 1) ? 2 : 0;
}

// Puts `function` and the value at `index` below the `operands` topmost values.
static void insert_operation(lua_State *L, lua_CFunction function, int index, int operands) {
  index = lua_absindex(L, index);
  lua_checkstack(L, 4);
  lua_pushcfunction(L, function);
  lua_pushvalue(L, index);
  if (operands > 0) lua_rotate(L, -(operands + 2), 2);
}

int shim_get(lua_State *L, int index) {
  insert_operation(L, run_get, index, 1);
  return protect(L, 2, 1, 0);
}

int shim_set(lua_State *L, int index) {
  insert_operation(L, run_set, index, 2);
  return protect(L, 3, 0, 0);
}

int shim_get_index(lua_State *L, int index, lua_Integer key) {
  insert_operation(L, run_get, index, 0);
  lua_pushinteger(L, key);
  return protect(L, 2, 1, 0);
}

int shim_set_index(lua_State *L, int index, lua_Integer key) {
  index = lua_absindex(L, index);
  lua_checkstack(L, 4);
  lua_pushinteger(L, key);
  lua_insert(L, -2);
  return shim_set(L, index);
}

int shim_length(lua_State *L, int index, lua_Integer *length) {
  insert_operation(L, run_length, index, 0);
  int status = protect(L, 1, 1, 0);
  if (status == LUA_OK) {
    *length = lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  return status;
}

int shim_compare(lua_State *L, int left, int right, int operation, bool *result) {
  right = lua_absindex(L, right);
  insert_operation(L, run_compare, left, 0);
  lua_pushvalue(L, right);
  lua_pushinteger(L, operation);
  int status = protect(L, 3, 1, 0);
  if (status == LUA_OK) {
    *result = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  return status;
}

int shim_arithmetic(lua_State *L, int operation) {
  int operands = operation == LUA_OPUNM || operation == LUA_OPBNOT ? 1 : 2;
  lua_checkstack(L, 4);
  lua_pushcfunction(L, run_arithmetic);
  lua_pushinteger(L, operation);
  lua_rotate(L, -(operands + 2), 2);
  return protect(L, operands + 1, 1, 0);
}

int shim_concat(lua_State *L, int count) {
  lua_checkstack(L, 2);
  lua_pushcfunction(L, run_concat);
  lua_insert(L, -(count + 1));
  return protect(L, count, 1, 0);
}

int shim_display(lua_State *L, int index) {
  insert_operation(L, run_display, index, 0);
  return protect(L, 1, 1, 0);
}

int shim_next(lua_State *L, int index, bool *more) {
  insert_operation(L, run_next, index, 1);
  int base = lua_gettop(L) - 3;
  int status = protect(L, 2, LUA_MULTRET, 0);
  *more = status == LUA_OK && lua_gettop(L) == base + 2;
  return status;
}

bool shim_rawset(lua_State *L, int index) {
  bool is_key = true;
  switch (lua_type(L, -2)) {
    case LUA_TNIL: is_key = false; break;
    case LUA_TNUMBER: is_key = lua_rawequal(L, -2, -2); break;   // NaN is not equal to itself
    default: break;
  }
  if (is_key) {
    lua_rawset(L, index);
  } else {
    lua_settop(L, -3);
  }
  return is_key;
}
