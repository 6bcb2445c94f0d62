#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>

struct perilune_pq_functions perilune_pq;

static perilune_pq_state state = PERILUNE_PQ_MISSING;

static void open_library(void) {
  static const char *const names[] = {"libpq.so.5", "libpq.5.dylib"};
  void *opened = NULL;
  for (size_t i = 0; opened == NULL && i < sizeof names / sizeof names[0]; i++) {
    opened = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  if (opened == NULL) return;
  state = PERILUNE_PQ_TOO_OLD;
#define FIND(result, name, parameters, arguments) \
  if ((perilune_pq.name = dlsym(opened, #name)) == NULL) return;
  PERILUNE_PQ_FUNCTIONS(FIND)
#undef FIND
  state = PERILUNE_PQ_PRESENT;
}

perilune_pq_state perilune_pq_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return state;
}
