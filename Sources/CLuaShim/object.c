// Swift objects owned by Lua.
//
// A userdata owns one reference.  Its finalizer runs in the middle of some allocation, where Swift must not run: it
// only puts the object on a list, which Swift empties at the next safe point.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  void *object;     // NULL once finalized: a weak-keyed table can still show the userdata then
  uint32_t slot;
  uint32_t bytes;   // accounted
} Object;

static char plain_metatable_key;

static int finalize(lua_State *L) {
  shim_State *S = state_of(L);
  Object *box = lua_touserdata(L, 1);
  if (box->object == NULL) return 0;
  box->object = NULL;
  S->slots[box->slot].next = S->first_released;
  S->first_released = box->slot;
  S->used -= box->bytes;   // already here: what is to be released counts no more
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

// ---------------------------------------------------------------- slots

static uint32_t take_slot(shim_State *S) {
  if (S->first_free != NO_SLOT) {
    uint32_t slot = S->first_free;
    S->first_free = S->slots[slot].next;
    return slot;
  }
  if (S->slot_count == S->slot_capacity) {
    uint32_t capacity = S->slot_capacity == 0 ? 64 : S->slot_capacity * 2;
    ObjectSlot *grown = realloc(S->slots, capacity * sizeof *grown);
    if (grown == NULL || capacity < S->slot_capacity) {
      fputs("fatal: out of memory\n", stderr);
      abort();
    }
    S->slots = grown;
    S->slot_capacity = capacity;
  }
  return S->slot_count++;
}

void *shim_take_released(shim_State *S) {
  uint32_t slot = S->first_released;
  if (slot == NO_SLOT) {
    clear_attention(S, ATTENTION_RELEASE);
    return NULL;
  }
  ObjectSlot *taken = &S->slots[slot];
  void *object = taken->object;
  S->first_released = taken->next;
  taken->object = NULL;
  taken->next = S->first_free;
  S->first_free = slot;
  return object;
}

// A finalizer that could not run (the stack was full) has released nothing; at the end everything goes.
void release_all_objects(shim_State *S) {
  S->first_released = NO_SLOT;
  for (uint32_t slot = 0; slot < S->slot_count; slot++) {
    if (S->slots[slot].object == NULL) continue;
    S->slots[slot].next = S->first_released;
    S->first_released = slot;
  }
}

// ---------------------------------------------------------------- userdata

void shim_push_object(lua_State *L, void *object, int reference, uint32_t bytes) {
  shim_State *S = state_of(L);
  if (bytes != 0) shim_account(S, bytes);
  Object *box = lua_newuserdatauv(L, sizeof *box, 0);
  box->object = object;
  box->slot = take_slot(S);
  box->bytes = bytes;
  S->slots[box->slot].object = object;
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
