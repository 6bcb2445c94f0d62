// Matching by backtracking: each function answers the end of the match, or NULL.
#include "pattern.h"

#include <string.h>

enum { MAX_DEPTH = 200 };   // as the stock matcher, which has it from the C stack

static const char *const flaws[] = {
  "malformed pattern (ends with '%')",
  "malformed pattern (missing ']')",
  "missing '[' after '%f' in pattern",
  "malformed pattern (missing arguments to '%b')",
};

static const char *match(Matcher *m, const char *at, const Item *item);

static inline void poll(Matcher *m) {
  if (is_interrupted(m->S)) raise_interrupt(m->L);
}

static inline bool contains(const CharSet *set, char c) { return set->bits[(uint8_t)c >> 3] >> (c & 7) & 1; }

static inline bool matches_one(Matcher *m, const char *at, const Item *item) {
  if (at >= m->end) return false;
  switch (item->op) {
    case OP_CHAR: return (uint8_t)*at == item->first;
    case OP_ANY: return true;
    default: return contains(&m->sets[item->set], *at);
  }
}

static const char *match_open(Matcher *m, const char *at, const Item *item) {
  if (m->captures_open >= MAX_CAPTURES) luaL_error(m->L, "too many captures");
  Capture *capture = &m->captures[m->captures_open++];
  capture->start = at;
  capture->length = item->op == OP_OPEN ? CAPTURE_OPEN : CAPTURE_POSITION;
  const char *end = match(m, at, item + 1);
  if (end == NULL) m->captures_open--;
  return end;
}

static const char *match_close(Matcher *m, const char *at, const Item *item) {
  int last_open = m->captures_open - 1;
  while (last_open >= 0 && m->captures[last_open].length != CAPTURE_OPEN) last_open--;
  if (last_open < 0) luaL_error(m->L, "invalid pattern capture");
  Capture *capture = &m->captures[last_open];
  capture->length = at - capture->start;
  const char *end = match(m, at, item + 1);
  if (end == NULL) capture->length = CAPTURE_OPEN;
  return end;
}

static const char *match_back(Matcher *m, const char *at, const Item *item) {
  int number = item->first - '1';
  if (number < 0 || number >= m->captures_open || m->captures[number].length == CAPTURE_OPEN) {
    luaL_error(m->L, "invalid capture index %%%d", number + 1);
  }
  const Capture *capture = &m->captures[number];
  if (capture->length < 0 || m->end - at < capture->length) return NULL;
  if (memcmp(capture->start, at, (size_t)capture->length) != 0) return NULL;
  return at + capture->length;
}

static const char *match_balance(Matcher *m, const char *at, const Item *item) {
  if (at >= m->end || (uint8_t)*at != item->first) return NULL;
  ptrdiff_t open = 1;
  while (++at < m->end) {
    poll(m);
    // The closing one first: it wins where both are the same.
    if ((uint8_t)*at == item->second) {
      if (--open == 0) return at + 1;
    } else if ((uint8_t)*at == item->first) {
      open++;
    }
  }
  return NULL;
}

static const char *match_frontier(Matcher *m, const char *at, const Item *item) {
  const CharSet *set = &m->sets[item->set];
  char before = at == m->subject ? '\0' : at[-1];
  char after = at == m->end ? '\0' : *at;
  return !contains(set, before) && contains(set, after) ? at : NULL;
}

static const char *match_longest(Matcher *m, const char *at, const Item *item) {
  const char *least = item->repeat == '+' ? at + 1 : at;
  while (matches_one(m, at, item)) {
    at++;
    poll(m);
  }
  if (item[1].op == OP_END) return at >= least ? at : NULL;   // nothing follows: no need to try
  for (; at >= least; at--) {
    const char *end = match(m, at, item + 1);
    if (end != NULL) return end;
  }
  return NULL;
}

static const char *match_shortest(Matcher *m, const char *at, const Item *item) {
  for (;;) {
    const char *end = match(m, at, item + 1);
    if (end != NULL) return end;
    if (!matches_one(m, at, item)) return NULL;
    at++;
  }
}

// Matches from `item` to the end of the pattern.
static const char *match(Matcher *m, const char *at, const Item *item) {
  if (m->depth_left-- == 0) luaL_error(m->L, "pattern too complex");
  for (; at != NULL; item++) {
    poll(m);
    switch (item->op) {
      case OP_END: goto done;
      case OP_END_OF_SUBJECT: at = at == m->end ? at : NULL; goto done;
      case OP_ERROR: luaL_error(m->L, "%s", flaws[item->first]); break;
      case OP_OPEN:
      case OP_POSITION: at = match_open(m, at, item); goto done;
      case OP_CLOSE: at = match_close(m, at, item); goto done;
      case OP_BACK: at = match_back(m, at, item); break;
      case OP_BALANCE: at = match_balance(m, at, item); break;
      case OP_FRONTIER: at = match_frontier(m, at, item); break;
      default:
        switch (item->repeat) {
          case 0: at = matches_one(m, at, item) ? at + 1 : NULL; break;
          case '?':
            if (matches_one(m, at, item)) {
              const char *end = match(m, at + 1, item + 1);
              if (end != NULL) {
                at = end;
                goto done;
              }
            }
            break;
          case '-': at = match_shortest(m, at, item); goto done;
          default: at = match_longest(m, at, item); goto done;
        }
    }
  }
done:
  m->depth_left++;
  return at;
}

const char *pattern_match(Matcher *m, const char *at) {
  m->captures_open = 0;
  m->depth_left = MAX_DEPTH;
  return match(m, at, m->items);
}
