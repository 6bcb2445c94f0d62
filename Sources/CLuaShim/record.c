// Records: userdata of a few plain bytes, for objects that exist by the million.
//
// No Swift reference and no finalizer: making one is an allocation, dropping one is nothing.  Names are looked up here,
// in a Lua table, so that Swift is entered with a number and never makes a String of a property's name.
#include "internal.h"

// Upvalues of the two metamethods: the names, the access.
static int read_record(lua_State *L) {
  void *payload = lua_touserdata(L, 1);
  const shim_RecordAccess *access = lua_touserdata(L, lua_upvalueindex(2));
  shim_State *S = state_of(L);
  lua_pushvalue(L, 2);
  switch (lua_rawget(L, lua_upvalueindex(1))) {
    case LUA_TNUMBER: {
      int32_t id = (int32_t)lua_tointegerx(L, -1, NULL);
      CALL_SWIFT(L, S, access->get(L, payload, id, access->context));
    }
    case LUA_TNIL:
      lua_settop(L, 2);
      CALL_SWIFT(L, S, access->missing_get(L, access->context));
    default: return 1;
  }
}

static int write_record(lua_State *L) {
  void *payload = lua_touserdata(L, 1);
  const shim_RecordAccess *access = lua_touserdata(L, lua_upvalueindex(2));
  shim_State *S = state_of(L);
  lua_pushvalue(L, 2);
  if (likely(lua_rawget(L, lua_upvalueindex(1)) == LUA_TNUMBER)) {
    int32_t id = (int32_t)lua_tointegerx(L, -1, NULL);
    lua_settop(L, 3);
    CALL_SWIFT(L, S, access->set(L, payload, id, access->context));
  }
  lua_settop(L, 3);
  CALL_SWIFT(L, S, access->missing_set(L, access->context));
}

shim_RecordAccess *shim_set_record_access(lua_State *L, int metatable, shim_RecordAccess access) {
  metatable = lua_absindex(L, metatable);
  int names = lua_gettop(L);
  shim_RecordAccess *kept = lua_newuserdatauv(L, sizeof *kept, 0);
  *kept = access;
  int kept_at = names + 1;
  lua_pushliteral(L, "__index");
  lua_pushvalue(L, names);
  lua_pushvalue(L, kept_at);
  lua_pushcclosure(L, read_record, 2);
  lua_rawset(L, metatable);
  lua_pushliteral(L, "__newindex");
  lua_pushvalue(L, names);
  lua_pushvalue(L, kept_at);
  lua_pushcclosure(L, write_record, 2);
  lua_rawset(L, metatable);
  lua_settop(L, names - 1);
  return kept;
}

void *shim_push_record(lua_State *L, int reference, size_t size) {
  void *payload = lua_newuserdatauv(L, size, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_setmetatable(L, -2);
  return payload;
}

void *shim_record(lua_State *L, int index, const void *metatable) {
  if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return NULL;
  bool is_own = lua_topointer(L, -1) == metatable;
  lua_settop(L, -2);
  return is_own ? lua_touserdata(L, index) : NULL;
}

lua_Integer shim_push_fields(lua_State *L, int index, int names, int count) {
  index = lua_absindex(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, names);
  int list = lua_gettop(L);
  lua_Integer others = 0;
  lua_pushnil(L);
  // Nothing changes the table meanwhile, so that this does not raise.
  while (lua_next(L, index)) {
    others++;
    lua_settop(L, -2);
  }
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, list, i);
    if (lua_rawget(L, index) != LUA_TNIL) others--;
  }
  lua_rotate(L, list, -1);
  lua_settop(L, -2);
  return others;
}

// ---------------------------------------------------------------- weak tables

void shim_push_weak_table(lua_State *L, int array_size) {
  lua_createtable(L, array_size, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "__mode");
  lua_pushliteral(L, "v");
  lua_rawset(L, -3);
  lua_setmetatable(L, -2);
}

// Leaves the value found on the top, in the place of the table below it; nothing if it is nil.
static bool keep_found(lua_State *L, int type) {
  if (type == LUA_TNIL) {
    lua_settop(L, -3);
    return false;
  }
  lua_copy(L, -1, -2);
  lua_settop(L, -2);
  return true;
}

bool shim_weak_get(lua_State *L, int reference, lua_Integer slot) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  return keep_found(L, lua_rawgeti(L, -1, slot));
}

void shim_weak_set(lua_State *L, int reference, lua_Integer slot) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, slot);
  lua_settop(L, -2);
}

bool shim_weak_has(lua_State *L, int reference, lua_Integer slot) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  bool has = lua_rawgeti(L, -1, slot) != LUA_TNIL;
  lua_settop(L, -3);
  return has;
}

bool shim_weak_is_empty(lua_State *L, int reference) {
  int top = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_pushnil(L);
  bool is_empty = lua_next(L, -2) == 0;
  lua_settop(L, top);
  return is_empty;
}

bool shim_weak_get_pointer(lua_State *L, int reference, const void *key) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  return keep_found(L, lua_rawgetp(L, -1, key));
}

void shim_weak_set_pointer(lua_State *L, int reference, const void *key) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, key);
  lua_settop(L, -2);
}
