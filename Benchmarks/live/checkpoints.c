// Checkpoints by a connection of another thread, as one takes the time of a thousand commits.

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "live.h"

enum { PAGES_UNTIL_CHECKPOINT = 1000 };
static int bell;

static void *keep_checkpointing(void *store) {
  uint64_t rings;
  while (read(bell, &rings, sizeof rings) == sizeof rings) {
    sqlite3_wal_checkpoint_v2(store, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  }
  return NULL;
}

static int note_pages(void *context, sqlite3 *store, const char *name, int pages) {
  (void)context, (void)store, (void)name;
  if (pages % PAGES_UNTIL_CHECKPOINT < 8 && pages >= PAGES_UNTIL_CHECKPOINT) {
    uint64_t ring = 1;
    check(write(bell, &ring, sizeof ring) == sizeof ring, "the bell");
  }
  return SQLITE_OK;
}

void start_checkpoints(const char *path) {
  bell = eventfd(0, 0);
  pthread_t thread;
  check(bell >= 0 && pthread_create(&thread, NULL, keep_checkpointing, open_store(path)) == 0, "a thread");
  sqlite3_wal_hook(db, note_pages, NULL);
}
