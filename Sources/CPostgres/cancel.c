#include "CPostgres.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

struct perilune_pq_cancellation {
  PGcancel *cancel;
  // The thread, and the one who asked for it.
  atomic_int owners;
  atomic_bool is_over;
};

void perilune_pq_release(perilune_pq_cancellation *cancellation) {
  if (atomic_fetch_sub(&cancellation->owners, 1) > 1) return;
  PQfreeCancel(cancellation->cancel);
  free(cancellation);
}

static void *run(void *context) {
  perilune_pq_cancellation *cancellation = context;
  char message[256];
  PQcancel(cancellation->cancel, message, sizeof message);
  atomic_store(&cancellation->is_over, true);
  perilune_pq_release(cancellation);
  return NULL;
}

perilune_pq_cancellation *perilune_pq_cancel(PGconn *connection) {
  perilune_pq_cancellation *cancellation = malloc(sizeof *cancellation);
  if (cancellation == NULL) return NULL;
  cancellation->cancel = PQgetCancel(connection);
  if (cancellation->cancel == NULL) {
    free(cancellation);
    return NULL;
  }
  atomic_init(&cancellation->owners, 2);
  atomic_init(&cancellation->is_over, false);
  // Signals are the main thread's.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int failure = pthread_create(&thread, NULL, run, cancellation);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure != 0) {
    PQfreeCancel(cancellation->cancel);
    free(cancellation);
    return NULL;
  }
  pthread_detach(thread);
  return cancellation;
}

bool perilune_pq_is_over(const perilune_pq_cancellation *cancellation) {
  return atomic_load(&cancellation->is_over);
}
