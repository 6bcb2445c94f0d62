// The debug library for scripts with full rights: it looks into Lua functions, not into C.
//
// A hook would take the place of ours; C functions and userdata rely on their upvalues, metatables and the registry,
// which the stock library lets scripts change.
#include "internal.h"

static const char *const kept[] = {"traceback", NULL};

// The thread that the arguments begin with, if they do; `first` is the index of the next argument.
static lua_State *check_thread(lua_State *L, int *first) {
  lua_State *thread = lua_tothread(L, 1);
  *first = thread == NULL ? 1 : 2;
  return thread == NULL ? L : thread;
}

static int call_stock(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

// Upvalue: the stock function.
static int get_info(lua_State *L) {
  int first;
  lua_State *thread = check_thread(L, &first);
  if (thread == L && lua_type(L, first) == LUA_TNUMBER) {
    lua_Integer level = luaL_checkinteger(L, first);
    lua_pushinteger(L, level >= 0 && level < INT32_MAX ? level + 1 : level);   // this function is a level, too
    lua_replace(L, first);
  }
  int results = call_stock(L);
  if (results < 1 || !lua_istable(L, 1)) return results;
  lua_getfield(L, 1, "func");
  if (lua_iscfunction(L, -1)) {
    lua_pushnil(L);
    lua_setfield(L, 1, "func");
  }
  lua_settop(L, 1);
  return 1;
}

static int get_local(lua_State *L) {
  int first;
  lua_State *thread = check_thread(L, &first);
  int number = (int)luaL_checkinteger(L, first + 1);
  if (lua_isfunction(L, first)) {   // names of parameters
    lua_pushvalue(L, first);
    lua_pushstring(L, lua_getlocal(L, NULL, number));
    return 1;
  }
  lua_Debug activation;
  int level = (int)luaL_checkinteger(L, first);
  if (!lua_getstack(thread, level, &activation)) return luaL_argerror(L, first, "level out of range");
  lua_getinfo(thread, "S", &activation);
  if (!lua_checkstack(thread, 1)) return luaL_error(L, "stack overflow");
  const char *name = *activation.what == 'C' ? NULL : lua_getlocal(thread, &activation, number);
  if (name == NULL) {
    luaL_pushfail(L);
    return 1;
  }
  lua_xmove(thread, L, 1);
  lua_pushstring(L, name);
  lua_rotate(L, -2, 1);
  return 2;
}

// Of the running thread, and with a name of its own: what loops and calls keep for themselves has none.
static int set_local(lua_State *L) {
  lua_Debug activation;
  int level = (int)luaL_checkinteger(L, 1);
  int number = (int)luaL_checkinteger(L, 2);
  luaL_checkany(L, 3);
  if (!lua_getstack(L, level, &activation)) return luaL_argerror(L, 1, "level out of range");
  lua_getinfo(L, "S", &activation);
  if (!lua_checkstack(L, 2)) return luaL_error(L, "stack overflow");
  const char *name = *activation.what == 'C' ? NULL : lua_getlocal(L, &activation, number);
  if (name == NULL || *name == '(') {
    luaL_pushfail(L);
    return 1;
  }
  lua_settop(L, 3);
  lua_setlocal(L, &activation, number);
  lua_pushstring(L, name);
  return 1;
}

static void check_lua_function(lua_State *L, int argument) {
  luaL_checktype(L, argument, LUA_TFUNCTION);
  luaL_argcheck(L, !lua_iscfunction(L, argument), argument, "Lua function expected");
}

// Upvalue: the stock function.
static int of_lua_function(lua_State *L) {
  check_lua_function(L, 1);
  return call_stock(L);
}

// Upvalue: the stock function.
static int of_two_lua_functions(lua_State *L) {
  check_lua_function(L, 1);
  check_lua_function(L, 3);
  return call_stock(L);
}

static int get_metatable(lua_State *L) {
  luaL_checkany(L, 1);
  if (lua_type(L, 1) == LUA_TUSERDATA && luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return 1;
  if (!lua_getmetatable(L, 1)) lua_pushnil(L);
  return 1;
}

void open_debug_functions(lua_State *L) {
  static const luaL_Reg wrapped[] = {
    {"getinfo", get_info},          {"getupvalue", of_lua_function},       {"setupvalue", of_lua_function},
    {"upvalueid", of_lua_function}, {"upvaluejoin", of_two_lua_functions}, {NULL, NULL},
  };
  lua_getglobal(L, LUA_DBLIBNAME);
  lua_newtable(L);
  for (const char *const *name = kept; *name != NULL; name++) {
    lua_getfield(L, -2, *name);
    lua_setfield(L, -2, *name);
  }
  for (const luaL_Reg *function = wrapped; function->func != NULL; function++) {
    lua_getfield(L, -2, function->name);
    lua_pushcclosure(L, function->func, 1);
    lua_setfield(L, -2, function->name);
  }
  lua_pushcfunction(L, get_local);
  lua_setfield(L, -2, "getlocal");
  lua_pushcfunction(L, set_local);
  lua_setfield(L, -2, "setlocal");
  lua_pushcfunction(L, get_metatable);
  lua_setfield(L, -2, "getmetatable");
  // require "debug" answers what is loaded, so the copy there must go as well.
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, LUA_DBLIBNAME);
  lua_pop(L, 1);
  lua_setglobal(L, LUA_DBLIBNAME);
  lua_pop(L, 1);
}
