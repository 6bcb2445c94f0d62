// Small blocks of memory for Lua: its objects come and go by the million, and most of them are small.
//
// A page holds blocks of one size and knows which are free; a region is a run of pages, aligned to its own size, so that
// the address of a block leads to its page, and that to its region.  A page whose blocks are all free serves any size
// again, and a region whose pages are all free goes back to the system.
//
// A page is in the list of its size while it has room, and a region in the list of regions while it has a free page.
// The sanitizer of addresses sees into no page: with it, and where a block is larger, malloc serves.
#include "internal.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
  PAGE_BYTES = 16 * 1024,
  REGION_BYTES = 1024 * 1024,
  REGION_PAGES = REGION_BYTES / PAGE_BYTES,
};

typedef struct FreeBlock {
  struct FreeBlock *next;
} FreeBlock;

struct BlockPage {
  FreeBlock *free;                 // blocks that were given back
  char *fresh;                     // from here on no block was ever given out
  uint32_t used, size;             // blocks given out; bytes of each
  BlockPage *next, *previous;      // in the list of its size
  bool is_listed;
};

struct BlockRegion {
  uint64_t free_pages;             // a bit each; this stands in the first page
  BlockRegion *next, *previous;
};

_Static_assert(REGION_PAGES == 64, "a bit each");
static const uint64_t ALL_PAGES = UINT64_MAX << 1;

static BlockPage *page_of(void *block) { return (BlockPage *)((uintptr_t)block & ~(uintptr_t)(PAGE_BYTES - 1)); }

static BlockRegion *region_of(BlockPage *page) {
  return (BlockRegion *)((uintptr_t)page & ~(uintptr_t)(REGION_BYTES - 1));
}

static bool has_room(const BlockPage *page) {
  return page->free != NULL || page->fresh + page->size <= (const char *)page + PAGE_BYTES;
}

// ---------------------------------------------------------------- regions

static void link_region(SmallBlocks *blocks, BlockRegion *region) {
  region->previous = NULL;
  region->next = blocks->regions;
  if (region->next) region->next->previous = region;
  blocks->regions = region;
}

static void unlink_region(SmallBlocks *blocks, BlockRegion *region) {
  if (region->previous) region->previous->next = region->next;
  else blocks->regions = region->next;
  if (region->next) region->next->previous = region->previous;
}

