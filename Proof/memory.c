// SQLite's allocations, of which one fails; preloaded into a program that has SQLite as a library of its own.
//
//   PROOF_NO_MEMORY     the number of the allocation that fails, counted from 1; "N+" for that and all that follow
//   PROOF_ALLOCATIONS   a file that gets how many there were, when the program ends
//
// They are counted while the program has asked for the environment variable "PROOF_MEMORY on", until "PROOF_MEMORY off". For
// "PROOF_MEMORY fail N" the count begins anew and the N-th fails (none for 0); "PROOF_MEMORY count" tells the count.
// An allocation is SQLite's if it is called from there: the rest of the program, where the want of memory ends the process,
// goes untouched.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_realloc(void *, size_t);

static uintptr_t low, high;
static long fail_at;
static bool fails_on, is_on;
static _Atomic long count;

static int find(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  (void)context;
  if (strstr(info->dlpi_name, "libsqlite3.so") == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    low = info->dlpi_addr + part->p_vaddr;
    high = low + part->p_memsz;
  }
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("PROOF_NO_MEMORY");
  if (number != NULL) {
    char *rest;
    fail_at = strtol(number, &rest, 10);
    fails_on = *rest == '+';
  }
  dl_iterate_phdr(find, NULL);
}

__attribute__((destructor)) static void end(void) {
  const char *name = getenv("PROOF_ALLOCATIONS");
  if (name == NULL) return;
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  char text[32];
  int size = snprintf(text, sizeof text, "%ld\n", count);
  syscall(SYS_write, descriptor, text, size);
  syscall(SYS_close, descriptor);
}

static bool fails(void *caller) {
  uintptr_t place = (uintptr_t)caller;
  if (!is_on || place < low || place >= high) return false;
  long number = ++count;
  bool due = fail_at != 0 && (number == fail_at || (fails_on && number > fail_at));
  if (due) errno = ENOMEM;
  return due;
}

char *getenv(const char *name) {
  static char *(*real)(const char *);
  if (real == NULL) real = (char *(*)(const char *))dlsym(RTLD_NEXT, "getenv");
  if (strncmp(name, "PROOF_MEMORY ", 13) != 0) return real(name);
  static char text[32];
  if (sscanf(name + 13, "fail %ld", &fail_at) == 1) {
    count = 0;
  } else if (strcmp(name + 13, "count") == 0) {
    snprintf(text, sizeof text, "%ld", count);
    return text;
  } else {
    is_on = strcmp(name + 13, "on") == 0;
  }
  return NULL;
}

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *realloc(void *block, size_t size) {
  return size > 0 && fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}
