// Records: userdata of a few plain bytes, for objects that exist by the million.
//
// No Swift reference and no finalizer: making one is an allocation, dropping one is nothing.  Names are looked up here,
// in a Lua table, so that Swift is entered with a number and never makes a String of a property's name.
//
// A script's key is nearly always the very string that is the key of that table: Lua has equal short strings once.  So the
// addresses of the table's keys are kept beside it, and the table is asked only for what is not among them.  An address
// stands for one name as long as the table has it: shim_note_record_names has to follow each change of the table.
#include "internal.h"

enum { NAME_CELLS = 64 };

typedef struct {
  shim_RecordAccess access;  // the first, because Swift has its address
  struct {
    const void *name;  // the address of no_name where there is none: no value of a script has it
    int32_t id;
  } cells[NAME_CELLS];
} RecordClass;

static const char no_name = 0;

static size_t cell_of(const void *name) { return ((uintptr_t)name >> 4 ^ (uintptr_t)name >> 10) % NAME_CELLS; }

void shim_note_record_names(lua_State *L, shim_RecordAccess *access, int names) {
  RecordClass *class = (RecordClass *)access;
  names = lua_absindex(L, names);
  for (size_t i = 0; i < NAME_CELLS; i++) class->cells[i].name = &no_name;
  lua_pushnil(L);
  // Nothing changes the table meanwhile, so that this does not raise.
  while (lua_next(L, names)) {
    if (lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) == LUA_TNUMBER) {
      const void *name = lua_topointer(L, -2);
      class->cells[cell_of(name)].name = name;
      class->cells[cell_of(name)].id = (int32_t)lua_tointegerx(L, -1, NULL);
    }
    lua_settop(L, -2);
  }
}

// Upvalues of the two metamethods: the names, the class.
static int read_record(lua_State *L) {
  void *payload = lua_touserdata(L, 1);
  const RecordClass *class = lua_touserdata(L, lua_upvalueindex(2));
  const shim_RecordAccess *access = &class->access;
  shim_State *S = state_of(L);
  const void *name = lua_topointer(L, 2);
  size_t cell = cell_of(name);
  if (likely(class->cells[cell].name == name)) {
    CALL_SWIFT(L, S, access->get(L, payload, class->cells[cell].id, access->context));
  }
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
  const RecordClass *class = lua_touserdata(L, lua_upvalueindex(2));
  const shim_RecordAccess *access = &class->access;
  shim_State *S = state_of(L);
  const void *name = lua_topointer(L, 2);
  size_t cell = cell_of(name);
  if (likely(class->cells[cell].name == name)) {
    CALL_SWIFT(L, S, access->set(L, payload, class->cells[cell].id, access->context));
  }
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNUMBER) {
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
  RecordClass *kept = lua_newuserdatauv(L, sizeof *kept, 0);
  kept->access = access;
  shim_note_record_names(L, &kept->access, names);
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
  return &kept->access;
}

void *shim_push_record(lua_State *L, int reference, size_t size) {
  void *payload = lua_newuserdatauv(L, size, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_setmetatable(L, -2);
  return payload;
}

void *shim_push_known_record(lua_State *L, int known, lua_Integer slot, int reference, size_t size) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, known);
  if (lua_rawgeti(L, -1, slot) != LUA_TNIL) {
    lua_copy(L, -1, -2);
    lua_settop(L, -2);
    return NULL;
  }
  lua_settop(L, -2);
  void *payload = shim_push_record(L, reference, size);
  lua_pushvalue(L, -1);
  lua_rawseti(L, -3, slot);
  lua_copy(L, -1, -2);
  lua_settop(L, -2);
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
