// The table functions that loop in C over as many elements as a length or a range says: the same functions, which stop
// at an interruption.  No hook runs in such a loop, and `__len` may say anything.
#include "internal.h"

#include <limits.h>

enum { READS = 1, WRITES = 2, HAS_LENGTH = 4 };

static inline void poll(lua_State *L) {
  if (is_interrupted(state_of(L))) raise_interrupt(L);
}

static bool has_field(lua_State *L, int metatable, const char *name) {
  lua_pushstring(L, name);
  bool has = lua_rawget(L, metatable) != LUA_TNIL;
  lua_pop(L, 1);
  return has;
}

// The argument is a table, or has the metamethods that make it do as one.
static void check_table(lua_State *L, int argument, int needs) {
  if (likely(lua_type(L, argument) == LUA_TTABLE)) return;
  if (lua_getmetatable(L, argument)) {
    int metatable = lua_gettop(L);
    bool does = (!(needs & READS) || has_field(L, metatable, "__index")) &&
                (!(needs & WRITES) || has_field(L, metatable, "__newindex")) &&
                (!(needs & HAS_LENGTH) || has_field(L, metatable, "__len"));
    lua_pop(L, 1);
    if (does) return;
  }
  luaL_checktype(L, argument, LUA_TTABLE);
}

static lua_Integer check_length(lua_State *L, int needs) {
  check_table(L, 1, needs | HAS_LENGTH);
  return luaL_len(L, 1);
}

