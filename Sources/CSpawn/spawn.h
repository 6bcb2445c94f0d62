#ifndef PERILUNE_SPAWN_H
#define PERILUNE_SPAWN_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// What the child does between fork and its program. Returns if that cannot be run.
static inline void spawn_program(const char *path, char *const arguments[], char *const environment[], pid_t parent,
                                 int output, int errors) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  // The parent may have ended before.
  if (getppid() != parent) _exit(127);
  int input = open("/dev/null", O_RDONLY);
  if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) return;
  if (input > 2) close(input);
  execve(path, arguments, environment);
}

// Starts the program at a path in a group of its own, without input and with all signals as usual. It is killed when the
// thread that started it ends, as with a process that is killed. Returns 0 and the child, or an error number.
static inline int spawn_bound(pid_t *child, const char *path, char *const arguments[], char *const environment[],
                              int output, int errors) {
  int ends[2];
  if (pipe(ends) != 0) return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  pid_t parent = getpid();
  pid_t made = fork();
  int code = made < 0 ? errno : 0;
  if (made == 0) {
    spawn_program(path, arguments, environment, parent, output, errors);
    code = errno;
    while (write(ends[1], &code, sizeof code) < 0 && errno == EINTR) {}
    _exit(127);
  }
  close(ends[1]);
  if (made > 0) {
    // The pipe closes when the program runs.
    ssize_t count;
    while ((count = read(ends[0], &code, sizeof code)) < 0 && errno == EINTR) {}
    if (count <= 0) code = 0;
    while (code != 0 && waitpid(made, NULL, 0) < 0 && errno == EINTR) {}
    *child = made;
  }
  close(ends[0]);
  return code;
}

#endif