static bool add_region(SmallBlocks *blocks) {
  char *start = mmap(NULL, 2 * REGION_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return false;
  char *aligned = (char *)(((uintptr_t)start + REGION_BYTES - 1) & ~(uintptr_t)(REGION_BYTES - 1));
  size_t before = (size_t)(aligned - start);
  if (before != 0) munmap(start, before);
  munmap(aligned + REGION_BYTES, REGION_BYTES - before);
  BlockRegion *region = (BlockRegion *)aligned;
  region->free_pages = ALL_PAGES;
  link_region(blocks, region);
  blocks->region_count++;
  return true;
}

static void remove_region(SmallBlocks *blocks, BlockRegion *region) {
  unlink_region(blocks, region);
  munmap(region, REGION_BYTES);
  blocks->region_count--;
}

// ---------------------------------------------------------------- pages

static BlockPage **pages_of_size(SmallBlocks *blocks, size_t size) { return &blocks->pages[size / SMALL_BLOCK_STEP]; }

static void link_page(SmallBlocks *blocks, BlockPage *page) {
  BlockPage **first = pages_of_size(blocks, page->size);
  page->is_listed = true;
  page->previous = NULL;
  page->next = *first;
  if (page->next) page->next->previous = page;
  *first = page;
}

static void unlink_page(SmallBlocks *blocks, BlockPage *page) {
  page->is_listed = false;
  if (page->previous) page->previous->next = page->next;
  else *pages_of_size(blocks, page->size) = page->next;
  if (page->next) page->next->previous = page->previous;
}

static BlockPage *add_page(SmallBlocks *blocks, size_t size) {
  if (blocks->regions == NULL && !add_region(blocks)) return NULL;
  BlockRegion *region = blocks->regions;
  int number = __builtin_ctzll(region->free_pages);
  region->free_pages &= region->free_pages - 1;
  if (region->free_pages == 0) unlink_region(blocks, region);
  BlockPage *page = (BlockPage *)((char *)region + number * PAGE_BYTES);
  page->free = NULL;
  page->fresh = (char *)(page + 1);
  page->used = 0;
  page->size = (uint32_t)size;
  link_page(blocks, page);
  return page;
}

// One region stays, or a script at the border of two would have one made and removed again and again.
static void remove_page(SmallBlocks *blocks, BlockPage *page) {
  unlink_page(blocks, page);
  BlockRegion *region = region_of(page);
  if (region->free_pages == 0) link_region(blocks, region);
  region->free_pages |= (uint64_t)1 << ((uintptr_t)page % REGION_BYTES / PAGE_BYTES);
  bool is_only_one = region->next == NULL && region->previous == NULL;
  if (region->free_pages == ALL_PAGES && !is_only_one) remove_region(blocks, region);
}

// ---------------------------------------------------------------- blocks

void *take_block(SmallBlocks *blocks, size_t bytes) {
  size_t size = (bytes + SMALL_BLOCK_STEP - 1) / SMALL_BLOCK_STEP * SMALL_BLOCK_STEP;
  BlockPage *page = *pages_of_size(blocks, size);
  if (unlikely(page == NULL) && (page = add_page(blocks, size)) == NULL) return NULL;
  FreeBlock *block = page->free;
  if (likely(block != NULL)) {
    page->free = block->next;
  } else {
    block = (FreeBlock *)page->fresh;
    page->fresh += size;
  }
  page->used++;
  if (unlikely(!has_room(page))) unlink_page(blocks, page);
  return block;
}

void give_block(SmallBlocks *blocks, void *block) {
  BlockPage *page = page_of(block);
  ((FreeBlock *)block)->next = page->free;
  page->free = block;
  if (unlikely(!page->is_listed)) link_page(blocks, page);
  if (unlikely(--page->used == 0)) remove_page(blocks, page);
}

void trim_blocks(SmallBlocks *blocks) {
  for (BlockRegion *region = blocks->regions; region; region = region->next) {
    for (uint64_t left = region->free_pages; left != 0; left &= left - 1) {
      madvise((char *)region + __builtin_ctzll(left) * PAGE_BYTES, PAGE_BYTES, MADV_DONTNEED);
    }
  }
}

void close_blocks(SmallBlocks *blocks) {
  while (blocks->regions) remove_region(blocks, blocks->regions);
}

size_t shim_small_block_bytes(shim_State *S) { return (size_t)S->small_blocks.region_count * REGION_BYTES; }

static bool is_sound(const BlockPage *page, size_t size) {
  size_t given = (size_t)(page->fresh - (const char *)(page + 1)) / size, free = 0;
  for (const FreeBlock *block = page->free; block && free <= given; block = block->next) {
    size_t offset = (size_t)((const char *)block - (const char *)(page + 1));
    if (offset / size >= given || offset % size != 0) return false;
    free++;
  }
  return page->is_listed && page->size == size && has_room(page) && page->used > 0 && page->used + free == given;
}

bool shim_are_small_blocks_sound(shim_State *S) {
  SmallBlocks *blocks = &S->small_blocks;
  for (size_t size = SMALL_BLOCK_STEP; size <= LARGEST_SMALL_BLOCK; size += SMALL_BLOCK_STEP) {
    for (BlockPage *page = *pages_of_size(blocks, size); page; page = page->next) {
      uint64_t bit = (uint64_t)1 << ((uintptr_t)page % REGION_BYTES / PAGE_BYTES);
      if (!is_sound(page, size) || region_of(page)->free_pages & bit) return false;
      if (page->next && page->next->previous != page) return false;
    }
  }
  uint32_t listed = 0;
  for (BlockRegion *region = blocks->regions; region; region = region->next) {
    if (region->free_pages == 0 || region->free_pages & 1) return false;
    listed++;
  }
  return listed <= blocks->region_count;
}
