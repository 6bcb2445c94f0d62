// pcall and xpcall that do not swallow an interruption, setmetatable without finalizers, load of text.
#include "internal.h"

#include <string.h>

// ---------------------------------------------------------------- protected calls

// Ends a pcall: `first` values at the bottom are no results.
static int finish_pcall(lua_State *L, int status, lua_KContext first) {
  if (is_interrupted(state_of(L))) raise_interrupt(L);
  if (likely(status == LUA_OK || status == LUA_YIELD)) return lua_gettop(L) - (int)first;
  lua_pushboolean(L, 0);
  if (status == LUA_ERRMEM) {
    push_memory_message(L);
  } else {
    lua_pushvalue(L, -2);
  }
  return 2;
}

static int call_protected(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);   // the first result if all goes well
  lua_insert(L, 1);
  int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall);
  return finish_pcall(L, status, 0);
}

// Upvalue: the script's message handler.  For an error raised by a hook it would run inside the hook, where hooks are
// off: a handler that loops could not be stopped.  So an interruption passes it by.
static int handle_message(lua_State *L) {
  if (is_interrupted(state_of(L))) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

static int call_protected_with_handler(lua_State *L) {
  int arguments = lua_gettop(L) - 2;
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handle_message, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);   // function, handler, true, function, arguments
  int status = lua_pcallk(L, arguments, LUA_MULTRET, 2, 2, finish_pcall);
  return finish_pcall(L, status, 2);
}

// ---------------------------------------------------------------- setmetatable

// Hooks are off while a finalizer runs, so a script's own could not be interrupted; it would also run in the middle of
// any allocation of ours.
static int set_metatable(lua_State *L) {
  int type = lua_type(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return luaL_error(L, "cannot change a protected metatable");
  if (type == LUA_TTABLE) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "__gc is not available (use <close>)");
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

// ---------------------------------------------------------------- load

// Upvalue: the stock function.  Bytecode can be made to crash the interpreter.
static int load_text(lua_State *L) {
  const char *mode = luaL_optstring(L, 3, "t");
  if (strchr(mode, 't') == NULL) {
    luaL_pushfail(L);
    lua_pushliteral(L, "only text can be loaded here");
    return 2;
  }
  if (lua_gettop(L) < 3) lua_settop(L, 3);
  lua_pushliteral(L, "t");
  lua_replace(L, 3);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

void open_text_load(lua_State *L) {
  lua_getglobal(L, "load");
  lua_pushcclosure(L, load_text, 1);
  lua_setglobal(L, "load");
}

void open_base_functions(lua_State *L) {
  static const luaL_Reg functions[] = {
    {"pcall", call_protected},
    {"xpcall", call_protected_with_handler},
    {"setmetatable", set_metatable},
    {NULL, NULL},
  };
  set_library_functions(L, LUA_GNAME, functions);
}
