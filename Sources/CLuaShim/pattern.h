// Lua patterns (section 6.4.1 of the manual), compiled to items and matched by backtracking.
//
// The stock matcher cannot be interrupted, and a pattern such as ".-.-.-b" takes hours.  This one looks at each step
// whether it is to stop.  It finds what the stock one finds, with the same messages (see the differential tests).
#ifndef PERILUNE_SHIM_PATTERN_H
#define PERILUNE_SHIM_PATTERN_H

#include "internal.h"

typedef enum {
  OP_CHAR,       // the byte `first`
  OP_ANY,
  OP_SET,        // a byte of the set
  OP_OPEN,       // (
  OP_POSITION,   // ()
  OP_CLOSE,      // )
  OP_BACK,       // %1: what the capture with the digit `first` has
  OP_BALANCE,    // %bxy: `first`, `second`
  OP_FRONTIER,   // %f[set]
  OP_END_OF_SUBJECT,
  OP_END,
  OP_ERROR,      // the pattern is malformed from here: an error only if matching comes here
} Operation;

typedef struct {
  uint8_t op;
  uint8_t repeat;   // one of "*+-?", or 0
  uint8_t first, second;
  uint32_t set;
} Item;

typedef struct {
  uint8_t bits[32];
} CharSet;

enum { MAX_CAPTURES = 32, CAPTURE_OPEN = -1, CAPTURE_POSITION = -2 };

typedef struct {
  const char *start;
  ptrdiff_t length;   // or CAPTURE_OPEN, CAPTURE_POSITION
} Capture;

typedef struct {
  lua_State *L;
  shim_State *S;
  const char *subject, *end;
  const Item *items;
  const CharSet *sets;
  int captures_open;    // captures opened so far, closed or not
  int depth_left;
  Capture captures[MAX_CAPTURES];
} Matcher;

// Room for the items of a short pattern; a longer one needs pattern_extra_size bytes.
enum { SHORT_PATTERN = 48 };
typedef struct {
  Item items[SHORT_PATTERN + 2];
  CharSet sets[SHORT_PATTERN / 2 + 1];
} ShortPattern;

// 0 if the pattern of this length is a short one.
size_t pattern_extra_size(size_t length);
// Sets up `m`, with the items in `room` or, for a long pattern, in `extra`.
void pattern_prepare(Matcher *m, lua_State *L, const char *subject, size_t subject_length, const char *pattern,
                     size_t pattern_length, ShortPattern *room, void *extra);
// Matches at `at`: the end of the match, or NULL.
const char *pattern_match(Matcher *m, const char *at);

#endif
