// Keys in order, in sorted blocks, with a Fenwick tree over the lengths of the blocks: any rank in O(log n).

#include <stdlib.h>
#include <string.h>

#include "live.h"

enum { BLOCK = 512, FILLED = 480 };

struct Block {
  int count;
  Key keys[BLOCK];
};

static bool is_before(Key a, Key b) { return a.time < b.time || (a.time == b.time && a.id < b.id); }

// ---- The tree ------------------------------------------------------------------------------------------------------

static void rebuild_counts(List *list) {
  for (int i = 1; i <= list->block_count; i++) list->counts[i] = list->blocks[i - 1]->count;
  for (int i = 1; i <= list->block_count; i++) {
    int parent = i + (i & -i);
    if (parent <= list->block_count) list->counts[parent] += list->counts[i];
  }
}

static void add_count(List *list, int block, int difference) {
  for (int i = block + 1; i <= list->block_count; i += i & -i) list->counts[i] += difference;
  list->length += difference;
}

static long count_before(const List *list, int block) {
  long count = 0;
  for (int i = block; i > 0; i -= i & -i) count += list->counts[i];
  return count;
}

// ---- The blocks ----------------------------------------------------------------------------------------------------

static Block *add_block(List *list, int index) {
  if (list->block_count + 1 >= list->capacity) {
    list->capacity = list->capacity ? list->capacity * 2 : 4;
    list->blocks = realloc(list->blocks, sizeof *list->blocks * (size_t)list->capacity);
    list->firsts = realloc(list->firsts, sizeof *list->firsts * (size_t)list->capacity);
    list->counts = realloc(list->counts, sizeof *list->counts * (size_t)(list->capacity + 1));
    check(list->blocks && list->firsts && list->counts, "memory");
  }
  size_t behind = (size_t)(list->block_count - index);
  memmove(list->blocks + index + 1, list->blocks + index, sizeof *list->blocks * behind);
  memmove(list->firsts + index + 1, list->firsts + index, sizeof *list->firsts * behind);
  Block *block = malloc(sizeof *block);
  check(block != NULL, "memory");
  block->count = 0;
  list->blocks[index] = block;
  list->block_count++;
  return block;
}

static void remove_block(List *list, int index) {
  free(list->blocks[index]);
  size_t behind = (size_t)(list->block_count - index - 1);
  memmove(list->blocks + index, list->blocks + index + 1, sizeof *list->blocks * behind);
  memmove(list->firsts + index, list->firsts + index + 1, sizeof *list->firsts * behind);
  list->block_count--;
  rebuild_counts(list);
}

static int find_block(const List *list, Key key) {
  int low = 0, high = list->block_count;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (is_before(key, list->firsts[middle])) high = middle;
    else low = middle;
  }
  return low;
}

static int find_position(const Block *block, Key key) {
  int low = 0, high = block->count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (is_before(block->keys[middle], key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

static void split_block(List *list, int index) {
  Block *left = list->blocks[index], *right = add_block(list, index + 1);
  left->count = right->count = BLOCK / 2;
  memcpy(right->keys, left->keys + BLOCK / 2, sizeof *right->keys * (BLOCK / 2));
  list->firsts[index + 1] = right->keys[0];
  rebuild_counts(list);
}

// ---- Keys ----------------------------------------------------------------------------------------------------------

long list_rank(const List *list, Key key) {
  if (!list->block_count) return 0;
  int index = find_block(list, key);
  return count_before(list, index) + find_position(list->blocks[index], key);
}

void list_insert(List *list, Key key) {
  if (!list->block_count) {
    add_block(list, 0);
    rebuild_counts(list);
  }
  int index = find_block(list, key);
  if (list->blocks[index]->count == BLOCK) {
    split_block(list, index);
    if (!is_before(key, list->firsts[index + 1])) index++;
  }
  Block *block = list->blocks[index];
  int position = find_position(block, key);
  memmove(block->keys + position + 1, block->keys + position, sizeof key * (size_t)(block->count - position));
  block->keys[position] = key;
  block->count++;
  list->firsts[index] = block->keys[0];
  add_count(list, index, 1);
}

void list_remove(List *list, Key key) {
  int index = find_block(list, key);
  Block *block = list->blocks[index];
  int position = find_position(block, key);
  check(position < block->count && block->keys[position].id == key.id, "a key was lost");
  block->count--;
  memmove(block->keys + position, block->keys + position + 1, sizeof key * (size_t)(block->count - position));
  add_count(list, index, -1);
  if (block->count) list->firsts[index] = block->keys[0];
  else remove_block(list, index);
}

void list_fill(List *list, const Key *keys, long count) {
  for (long done = 0; done < count;) {
    Block *block = add_block(list, list->block_count);
    block->count = count - done < FILLED ? (int)(count - done) : FILLED;
    memcpy(block->keys, keys + done, sizeof *keys * (size_t)block->count);
    list->firsts[list->block_count - 1] = keys[done];
    done += block->count;
  }
  list->length = count;
  rebuild_counts(list);
}

void list_free(List *list) {
  for (int i = 0; i < list->block_count; i++) free(list->blocks[i]);
  free(list->blocks);
  free(list->firsts);
  free(list->counts);
  *list = (List){0};
}

Key list_next(const List *list, int *block, int *position) {
  while (*block < list->block_count && *position == list->blocks[*block]->count) {
    ++*block;
    *position = 0;
  }
  check(*block < list->block_count, "the result is too short");
  return list->blocks[*block]->keys[(*position)++];
}

// ---- Sorting: by digits of 11 bits, as keys of one time must stay as they came -------------------------------------

static uint64_t ordered_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >> 63 ? ~bits : bits | 1ull << 63;
}

void sort_keys(Key *keys, long count) {
  enum { BITS = 11, DIGITS = 1 << BITS };
  Key *from = keys, *to = malloc(sizeof *keys * (size_t)(count + 1)), *spare = to;
  check(to != NULL, "memory");
  for (int shift = 0; shift < 64; shift += BITS) {
    long starts[DIGITS + 1] = {0};
    for (long i = 0; i < count; i++) starts[(ordered_bits(from[i].time) >> shift & (DIGITS - 1)) + 1]++;
    for (int digit = 0; digit < DIGITS; digit++) starts[digit + 1] += starts[digit];
    for (long i = 0; i < count; i++) to[starts[ordered_bits(from[i].time) >> shift & (DIGITS - 1)]++] = from[i];
    Key *swap = from;
    from = to;
    to = swap;
  }
  if (from != keys) memcpy(keys, from, sizeof *keys * (size_t)count);
  free(spare);
}