static int insert(lua_State *L) {
  lua_Integer end = (lua_Integer)((lua_Unsigned)check_length(L, READS | WRITES) + 1);
  lua_Integer position = end;
  switch (lua_gettop(L)) {
    case 2: break;
    case 3:
      position = luaL_checkinteger(L, 2);
      luaL_argcheck(L, (lua_Unsigned)position - 1u < (lua_Unsigned)end, 2, "position out of bounds");
      for (lua_Integer i = end; i > position; i--) {
        lua_geti(L, 1, i - 1);
        lua_seti(L, 1, i);
        poll(L);
      }
      break;
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_seti(L, 1, position);
  return 0;
}

static int remove_element(lua_State *L) {
  lua_Integer size = check_length(L, READS | WRITES);
  lua_Integer position = luaL_optinteger(L, 2, size);
  if (position != size) {
    luaL_argcheck(L, (lua_Unsigned)position - 1u <= (lua_Unsigned)size, 2, "position out of bounds");
  }
  lua_geti(L, 1, position);
  for (; position < size; position++) {
    lua_geti(L, 1, position + 1);
    lua_seti(L, 1, position);
    poll(L);
  }
  lua_pushnil(L);
  lua_seti(L, 1, position);
  return 1;
}

static int move(lua_State *L) {
  lua_Integer from = luaL_checkinteger(L, 2);
  lua_Integer end = luaL_checkinteger(L, 3);
  lua_Integer to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, READS);
  check_table(L, target, WRITES);
  if (end >= from) {
    luaL_argcheck(L, from > 0 || end < LUA_MAXINTEGER + from, 3, "too many elements to move");
    lua_Integer count = end - from + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    bool overlaps = to > from && to <= end && (target == 1 || lua_compare(L, 1, target, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++) {
      lua_Integer offset = overlaps ? count - 1 - i : i;
      lua_geti(L, 1, from + offset);
      lua_seti(L, target, to + offset);
      poll(L);
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

static void add_element(lua_State *L, luaL_Buffer *buffer, lua_Integer index) {
  lua_geti(L, 1, index);
  if (unlikely(!lua_isstring(L, -1))) {
    luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1), (LUAI_UACINT)index);
  }
  luaL_addvalue(buffer);
  poll(L);
}

static int concat(lua_State *L) {
  lua_Integer last = check_length(L, READS);
  size_t separator_length;
  const char *separator = luaL_optlstring(L, 2, "", &separator_length);
  lua_Integer i = luaL_optinteger(L, 3, 1);
  last = luaL_optinteger(L, 4, last);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (; i < last; i++) {
    add_element(L, &buffer, i);
    luaL_addlstring(&buffer, separator, separator_length);
  }
  if (i == last) add_element(L, &buffer, i);
  luaL_pushresult(&buffer);
  return 1;
}

// ---------------------------------------------------------------- sort

typedef struct {
  lua_State *L;
  shim_State *S;
  bool has_order;   // a function at 2 says what is less
} Sorting;

// Whether the value at `left` goes before the one at `right`; both are counted from the top.
static bool is_less(const Sorting *sorting, int left, int right) {
  lua_State *L = sorting->L;
  if (is_interrupted(sorting->S)) raise_interrupt(L);
  if (!sorting->has_order) return lua_compare(L, left, right, LUA_OPLT);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, left - 1);    // one deeper for what was pushed
  lua_pushvalue(L, right - 2);
  lua_call(L, 2, 1);
  bool less = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return less;
}

// Pops the top value into the element `first`, the one below it into `second`.
static void set_pair(lua_State *L, lua_Integer first, lua_Integer second) {
  lua_seti(L, 1, first);
  lua_seti(L, 1, second);
}

// Puts the elements at `lower` and `upper`, lower <= upper, in order.
static void order_pair(const Sorting *sorting, lua_Integer lower, lua_Integer upper) {
  lua_State *L = sorting->L;
  lua_geti(L, 1, lower);
  lua_geti(L, 1, upper);
  if (is_less(sorting, -1, -2)) {
    set_pair(L, lower, upper);
  } else {
    lua_pop(L, 2);
  }
}

// The pivot is on the top and at upper - 1.  Moves what is less before it and what is not behind; answers its place.
static lua_Integer partition(const Sorting *sorting, lua_Integer lower, lua_Integer upper) {
  lua_State *L = sorting->L;
  lua_Integer i = lower, j = upper - 1;
  for (;;) {
    while (lua_geti(L, 1, ++i), is_less(sorting, -1, -2)) {
      if (unlikely(i == upper - 1)) luaL_error(L, "invalid order function for sorting");
      lua_pop(L, 1);
    }
    while (lua_geti(L, 1, --j), is_less(sorting, -3, -1)) {
      if (unlikely(j < i)) luaL_error(L, "invalid order function for sorting");
      lua_pop(L, 1);
    }
    if (j < i) {
      lua_pop(L, 1);
      set_pair(L, upper - 1, i);
      return i;
    }
    set_pair(L, i, j);
  }
}

static void sort_range(const Sorting *sorting, lua_Integer lower, lua_Integer upper, unsigned random) {
  lua_State *L = sorting->L;
  while (lower < upper) {
    order_pair(sorting, lower, upper);
    if (upper - lower == 1) return;
    lua_Integer middle = lower + (upper - lower) / 2;
    if (upper - lower > 100) {
      // Somewhere in the middle half, so that no input is bad for ever.
      random = random * 1664525u + 1013904223u;
      lua_Integer quarter = (upper - lower) / 4;
      middle = lower + quarter + (lua_Integer)(random % (lua_Unsigned)(2 * quarter));
    }
    order_pair(sorting, lower, middle);
    order_pair(sorting, middle, upper);
    if (upper - lower == 2) return;
    lua_geti(L, 1, middle);
    lua_pushvalue(L, -1);
    lua_geti(L, 1, upper - 1);
    set_pair(L, middle, upper - 1);   // the pivot goes next to the end; its copy stays on the stack
    lua_Integer pivot = partition(sorting, lower, upper);
    // Recursion into the smaller part only: its depth is a logarithm.
    if (pivot - lower < upper - pivot) {
      sort_range(sorting, lower, pivot - 1, random);
      lower = pivot + 1;
    } else {
      sort_range(sorting, pivot + 1, upper, random);
      upper = pivot - 1;
    }
  }
}

static int sort(lua_State *L) {
  lua_Integer count = check_length(L, READS | WRITES);
  if (count > 1) {
    luaL_argcheck(L, count < INT_MAX, 1, "array too big");
    if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    Sorting sorting = {.L = L, .S = state_of(L), .has_order = !lua_isnil(L, 2)};
    sort_range(&sorting, 1, count, (unsigned)count);
  }
  return 0;
}

void open_table_functions(lua_State *L) {
  static const luaL_Reg functions[] = {
    {"insert", insert}, {"remove", remove_element}, {"move", move},
    {"concat", concat}, {"sort", sort},             {NULL, NULL},
  };
  set_library_functions(L, LUA_TABLIBNAME, functions);
}
