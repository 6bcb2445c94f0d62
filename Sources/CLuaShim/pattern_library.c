// string.find, match, gmatch and gsub over our matcher.
#include "pattern.h"

#include <ctype.h>
#include <string.h>

// ---------------------------------------------------------------- captures

static void push_capture(Matcher *m, int number, const char *start, const char *end) {
  if (number >= m->captures_open) {
    if (number != 0) luaL_error(m->L, "invalid capture index %%%d", number + 1);
    lua_pushlstring(m->L, start, (size_t)(end - start));   // a pattern without captures: the whole match
    return;
  }
  const Capture *capture = &m->captures[number];
  switch (capture->length) {
    case CAPTURE_POSITION: lua_pushinteger(m->L, capture->start - m->subject + 1); break;
    case CAPTURE_OPEN: luaL_error(m->L, "unfinished capture"); break;
    default: lua_pushlstring(m->L, capture->start, (size_t)capture->length);
  }
}

// Pushes all captures; without any, the whole match if `start` is given.
static int push_captures(Matcher *m, const char *start, const char *end) {
  int count = m->captures_open == 0 && start != NULL ? 1 : m->captures_open;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; i++) push_capture(m, i, start, end);
  return count;
}

// ---------------------------------------------------------------- find and match

// The offset that a position argument means; beyond the end if it is.
static size_t start_offset(lua_Integer position, size_t length) {
  if (position > 0) return (size_t)position - 1;
  if (position == 0 || position < -(lua_Integer)length) return 0;
  return length + (size_t)position;
}

static bool has_no_specials(const char *pattern, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (pattern[i] != '\0' && strchr("^$*+?.([%-", pattern[i]) != NULL) return false;
  }
  return true;
}

// The places of a text's first byte lead to it at the speed of memory, where they are rare.  Where they are not, or where
// much of the text is there again and again, memmem goes on, which takes a time in proportion to the length in any case.
static const char *find_text(const char *subject, size_t length, const char *text, size_t size) {
  enum { RARE = 32, FEW = 16 };   // bytes from one place to the next; places that are looked at
  if (size == 0) return subject;
  const char *next = subject, *end = subject + length;
  size_t places = 0, compared = 0;
  while (size <= (size_t)(end - next)) {
    const char *place = memchr(next, text[0], (size_t)(end - next) - size + 1);
    if (place == NULL) return NULL;
    if (place[size - 1] == text[size - 1]) {
      if (memcmp(place, text, size) == 0) return place;
      compared++;
    }
    places++;
    next = place + 1;
    bool are_rare = places < FEW + (size_t)(next - subject) / RARE;
    if (!are_rare || compared == FEW) return memmem(next, (size_t)(end - next), text, size);
  }
  return NULL;
}

static int find_plain(lua_State *L, const char *subject, size_t length, size_t offset, const char *text, size_t size) {
  const char *found = find_text(subject + offset, length - offset, text, size);
  if (found == NULL) {
    luaL_pushfail(L);
    return 1;
  }
  lua_pushinteger(L, found - subject + 1);
  lua_pushinteger(L, found - subject + (lua_Integer)size);
  return 2;
}

// Room for the items of a long pattern, owned by Lua so that an error frees it.
static void *push_extra(lua_State *L, size_t pattern_length) {
  size_t size = pattern_extra_size(pattern_length);
  return size == 0 ? NULL : lua_newuserdatauv(L, size, 0);
}

static int find_or_match(lua_State *L, bool finds) {
  size_t length, pattern_length;
  const char *subject = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  size_t offset = start_offset(luaL_optinteger(L, 3, 1), length);
  if (offset > length) {
    luaL_pushfail(L);
    return 1;
  }
  if (finds && (lua_toboolean(L, 4) || has_no_specials(pattern, pattern_length))) {
    return find_plain(L, subject, length, offset, pattern, pattern_length);
  }
  bool is_anchored = pattern_length > 0 && *pattern == '^';
  if (is_anchored) pattern++, pattern_length--;
  Matcher m;
  ShortPattern room;
  pattern_prepare(&m, L, subject, length, pattern, pattern_length, &room, push_extra(L, pattern_length));
  const char *at = subject + offset;
  do {
    const char *end = pattern_match(&m, at);
    if (end == NULL) continue;
    if (!finds) return push_captures(&m, at, end);
    lua_pushinteger(L, at - subject + 1);
    lua_pushinteger(L, end - subject);
    return push_captures(&m, NULL, NULL) + 2;
  } while (at++ < m.end && !is_anchored);
  luaL_pushfail(L);
  return 1;
}

static int find(lua_State *L) { return find_or_match(L, true); }
static int match(lua_State *L) { return find_or_match(L, false); }

// ---------------------------------------------------------------- gmatch

