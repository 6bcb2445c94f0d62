// Replaces string.rep, which loops in C, by an equal function that stops at an interruption.
#include "internal.h"

#include <string.h>

// No string is longer than what an integer counts.
static const size_t max_size = (size_t)LUA_MAXINTEGER < SIZE_MAX ? (size_t)LUA_MAXINTEGER : SIZE_MAX;

// The bytes that are copied before an interruption is looked for.
enum { MOST_COPIED = 1 << 20 };

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
  char *start = luaL_buffinitsize(L, &buffer, total);
  // What is there is copied behind itself, by whole units of string and separator, until only a part is left.
  size_t unit = length + separator_length, filled = unit < total ? unit : total;
  size_t most = unit < MOST_COPIED ? MOST_COPIED / unit * unit : unit;
  memcpy(start, string, length);
  memcpy(start + length, separator, filled - length);
  while (filled < total) {
    size_t copied = filled < most ? filled : most;
    if (copied > total - filled) copied = total - filled;
    memcpy(start + filled, start, copied);
    filled += copied;
    if (is_interrupted(S)) raise_interrupt(L);
  }
  luaL_pushresultsize(&buffer, total);
  return 1;
}

void open_string_functions(lua_State *L) {
  static const luaL_Reg functions[] = {{"rep", rep}, {NULL, NULL}};
  set_library_functions(L, LUA_STRLIBNAME, functions);
}
