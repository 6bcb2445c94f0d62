// Which libraries a script gets.
#include "internal.h"

static int run_open(lua_State *L) {
  luaL_openlibs(L);
  return 0;
}

int shim_open_libraries(lua_State *L, bool sandboxed) {
  (void)sandboxed;
  lua_pushcfunction(L, run_open);
  return protect(L, 0, 0, 0);
}

int shim_push_stock_functions(lua_State *L) {
  lua_pushnil(L);
  return 0;
}
