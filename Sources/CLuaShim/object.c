// Swift objects owned by Lua.
//
// A userdata owns one reference.  Its finalizer runs in the middle of some allocation, where Swift must not run: it
// only puts the object on a list, which Swift empties at the next safe point.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  void * object;   // NULL once finalized: a weak-keyed table can still show the userdata then
  size_t bytes;
} Object;

static char plain_metatable_key;

static int finalize(lua_State *L) {
  shim_State *S = state_of(L);
  Object *box = lua_touserdata(L, 1);
  if (box->object == NULL) return 0;
  S->released[S->released_count++] = box->object;
  box->object = NULL;
  S->live_objects--;
  S->used -= box->bytes;   // already here, so that an emergency collection helps at once
  set_attention(S, ATTENTION_RELEASE);
  return 0;
}

void shim_own_objects(lua_State *L) {
  lua_pushliteral(L, "__gc");
  lua_pushcfunction(L, finalize);
  lua_rawset(L, -3);
}

void prepare_object_metatable(lua_State *L) {
  lua_createtable(L, 0, 1);
  shim_own_objects(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &plain_metatable_key);
}

static void reserve_release(shim_State *S) {
  size_t needed = S->released_count + S->live_objects + 1;
  if (likely(needed <= S->released_capacity)) return;
  size_t capacity = needed < 32 ? 64 : needed * 2;
  void **grown = realloc(S->released, capacity * sizeof *grown);
  if (grown == NULL) {
    fputs("fatal: out of memory\n", stderr);
    abort();
  }
  S->released = grown;
  S->released_capacity = capacity;
}

void shim_push_object(lua_State *L, void *object, int reference, size_t bytes) {
  shim_State *S = state_of(L);
  if (bytes != 0) shim_account(S, (ptrdiff_t)bytes);
  Object *box = lua_newuserdatauv(L, sizeof *box, 0);
  reserve_release(S);
  box->object = object;
  box->bytes = bytes;
  S->live_objects++;
  if (reference == 0) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &plain_metatable_key);
  } else {
    lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  }
  lua_setmetatable(L, -2);
}

void *shim_object(lua_State *L, int index, const void *metatable) {
  if (lua_type(L, index) != LUA_TUSERDATA) return NULL;
  Object *box = lua_touserdata(L, index);
  if (!lua_getmetatable(L, index)) return NULL;
  bool is_own = lua_topointer(L, -1) == metatable;
  lua_settop(L, -2);
  return is_own ? box->object : NULL;
}

void *shim_take_released(shim_State *S) {
  if (S->released_count == 0) {
    clear_attention(S, ATTENTION_RELEASE);
    return NULL;
  }
  return S->released[--S->released_count];
}

// Upvalues: the methods, the userdata that owns the Swift closure.
static int index_object(lua_State *L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  lua_settop(L, 2);
  shim_State *S = state_of(L);
  void *object = *(void **)lua_touserdata(L, lua_upvalueindex(2));
  if (unlikely(object == NULL)) return 0;
  CALL_SWIFT(L, S, S->callbacks.call_object(L, object));
}

void shim_push_index_function(lua_State *L, void *object) {
  shim_push_object(L, object, 0, 0);
  lua_pushcclosure(L, index_object, 2);
}
