// resume, wrap and close that say which thread runs, so that an interruption finds it.
#include "internal.h"

// Enough for any honest nesting, little beside a thread's stack.
enum { MAX_C_STACK = 1 << 20 };

// Resumes `co` with `arguments` values of L.  Answers how many results were moved to L, or -1 with an error value
// there.
static int run_coroutine(lua_State *L, lua_State *co, int arguments) {
  shim_State *S = state_of(L);
  if (unlikely(!lua_checkstack(co, arguments))) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, co, arguments);
  // From here on a signal arms the hook of `co`; one that came before is seen by the test.
  S->current = co;
  if (is_interrupted(S)) {
    S->current = L;
    raise_interrupt(L);
  }
  int results;
  int status = lua_resume(co, L, arguments, &results);
  S->current = L;
  if (is_interrupted(S)) raise_interrupt(L);
  if (unlikely(status != LUA_OK && status != LUA_YIELD)) {
    lua_xmove(co, L, 1);
    return -1;
  }
  if (unlikely(!lua_checkstack(L, results + 1))) {
    lua_pop(co, results);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  lua_xmove(co, L, results);
  return results;
}

// Runs the pending closers of `co`; it has an error value on its stack if the status is an error.
static int close_coroutine(lua_State *L, lua_State *co) {
  shim_State *S = state_of(L);
  char here;
  // Lua 5.4.4 counts C calls of each coroutine by itself here, so coroutines that close one another in turn would
  // overflow the C stack.  5.4.6 has lua_closethread, which counts on.
  if (unlikely(S->stack_base - &here > MAX_C_STACK)) luaL_error(L, "C stack overflow");
  S->current = co;
  int status = lua_resetthread(co);
  S->current = L;
  if (is_interrupted(S)) raise_interrupt(L);
  return status;
}

static lua_State *check_coroutine(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  return co;
}

static int resume(lua_State *L) {
  lua_State *co = check_coroutine(L);
  int results = run_coroutine(L, co, lua_gettop(L) - 1);
  bool succeeded = results >= 0;
  if (!succeeded && lua_status(co) == LUA_ERRMEM) {
    lua_pop(L, 1);
    push_memory_message(L);
  }
  int values = succeeded ? results : 1;
  lua_pushboolean(L, succeeded);
  lua_insert(L, -(values + 1));
  return values + 1;
}

// Upvalue: the coroutine.
static int call_wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  int results = run_coroutine(L, co, lua_gettop(L));
  if (likely(results >= 0)) return results;
  int status = lua_status(co);
  if (status != LUA_OK && status != LUA_YIELD) {
    status = close_coroutine(L, co);
    lua_xmove(co, L, 1);
  }
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int wrap(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  lua_pushcclosure(L, call_wrapped, 1);
  return 1;
}

// Why a coroutine cannot be closed, or NULL.
static const char *closing_obstacle(lua_State *L, lua_State *co) {
  if (L == co) return "running";
  lua_Debug activation;
  bool has_calls = lua_status(co) == LUA_OK && lua_getstack(co, 0, &activation);
  return has_calls ? "normal" : NULL;
}

static int close_function(lua_State *L) {
  lua_State *co = check_coroutine(L);
  const char *obstacle = closing_obstacle(L, co);
  if (obstacle != NULL) return luaL_error(L, "cannot close a %s coroutine", obstacle);
  if (close_coroutine(L, co) == LUA_OK) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_pushboolean(L, 0);
  lua_xmove(co, L, 1);
  return 2;
}

void open_coroutine_functions(lua_State *L) {
  static const luaL_Reg functions[] = {
    {"resume", resume}, {"wrap", wrap}, {"close", close_function}, {NULL, NULL}};
  set_library_functions(L, LUA_COLIBNAME, functions);
}
