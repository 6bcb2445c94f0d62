// The time that lines of Lua take.
//
// A hook is called at each line and at each return, and charges the time since the last of them to the line that ran. It is
// set only where a profile was asked for, so that one that was not costs nothing. Interruptions take its place: they end
// the run.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  char *source;
  int line;
  uint64_t count, nanoseconds, queries, query_nanoseconds;
} Line;

struct Profile {
  Line *lines;
  uint32_t *slots;   // indices of lines plus one by hash, 0 for free; twice as many as there is room for lines
  uint32_t count, capacity;
  int64_t current;   // the line that runs; -1 for none
  uint64_t since;
};

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint32_t hash_of(const char *source, int line) {
  uint32_t hash = 2166136261u ^ (uint32_t)line;
  for (; *source != 0; source++) hash = (hash ^ (unsigned char)*source) * 16777619u;
  return hash;
}

// Where a line is in the table, or the free slot that it would take.
static uint32_t *slot_of(struct Profile *P, const char *source, int line) {
  uint32_t mask = 2 * P->capacity - 1, place = hash_of(source, line) & mask;
  while (P->slots[place] != 0) {
    Line *found = &P->lines[P->slots[place] - 1];
    if (found->line == line && strcmp(found->source, source) == 0) break;
    place = (place + 1) & mask;
  }
  return &P->slots[place];
}

static bool grow(struct Profile *P) {
  uint32_t capacity = P->capacity == 0 ? 256 : 2 * P->capacity;
  Line *lines = realloc(P->lines, capacity * sizeof *lines);
  if (lines == NULL) return false;
  P->lines = lines;
  uint32_t *slots = calloc(2 * (size_t)capacity, sizeof *slots);
  if (slots == NULL) return false;
  free(P->slots);
  P->slots = slots;
  P->capacity = capacity;
  for (uint32_t i = 0; i < P->count; i++) *slot_of(P, lines[i].source, lines[i].line) = i + 1;
  return true;
}

// The index of a line; -1 where there is no memory for it.
static int64_t index_of(struct Profile *P, const char *source, int line) {
  if (P->count == P->capacity && !grow(P)) return -1;
  uint32_t *slot = slot_of(P, source, line);
  if (*slot == 0) {
    char *copy = strdup(source);
    if (copy == NULL) return -1;
    P->lines[P->count] = (Line){.source = copy, .line = line};
    *slot = ++P->count;
  }
  return *slot - 1;
}

static int64_t index_of_activation(struct Profile *P, lua_Debug *activation) {
  // The whole name of a file; of a text its beginning.
  bool is_named = *activation->source == '@' || *activation->source == '=';
  return index_of(P, is_named ? activation->source + 1 : activation->short_src, activation->currentline);
}

static void on_event(lua_State *L, lua_Debug *activation) {
  shim_State *S = state_of(L);
  struct Profile *P = S->profile;
  uint64_t time = now();
  if (P->current >= 0) P->lines[P->current].nanoseconds += time - P->since;
  if (activation->event == LUA_HOOKLINE) {
    lua_getinfo(L, "S", activation);
    P->current = index_of_activation(P, activation);
    if (P->current >= 0) P->lines[P->current].count++;
  } else {
    // The line that called goes on, past functions in C.
    P->current = -1;
    lua_Debug caller;
    for (int level = 1; lua_getstack(L, level, &caller); level++) {
      lua_getinfo(L, "Sl", &caller);
      if (caller.currentline < 0) continue;
      P->current = index_of_activation(P, &caller);
      break;
    }
  }
  P->since = now();
}

void rest_hook(lua_State *L) {
  if (state_of(L)->profile == NULL) {
    lua_sethook(L, NULL, 0, 0);
  } else {
    lua_sethook(L, on_event, LUA_MASKLINE | LUA_MASKRET, 0);
  }
}

bool shim_start_profile(shim_State *S) {
  if (S->profile != NULL) return true;
  struct Profile *P = calloc(1, sizeof *P);
  if (P == NULL) return false;
  P->current = -1;
  S->profile = P;
  rest_hook(S->current);
  return true;
}

void shim_profile_query(shim_State *S, uint64_t nanoseconds) {
  struct Profile *P = S->profile;
  if (P == NULL || P->current < 0) return;
  Line *line = &P->lines[P->current];
  uint64_t time = now();
  line->nanoseconds += time - P->since;
  P->since = time;
  line->queries++;
  // A statement that is read row by row lasts as long as the loop around it, and the lines in the loop have their own time.
  uint64_t room = line->nanoseconds - line->query_nanoseconds;
  line->query_nanoseconds += nanoseconds < room ? nanoseconds : room;
}

uint32_t shim_profile_count(shim_State *S) { return S->profile == NULL ? 0 : S->profile->count; }

shim_ProfiledLine shim_profile_line(shim_State *S, uint32_t index) {
  Line *line = &S->profile->lines[index];
  return (shim_ProfiledLine){line->source, line->line, line->count, line->nanoseconds, line->queries,
                             line->query_nanoseconds};
}

void close_profile(shim_State *S) {
  struct Profile *P = S->profile;
  if (P == NULL) return;
  S->profile = NULL;
  for (uint32_t i = 0; i < P->count; i++) free(P->lines[i].source);
  free(P->lines);
  free(P->slots);
  free(P);
}
