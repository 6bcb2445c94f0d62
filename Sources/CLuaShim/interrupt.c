// Stopping what runs: Ctrl-C, a time limit, os.exit.
//
// An interruption sets the reason and arms a count hook on the running thread, which raises at the next instruction.
// Both stay until shim_clear_interrupt, so that no pcall can swallow it: the hook raises again, and our pcall, xpcall
// and coroutine functions raise again when the reason is set. The hook is set only for an interruption, because a
// permanent one halves Lua's speed.
#include "internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid   // glibc names the field only since 2.38
#endif

static const char *const messages[] = {"", "interrupted", "time limit exceeded", "exit"};

// The addresses serve as keys of the registry: the messages are made beforehand, as there may be no memory.
void prepare_interrupt_messages(lua_State *L) {
  for (int reason = SHIM_INTERRUPTED; reason <= SHIM_EXITED; reason++) {
    lua_pushstring(L, messages[reason]);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &messages[reason]);
  }
}

void raise_interrupt(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &messages[state_of(L)->reason]);
  lua_error(L);
  __builtin_unreachable();
}

void stop_here(lua_State *L, lua_Debug *activation) {
  (void)activation;
  shim_State *S = state_of(L);
  if (is_interrupted(S)) raise_interrupt(L);
  if (is_crowded(S) && !relieve(S, true)) {
    clear_crowding(S);
    rest_hook(L);
    raise_memory_error(L);
  }
  rest_hook(L);   // left over on a coroutine from an interruption that was cleared
}

// Async-signal-safe on the thread that runs Lua.  The first reason stays.
void stop_running(shim_State *S, int reason) {
  if (S->reason == SHIM_NOT_INTERRUPTED) S->reason = reason;
  set_attention(S, ATTENTION_INTERRUPT);
  // Count only: a call hook would also stop Swift's closers, which must run.
  lua_sethook(S->current, stop_here, LUA_MASKCOUNT, 1);
  for (int i = 0; i < INTERRUPTIBLE_PLACES; i++) {
    Interruptible *place = &S->interruptibles[i];
    void (*function)(void *) = place->function;
    if (function != NULL) function(place->context);
  }
}

void shim_clear_interrupt(shim_State *S) {
  S->reason = SHIM_NOT_INTERRUPTED;
  S->sigint_count = 0;
  if (S->is_last_wait) close_interrupts(S);
  clear_attention(S, ATTENTION_INTERRUPT);
  rest_hook(S->current);
}

int shim_interrupt_reason(shim_State *S) { return S->reason; }
int shim_exit_status(shim_State *S) { return S->exit_status; }

int shim_add_interruptible(shim_State *S, void (*function)(void *), void *context) {
  for (int i = 0; i < INTERRUPTIBLE_PLACES; i++) {
    Interruptible *place = &S->interruptibles[i];
    if (place->function != NULL) continue;
    place->context = context;   // before the function: a signal may come between
    place->function = function;
    return i;
  }
  return -1;
}

void shim_remove_interruptible(shim_State *S, int token) {
  if (token < 0 || token >= INTERRUPTIBLE_PLACES) return;
  S->interruptibles[token].function = NULL;
}

// ---------------------------------------------------------------- the wake signal: time limit, other threads

static shim_State *volatile sigint_state;   // whom SIGINT interrupts

// Not SIGALRM or SIGUSR1, which libraries (readline for one) take for themselves.
static int wake_signal(void) { return SIGRTMIN + 5; }

// Seconds that what runs has to stop in before the process is ended.
enum { LAST_WAIT = 5 };

static void set_timer(shim_State *S, double seconds) {
  struct itimerspec limit;
  memset(&limit, 0, sizeof limit);
  limit.it_value.tv_sec = (time_t)seconds;
  limit.it_value.tv_nsec = (long)((seconds - (double)limit.it_value.tv_sec) * 1e9);
  if (limit.it_value.tv_sec == 0 && limit.it_value.tv_nsec == 0) limit.it_value.tv_nsec = 1;
  timer_settime(S->timer, 0, &limit, NULL);
}

