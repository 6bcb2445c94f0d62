// The memory of the whole process against a limit: Lua's, SQLite's and what Swift holds for scripts.
//
// Allocations are not counted one by one. A timer that runs with the CPU time of the process asks the system how much
// the process holds. Beyond the limit, garbage is collected first; if that does not help, the timer arms the hook,
// and loops in Swift stop as if they were interrupted. Both end in Lua's memory error, which a script can catch.
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_NANOSECONDS = 4000000 };   // systems look at such timers some hundred times a second

static char message_key;

// Not the wake signal: this one lets system calls go on.
static int look_signal(void) { return SIGRTMIN + 6; }

// The bytes in memory that are not mapped from files; 0 if the system does not report them. Async-signal-safe.
static size_t private_bytes(shim_State *S) {
  char text[128];
  ssize_t count = pread(S->memory_file, text, sizeof text, 0);
  size_t numbers[3] = {0, 0, 0};   // all addresses, pages in memory, files' pages among them
  int number = 0;
  for (ssize_t i = 0; i < count && number < 3; i++) {
    if (text[i] < '0' || text[i] > '9') {
      number++;
    } else {
      numbers[number] = numbers[number] * 10 + (size_t)(text[i] - '0');
    }
  }
  return number < 3 || numbers[1] < numbers[2] ? 0 : (numbers[1] - numbers[2]) * S->page_size;
}

static void on_look(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  int error = errno;
  shim_State *S = info->si_value.sival_ptr;
  if (S != NULL && private_bytes(S) > S->process_allowed) {
    set_attention(S, ATTENTION_CROWDED);
    lua_sethook(S->current, stop_here, LUA_MASKCOUNT, 1);
  }
  errno = error;
}

static bool start_looking(shim_State *S) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_look;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(look_signal(), &action, NULL);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, look_signal());
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);   // who started the program may have blocked all
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = look_signal();
  event.sigev_value.sival_ptr = S;
  event._sigev_un._tid = gettid();   // glibc names the field only since 2.38
  S->has_memory_timer = timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &S->memory_timer) == 0;
  if (!S->has_memory_timer) S->has_memory_timer = timer_create(CLOCK_MONOTONIC, &event, &S->memory_timer) == 0;
  if (!S->has_memory_timer) return false;
  struct itimerspec each;
  memset(&each, 0, sizeof each);
  each.it_value.tv_nsec = each.it_interval.tv_nsec = LOOK_NANOSECONDS;
  return timer_settime(S->memory_timer, 0, &each, NULL) == 0;
}

static int keep_message(lua_State *L) {
  char text[80];
  snprintf(text, sizeof text, "not enough memory (limit %zu MB)", state_of(L)->process_limit >> 20);
  lua_pushstring(L, text);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &message_key);
  return 0;
}

bool shim_set_process_limit(shim_State *S, size_t limit) {
  close_process_memory(S);
  S->page_size = (size_t)sysconf(_SC_PAGESIZE);
  S->memory_file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  size_t present = S->memory_file < 0 ? 0 : private_bytes(S);
  S->process_limit = limit;
  S->process_allowed = present + limit;
  lua_pushcfunction(S->main, keep_message);
  if (protect(S->main, 0, 0, 0) != LUA_OK) {
    lua_pop(S->main, 1);
    return false;
  }
  return present != 0 && start_looking(S);
}

void close_process_memory(shim_State *S) {
  if (S->has_memory_timer) timer_delete(S->memory_timer);
  S->has_memory_timer = false;
  if (S->memory_file > 0) close(S->memory_file);
  S->memory_file = -1;
  S->process_limit = 0;
  clear_crowding(S);
}

size_t shim_process_limit(shim_State *S) { return S->process_limit; }

bool is_crowded(shim_State *S) { return (S->attention & ATTENTION_CROWDED) != 0; }

void clear_crowding(shim_State *S) {
  S->crowding_was_told = false;
  clear_attention(S, ATTENTION_CROWDED);
}

bool relieve(shim_State *S, bool releases_objects) {
  lua_gc(S->main, LUA_GCCOLLECT);
  if (releases_objects) {
    S->swift_frames++;
    S->callbacks.release_objects(S->owner);
    S->swift_frames--;
  }
  trim_blocks(&S->small_blocks);
  malloc_trim(0);
  // A little less than what is allowed, or the next look would have it all collected again.
  if (private_bytes(S) > S->process_allowed - S->process_limit / 32) return false;
  clear_crowding(S);
  return true;
}

bool shim_is_to_stop(shim_State *S) {
  if (likely((S->attention & (ATTENTION_INTERRUPT | ATTENTION_CROWDED)) == 0)) return false;
  if (is_interrupted(S) || S->crowding_was_told) return true;
  if (!is_crowded(S)) return false;
  if (pthread_equal(S->thread, pthread_self()) && relieve(S, false)) return false;
  S->crowding_was_told = true;
  return true;
}

bool shim_is_crowded(shim_State *S) { return !is_interrupted(S) && S->crowding_was_told; }
void shim_clear_crowding(shim_State *S) { clear_crowding(S); }

void push_memory_message(lua_State *L) {
  if (state_of(L)->process_limit == 0) {
    push_memory_error(L);
  } else {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &message_key);
  }
}
