// Replaces string.rep, which loops in C, by an equal function that stops at an interruption.
#include "internal.h"

#include <string.h>

// No string is longer than what an integer counts.
static const size_t max_size = (size_t)LUA_MAXINTEGER < SIZE_MAX ? (size_t)LUA_MAXINTEGER : SIZE_MAX;

static int rep(lua_State *L) {
  size_t length, separator_length;
  const char *string = luaL_checklstring(L, 1, &length);
  lua_Integer count = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &separator_length);
  if (count <= 0 || length + separator_length == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (unlikely(length + separator_length > max_size / (size_t)count)) {
    return luaL_error(L, "resulting string too large");
  }
  shim_State *S = state_of(L);
  size_t total = (size_t)count * length + (size_t)(count - 1) * separator_length;
  luaL_Buffer buffer;
  char *end = luaL_buffinitsize(L, &buffer, total);
  for (; count > 1; count--) {
    memcpy(end, string, length);
    end += length;
    memcpy(end, separator, separator_length);
    end += separator_length;
    if (is_interrupted(S)) raise_interrupt(L);
  }
  memcpy(end, string, length);
  luaL_pushresultsize(&buffer, total);
  return 1;
}

void open_string_functions(lua_State *L) {
  static const luaL_Reg functions[] = {{"rep", rep}, {NULL, NULL}};
  set_library_functions(L, LUA_STRLIBNAME, functions);
}