static void on_time_limit(shim_State *S) {
  if (S->is_last_wait) {
    if (S->reason == SHIM_TIMED_OUT && S->last_resort != NULL) S->last_resort(SHIM_TIMED_OUT);
    return;
  }
  stop_running(S, SHIM_TIMED_OUT);
  if (S->last_resort == NULL || !S->has_timer || !S->is_limit_final) return;
  S->is_last_wait = 1;
  set_timer(S, LAST_WAIT);
}

static void on_wake(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  int error = errno;
  shim_State *S = info->si_value.sival_ptr;
  if (S != NULL && info->si_code == SI_TIMER) on_time_limit(S);
  if (S != NULL && info->si_code != SI_TIMER) stop_running(S, SHIM_INTERRUPTED);
  errno = error;
}

void shim_set_last_resort(shim_State *S, void (*function)(int reason)) { S->last_resort = function; }

static void install_wake_handler(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_wake;
  action.sa_flags = SA_SIGINFO;   // no SA_RESTART: a blocking read ends with EINTR
  sigemptyset(&action.sa_mask);
  sigaction(wake_signal(), &action, NULL);
}

static void unblock(int signal) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, signal);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

void adopt_thread(shim_State *S) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_wake_handler);
  S->thread = pthread_self();
  unblock(wake_signal());   // Dispatch's threads block signals
  if (sigint_state == S) unblock(SIGINT);
}

void shim_interrupt(shim_State *S) {
  if (pthread_equal(pthread_self(), S->thread)) {
    stop_running(S, SHIM_INTERRUPTED);
    return;
  }
  // Lua's structures may be touched by Lua's thread only: let that thread run the handler.
  union sigval value = {.sival_ptr = S};
  pthread_sigqueue(S->thread, wake_signal(), value);
}

static bool make_timer(shim_State *S) {
  adopt_thread(S);
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = wake_signal();
  event.sigev_value.sival_ptr = S;
  event.sigev_notify_thread_id = gettid();
  S->has_timer = timer_create(CLOCK_MONOTONIC, &event, &S->timer) == 0;
  return S->has_timer;
}

bool shim_set_time_limit(shim_State *S, double seconds, bool is_final) {
  close_interrupts(S);   // a new timer each time: Lua may run on another thread by now
  if (!(seconds > 0)) return true;
  if (!make_timer(S)) return false;
  S->is_limit_final = is_final;
  double most = 1e9;     // thirty years: no more than time_t holds anywhere
  if (seconds > most) seconds = most;
  set_timer(S, seconds);
  return true;
}

// ---------------------------------------------------------------- SIGINT

static struct sigaction previous_sigint;

// A third Ctrl-C, more than a second after the first, ends the process: the first two have stopped nothing.
enum { PATIENT_SIGINTS = 3 };

static void note_sigint(shim_State *S) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (S->sigint_count == 0) S->first_sigint = now.tv_sec;
  if (S->sigint_count < PATIENT_SIGINTS) S->sigint_count++;
  bool is_patient = S->sigint_count == PATIENT_SIGINTS && now.tv_sec - S->first_sigint > 1;
  if (is_patient && S->last_resort != NULL) S->last_resort(SHIM_INTERRUPTED);
}

static void on_sigint(int signal) {
  int error = errno;
  shim_State *S = sigint_state;
  if (S != NULL) {
    if (pthread_equal(pthread_self(), S->thread)) {
      note_sigint(S);
      stop_running(S, SHIM_INTERRUPTED);
    } else {
      pthread_kill(S->thread, signal);   // the kernel chose some other thread of the process
    }
  }
  errno = error;
}

void shim_install_sigint(shim_State *S) {
  bool is_installed = sigint_state != NULL;
  sigint_state = S;
  adopt_thread(S);
  if (is_installed) return;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_sigint;   // no SA_RESTART: a blocking read ends with EINTR
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_sigint);
}

void shim_uninstall_sigint(shim_State *S) {
  if (sigint_state != S) return;
  sigaction(SIGINT, &previous_sigint, NULL);
  sigint_state = NULL;
}

void close_interrupts(shim_State *S) {
  S->is_last_wait = 0;
  if (!S->has_timer) return;
  timer_delete(S->timer);
  S->has_timer = false;
}