typedef struct {
  Matcher matcher;
  ShortPattern room;
  const char *at;
  const char *last_end;   // of the match before: an empty match there is none
} Iteration;

// Upvalues: the subject and the pattern, to keep them; the iteration.
static int next_match(lua_State *L) {
  Iteration *iteration = lua_touserdata(L, lua_upvalueindex(3));
  Matcher *m = &iteration->matcher;
  m->L = L;   // each step may run in another coroutine
  for (const char *at = iteration->at; at <= m->end; at++) {
    const char *end = pattern_match(m, at);
    if (end == NULL || end == iteration->last_end) continue;
    iteration->at = iteration->last_end = end;
    return push_captures(m, at, end);
  }
  return 0;
}

static int gmatch(lua_State *L) {
  size_t length, pattern_length;
  const char *subject = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  size_t offset = start_offset(luaL_optinteger(L, 3, 1), length);
  lua_settop(L, 2);
  size_t extra_size = pattern_extra_size(pattern_length);
  Iteration *iteration = lua_newuserdatauv(L, sizeof *iteration + extra_size, 0);
  void *extra = extra_size == 0 ? NULL : iteration + 1;
  pattern_prepare(&iteration->matcher, L, subject, length, pattern, pattern_length, &iteration->room, extra);
  iteration->at = subject + (offset > length ? length + 1 : offset);
  iteration->last_end = NULL;
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

// ---------------------------------------------------------------- gsub

static void add_capture(Matcher *m, luaL_Buffer *buffer, int number, const char *start, const char *end) {
  push_capture(m, number, start, end);
  luaL_tolstring(m->L, -1, NULL);   // a position
  lua_remove(m->L, -2);
  luaL_addvalue(buffer);
}

// Argument 3 is a string: what it says, with %0, %1 ... replaced.
static void add_string(Matcher *m, luaL_Buffer *buffer, const char *start, const char *end) {
  size_t length;
  const char *text = lua_tolstring(m->L, 3, &length);
  const char *text_end = text + length;
  const char *escape;
  while ((escape = memchr(text, '%', (size_t)(text_end - text))) != NULL) {
    luaL_addlstring(buffer, text, (size_t)(escape - text));
    char c = escape + 1 < text_end ? escape[1] : '\0';
    if (c == '%') {
      luaL_addchar(buffer, c);
    } else if (c == '0') {
      luaL_addlstring(buffer, start, (size_t)(end - start));
    } else if (isdigit((unsigned char)c)) {
      add_capture(m, buffer, c - '1', start, end);
    } else {
      luaL_error(m->L, "invalid use of '%%' in replacement string");
    }
    text = escape + 2;
  }
  luaL_addlstring(buffer, text, (size_t)(text_end - text));
}

// Adds the replacement of a match; false if the match stays as it is.
static bool add_replacement(Matcher *m, luaL_Buffer *buffer, const char *start, const char *end) {
  lua_State *L = m->L;
  switch (lua_type(L, 3)) {
    case LUA_TFUNCTION: {
      lua_pushvalue(L, 3);
      int captures = push_captures(m, start, end);
      lua_call(L, captures, 1);
      break;
    }
    case LUA_TTABLE:
      push_capture(m, 0, start, end);
      lua_gettable(L, 3);
      break;
    default: add_string(m, buffer, start, end); return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(buffer, start, (size_t)(end - start));
    return false;
  }
  if (unlikely(!lua_isstring(L, -1))) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(buffer);
  return true;
}

static int gsub(lua_State *L) {
  size_t length, pattern_length;
  const char *subject = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  int type = lua_type(L, 3);
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)length + 1);
  luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                   "string/function/table");
  bool is_anchored = pattern_length > 0 && *pattern == '^';
  if (is_anchored) pattern++, pattern_length--;
  lua_settop(L, 4);
  Matcher m;
  ShortPattern room;
  pattern_prepare(&m, L, subject, length, pattern, pattern_length, &room, push_extra(L, pattern_length));
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  const char *at = subject, *last_end = NULL;
  lua_Integer count = 0;
  bool changed = false;
  while (count < most) {
    const char *end = pattern_match(&m, at);
    if (end != NULL && end != last_end) {
      count++;
      changed = add_replacement(&m, &buffer, at, end) || changed;
      at = last_end = end;
    } else if (at < m.end) {
      luaL_addchar(&buffer, *at++);
    } else {
      break;
    }
    if (is_anchored) break;
  }
  if (changed) {
    luaL_addlstring(&buffer, at, (size_t)(m.end - at));
    luaL_pushresult(&buffer);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, count);
  return 2;
}

void open_pattern_functions(lua_State *L) {
  static const luaL_Reg functions[] = {
    {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
  set_library_functions(L, LUA_STRLIBNAME, functions);
}
