// Pattern text to items.  A malformed pattern is compiled up to the flaw, as the stock matcher complains only when it
// comes there.
#include "pattern.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  const char *at, *end;
  CharSet *sets;
  uint32_t set_count;
} Compiler;

// ---------------------------------------------------------------- character classes

// Whether `c` is in the class that the letter names; -1 if it names none.
static int is_in_class(int c, int letter) {
  int is_in;
  switch (tolower(letter)) {
    case 'a': is_in = isalpha(c); break;
    case 'c': is_in = iscntrl(c); break;
    case 'd': is_in = isdigit(c); break;
    case 'g': is_in = isgraph(c); break;
    case 'l': is_in = islower(c); break;
    case 'p': is_in = ispunct(c); break;
    case 's': is_in = isspace(c); break;
    case 'u': is_in = isupper(c); break;
    case 'w': is_in = isalnum(c); break;
    case 'x': is_in = isxdigit(c); break;
    case 'z': is_in = c == 0; break;   // deprecated, and still there in 5.4
    default: return -1;
  }
  return isupper(letter) ? !is_in : is_in != 0;
}

static bool is_class(uint8_t letter) { return is_in_class(0, letter) >= 0; }

static void add_char(CharSet *set, uint8_t c) { set->bits[c >> 3] |= (uint8_t)(1u << (c & 7)); }

static void add_class(CharSet *set, uint8_t letter) {
  for (int c = 0; c < 256; c++) {
    if (is_in_class(c, letter) == 1) add_char(set, (uint8_t)c);
  }
}

static CharSet class_sets[256];

static void fill_class_sets(void) {
  for (int letter = 0; letter < 256; letter++) {
    if (is_class((uint8_t)letter)) add_class(&class_sets[letter], (uint8_t)letter);
  }
}

static void add_class_or_char(CharSet *set, uint8_t c) {
  if (!is_class(c)) {
    add_char(set, c);
    return;
  }
  for (size_t i = 0; i < sizeof set->bits; i++) set->bits[i] |= class_sets[c].bits[i];
}

// ---------------------------------------------------------------- items

static CharSet *new_set(Compiler *compiler, Item *item) {
  item->set = compiler->set_count++;
  CharSet *set = &compiler->sets[item->set];
  memset(set, 0, sizeof *set);
  return set;
}

static void set_error(Item *item, uint8_t number) {
  item->op = OP_ERROR;
  item->first = number;
}

// After the bracket: the set up to its end.
static void compile_set(Compiler *compiler, Item *item, Operation operation) {
  const char *at = compiler->at, *end = compiler->end;
  CharSet *set = new_set(compiler, item);
  bool is_complement = at < end && *at == '^';
  if (is_complement) at++;
  const char *first = at;
  for (;; ) {
    if (at >= end) return set_error(item, 1);
    uint8_t c = (uint8_t)*at;
    if (c == ']' && at != first) break;   // right after the bracket it is a character
    if (c == '%') {
      if (at + 1 >= end) return set_error(item, 1);
      add_class_or_char(set, (uint8_t)at[1]);
      at += 2;
    } else if (end - at > 2 && at[1] == '-' && at[2] != ']') {
      for (int in_range = c; in_range <= (uint8_t)at[2]; in_range++) add_char(set, (uint8_t)in_range);
      at += 3;
    } else {
      add_char(set, c);
      at++;
    }
  }
  compiler->at = at + 1;
  if (is_complement) {
    for (size_t i = 0; i < sizeof set->bits; i++) set->bits[i] = (uint8_t)~set->bits[i];
  }
  item->op = (uint8_t)operation;
}

// After the percent sign.
static void compile_escape(Compiler *compiler, Item *item) {
  if (compiler->at >= compiler->end) return set_error(item, 0);
  uint8_t c = (uint8_t)*compiler->at++;
  ptrdiff_t left = compiler->end - compiler->at;
  if (c == 'b') {
    if (left < 2) return set_error(item, 3);
    item->op = OP_BALANCE;
    item->first = (uint8_t)compiler->at[0];
    item->second = (uint8_t)compiler->at[1];
    compiler->at += 2;
  } else if (c == 'f') {
    if (left < 1 || *compiler->at != '[') return set_error(item, 2);
    compiler->at++;
    compile_set(compiler, item, OP_FRONTIER);
  } else if (isdigit(c)) {
    item->op = OP_BACK;
    item->first = c;
  } else if (is_class(c)) {
    *new_set(compiler, item) = class_sets[c];
    item->op = OP_SET;
  } else {
    item->op = OP_CHAR;
    item->first = c;
  }
}

static void compile_item(Compiler *compiler, Item *item) {
  memset(item, 0, sizeof *item);
  uint8_t c = (uint8_t)*compiler->at++;
  bool is_last = compiler->at == compiler->end;
  switch (c) {
    case '(':
      item->op = OP_OPEN;
      if (is_last || *compiler->at != ')') break;
      item->op = OP_POSITION;
      compiler->at++;
      break;
    case ')': item->op = OP_CLOSE; break;
    case '.': item->op = OP_ANY; break;
    case '[': compile_set(compiler, item, OP_SET); break;
    case '%': compile_escape(compiler, item); break;
    default:
      item->op = c == '$' && is_last ? OP_END_OF_SUBJECT : OP_CHAR;
      item->first = c;
  }
  bool is_single = item->op == OP_CHAR || item->op == OP_ANY || item->op == OP_SET;
  if (is_single && compiler->at < compiler->end && strchr("*+-?", *compiler->at) != NULL && *compiler->at != '\0') {
    item->repeat = (uint8_t)*compiler->at++;
  }
}

// ---------------------------------------------------------------- preparation

size_t pattern_extra_size(size_t length) {
  if (length <= SHORT_PATTERN) return 0;
  // At most an item a byte, and a set for every two; an end.
  return (length + 2) * sizeof(Item) + (length / 2 + 1) * sizeof(CharSet);
}

void pattern_prepare(Matcher *m, lua_State *L, const char *subject, size_t subject_length, const char *pattern,
                     size_t pattern_length, ShortPattern *room, void *extra) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, fill_class_sets);
  Item *items = extra == NULL ? room->items : extra;
  CharSet *sets = extra == NULL ? room->sets : (CharSet *)(items + pattern_length + 2);
  Compiler compiler = {.at = pattern, .end = pattern + pattern_length, .sets = sets};
  Item *item = items;
  while (compiler.at < compiler.end) {
    compile_item(&compiler, item++);
    if (item[-1].op == OP_ERROR) break;
  }
  memset(item, 0, sizeof *item);
  item->op = OP_END;
  m->L = L;
  m->S = state_of(L);
  m->subject = subject;
  m->end = subject + subject_length;
  m->items = items;
  m->sets = sets;
  m->captures_open = 0;
}
