// Debian keeps Lua's headers in a folder of their own, which is not on the default path.
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
#include <lua5.4/lauxlib.h>
