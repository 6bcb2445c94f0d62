// Which libraries a script gets, and what is replaced in them.
#include "internal.h"

#include <stdlib.h>

// ---------------------------------------------------------------- os.exit

// Unwinds everything, as an interruption does, so that no Swift frame is left behind: the caller of the outermost call
// leaves the process.
static int exit_script(lua_State *L) {
  shim_State *S = state_of(L);
  int status = EXIT_SUCCESS;
  if (lua_isboolean(L, 1)) {
    status = lua_toboolean(L, 1) ? EXIT_SUCCESS : EXIT_FAILURE;
  } else {
    status = (int)luaL_optinteger(L, 1, EXIT_SUCCESS);
  }
  if (!is_interrupted(S)) S->exit_status = status;
  stop_running(S, SHIM_EXITED);
  raise_interrupt(L);
}

// ---------------------------------------------------------------- the sandbox

static const char *const allowed_io[] = {"read", "write", NULL};
static const char *const allowed_os[] = {"clock", "date", "exit", "time", NULL};

// Replaces the global library `name` by one that has the allowed functions only.  The registry keeps the whole one,
// where no script comes but tracebacks find the names of functions.
static void restrict_library(lua_State *L, const char *name, const char *const *allowed) {
  lua_getglobal(L, name);
  lua_newtable(L);
  for (; *allowed != NULL; allowed++) {
    lua_getfield(L, -2, *allowed);
    lua_setfield(L, -2, *allowed);
  }
  lua_setglobal(L, name);
  lua_pop(L, 1);
}

static void close_library(lua_State *L, const char *name, const char *function) {
  lua_getglobal(L, name);
  lua_pushnil(L);
  lua_setfield(L, -2, function);
  lua_pop(L, 1);
}

static void open_safe_libraries(lua_State *L) {
  static const luaL_Reg libraries[] = {
    {LUA_GNAME, luaopen_base},       {LUA_COLIBNAME, luaopen_coroutine}, {LUA_TABLIBNAME, luaopen_table},
    {LUA_STRLIBNAME, luaopen_string}, {LUA_UTF8LIBNAME, luaopen_utf8},   {LUA_MATHLIBNAME, luaopen_math},
    {LUA_IOLIBNAME, luaopen_io},     {LUA_OSLIBNAME, luaopen_os},        {NULL, NULL},
  };
  for (const luaL_Reg *library = libraries; library->func != NULL; library++) {
    luaL_requiref(L, library->name, library->func, 1);
    lua_pop(L, 1);
  }
}

static void restrict_libraries(lua_State *L) {
  restrict_library(L, LUA_IOLIBNAME, allowed_io);
  restrict_library(L, LUA_OSLIBNAME, allowed_os);
  close_library(L, LUA_GNAME, "dofile");
  close_library(L, LUA_GNAME, "loadfile");
  close_library(L, LUA_STRLIBNAME, "dump");
  open_text_load(L);
}

// ---------------------------------------------------------------- opening

void set_library_functions(lua_State *L, const char *library, const luaL_Reg *functions) {
  lua_getglobal(L, library);
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}

static int run_open(lua_State *L) {
  bool sandboxed = lua_toboolean(L, 1);
  if (sandboxed) {
    open_safe_libraries(L);
  } else {
    luaL_openlibs(L);
    open_debug_functions(L);
  }
  open_base_functions(L);
  open_coroutine_functions(L);
  open_table_functions(L);
  open_string_functions(L);
  open_pattern_functions(L);
  static const luaL_Reg os_functions[] = {{"exit", exit_script}, {NULL, NULL}};
  set_library_functions(L, LUA_OSLIBNAME, os_functions);
  if (sandboxed) restrict_libraries(L);
  return 0;
}

int shim_open_libraries(lua_State *L, bool sandboxed) {
  lua_pushcfunction(L, run_open);
  lua_pushboolean(L, sandboxed);
  return protect(L, 1, 0, 0);
}

// ---------------------------------------------------------------- the stock functions, for tests

static int run_push_stock(lua_State *L) {
  lua_newtable(L);
  static const luaL_Reg libraries[] = {
    {LUA_TABLIBNAME, luaopen_table}, {LUA_STRLIBNAME, luaopen_string}, {NULL, NULL}};
  for (const luaL_Reg *library = libraries; library->func != NULL; library++) {
    lua_pushcfunction(L, library->func);
    lua_call(L, 0, 1);
    lua_setfield(L, -2, library->name);
  }
  // Opening the string library has made its table the methods of strings: give them back to ours.
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_getglobal(L, LUA_STRLIBNAME);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 2);
  return 1;
}

int shim_push_stock_functions(lua_State *L) {
  lua_pushcfunction(L, run_push_stock);
  return protect(L, 0, 1, 0);
}

// ---------------------------------------------------------------- where modules are

const char *shim_default_path(void) { return LUA_PATH_DEFAULT; }
const char *shim_default_cpath(void) { return LUA_CPATH_DEFAULT; }
