// What a program does to the files below one folder, written down or made to fail; preloaded into the program.
//
//   PROOF_FOLDER   the folder; a path without links. All else passes untouched.
//   PROOF_TRACE    a file to which each call that changes something is appended, with its bytes (see trace.py).
//   PROOF_FAULT    KIND:N, what becomes of the N-th such call, counted from 1:
//                    kill   the process dies before it
//                    torn   a write does its first half, then the process dies
//                    eio    it fails with EIO, once
//                    full   it fails with ENOSPC if it takes space, and so does every later one: what is there can be written over
//                    short  a write does its first half and says so
//                    eintr  a write is interrupted before it has begun
//                    sync   the N-th sync (only these are counted) fails with EIO, once, and does nothing
//   PROOF_COUNT    a file that gets the number of calls, and that of syncs, when the program ends.
//
// A program sets a mark by asking for the environment variable "PROOF_MARK text": it is written into the trace, and as a
// line into the file PROOF_MARKS. SQLite and the program reach libc by names, which is what makes this work; what libc
// does for itself (stdio) does not pass here.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, LINK, FOLDER, MARK };
enum { MOST_DESCRIPTORS = 65536 };

struct __attribute__((packed)) Header {
  uint8_t kind;
  uint64_t file;       // its inode
  int64_t offset;      // of a write, or the size after a truncation
  uint32_t name_size;  // what follows: a path below the folder, then bytes
  uint32_t byte_count;
};

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static char folder[PATH_MAX];
static size_t folder_size;
static int trace = -1, marks = -1;
static const char *count_file;
static char fault[16];
static long fault_at, calls, syncs;
static bool is_full, is_ready;
static bool is_watched[MOST_DESCRIPTORS];

#define REAL(name) \
  static __typeof__(name) *real; \
  if (real == NULL) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int open_quietly(const char *path, int flags) {
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
  if (descriptor < 0) return -1;
  // Out of the way: programs that run out of descriptors, or count them, should not notice.
  int high = fcntl(descriptor, F_DUPFD_CLOEXEC, 900);
  syscall(SYS_close, descriptor);
  return high;
}

static char *(*real_getenv)(const char *);

__attribute__((constructor)) static void begin(void) {
  if (is_ready) return;
  is_ready = true;
  real_getenv = (char *(*)(const char *))dlsym(RTLD_NEXT, "getenv");
  const char *name = real_getenv("PROOF_FOLDER");
  if (name == NULL) return;
  folder_size = (size_t)snprintf(folder, sizeof folder, "%s/", name);
  if ((name = real_getenv("PROOF_TRACE")) != NULL) trace = open_quietly(name, O_WRONLY | O_CREAT | O_APPEND);
  if ((name = real_getenv("PROOF_MARKS")) != NULL) marks = open_quietly(name, O_WRONLY | O_CREAT | O_APPEND);
  count_file = real_getenv("PROOF_COUNT");
  if ((name = real_getenv("PROOF_FAULT")) != NULL) sscanf(name, "%15[a-z]:%ld", fault, &fault_at);
}

__attribute__((destructor)) static void end(void) {
  if (count_file == NULL) return;
  int descriptor = open_quietly(count_file, O_WRONLY | O_CREAT | O_TRUNC);
  char text[64];
  int size = snprintf(text, sizeof text, "%ld %ld\n", calls, syncs);
  syscall(SYS_write, descriptor, text, size);
}

// The name of a path in the folder, which itself has none; NULL for others.
static const char *below(const char *path) {
  static _Thread_local char absolute[2 * PATH_MAX];
  if (!is_ready) begin();
  if (folder_size == 0 || path == NULL) return NULL;
  if (path[0] != '/') {
    char here[PATH_MAX];
    if (syscall(SYS_getcwd, here, sizeof here) < 0) return NULL;
    while (path[0] == '.' && path[1] == '/') path += 2;
    snprintf(absolute, sizeof absolute, "%s/%s", here, path);
    path = absolute;
  }
  if (strncmp(path, folder, folder_size) == 0) return path + folder_size;
  bool is_folder = strncmp(path, folder, folder_size - 1) == 0 && path[folder_size - 1] == 0;
  return is_folder ? "" : NULL;
}

static uint64_t file_of(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

static void note(uint8_t kind, uint64_t file, int64_t offset, const char *name, const void *bytes, size_t count) {
  if (trace < 0) return;
  struct Header header = {kind, file, offset, name == NULL ? 0 : (uint32_t)strlen(name), (uint32_t)count};
  struct iovec parts[] = {
    {&header, sizeof header}, {(void *)name, header.name_size}, {(void *)bytes, count},
  };
  syscall(SYS_writev, trace, parts, 3);
}

static bool is_fault(const char *kind) { return strcmp(fault, kind) == 0; }

// Counts a call; returns whether the fault is due. Kills where that is the fault.
static bool is_due(void) {
  bool due = ++calls == fault_at && fault[0] != 0 && !is_fault("sync");
  if (due && is_fault("kill")) kill(getpid(), SIGKILL);
  if (due && is_fault("full")) is_full = true;
  return due;
}

// The errno with which a call is to fail that is no write; 0 for none.
static int failure(bool takes_space) {
  bool due = is_due();
  if (is_full && takes_space) return ENOSPC;
  return due && is_fault("eio") ? EIO : 0;
}

static bool watches(int descriptor) {
  return descriptor >= 0 && descriptor < MOST_DESCRIPTORS && is_watched[descriptor];
}

static int opened(int descriptor, const char *name, bool is_new, int flags) {
  if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS) return descriptor;
  int error = errno;
  is_watched[descriptor] = name != NULL;
  if (name != NULL && is_new) note(CREATE, file_of(descriptor), 0, name, NULL, 0);
  if (name != NULL && !is_new && (flags & O_TRUNC)) note(TRUNCATE, file_of(descriptor), 0, NULL, NULL, 0);
  errno = error;
  return descriptor;
}

static int open_at(int directory, const char *path, int flags, mode_t mode) {
  const char *name = directory == AT_FDCWD || path[0] == '/' ? below(path) : NULL;
  if (name == NULL) return opened((int)syscall(SYS_openat, directory, path, flags, mode), NULL, false, flags);
  pthread_mutex_lock(&lock);
  bool is_new = (flags & O_CREAT) && syscall(SYS_access, path, F_OK) != 0;
  int error = is_new || (flags & O_TRUNC) ? failure(is_new) : 0;
  int descriptor = -1;
  if (error == 0) {
    descriptor = opened((int)syscall(SYS_openat, directory, path, flags, mode), name, is_new, flags);
    error = errno;
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return descriptor;
}

#define MODE(flags, mode) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

int open(const char *path, int flags, ...) { MODE(flags, mode) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags, mode) return open_at(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags, mode) return open_at(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags, mode) return open_at(at, path, flags, mode); }
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

static int make_temporary(char *template, int (*make)(char *)) {
  const char *name = below(template);
  if (name == NULL) return opened(make(template), NULL, false, 0);
  pthread_mutex_lock(&lock);
  int error = failure(true);
  int descriptor = error != 0 ? -1 : opened(make(template), name, true, 0);
  if (error != 0) errno = error;
  pthread_mutex_unlock(&lock);
  return descriptor;
}

int mkstemp(char *template) { REAL(mkstemp); return make_temporary(template, real); }
int mkstemp64(char *template) { REAL(mkstemp64); return make_temporary(template, real); }

int close(int descriptor) {
  if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS) is_watched[descriptor] = false;
  return (int)syscall(SYS_close, descriptor);
}

// A write at an offset, or where the descriptor stands if that is negative.
static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t offset) {
  bool stands = offset < 0;
  if (!watches(descriptor)) {
    return stands ? syscall(SYS_write, descriptor, bytes, count) : syscall(SYS_pwrite64, descriptor, bytes, count, offset);
  }
  pthread_mutex_lock(&lock);
  int error = 0;
  size_t allowed = count;
  bool due = is_due(), tears = due && is_fault("torn");
  int flags = fcntl(descriptor, F_GETFL);
  off_t place = !stands ? offset : lseek(descriptor, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
  struct stat status;
  if (is_full && fstat(descriptor, &status) == 0 && place + (off_t)count > status.st_size) error = ENOSPC;
  if (due && is_fault("eio")) error = EIO;
  if (due && is_fault("eintr")) error = EINTR;
  if (tears || (due && is_fault("short"))) allowed = count > 1024 ? count / 2 & ~(size_t)511 : (count + 1) / 2;
  ssize_t written = -1;
  if (error == 0) {
    written = stands ? syscall(SYS_write, descriptor, bytes, allowed)
                     : syscall(SYS_pwrite64, descriptor, bytes, allowed, offset);
    error = errno;
    if (tears) kill(getpid(), SIGKILL);
    if (written > 0) note(WRITE, file_of(descriptor), place, NULL, bytes, (size_t)written);
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return written;
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return write_at(descriptor, bytes, count, -1); }
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t at) { return write_at(descriptor, bytes, count, at); }
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t at) {
  return write_at(descriptor, bytes, count, at);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  if (!watches(descriptor)) return syscall(SYS_writev, descriptor, parts, count);
  ssize_t total = 0;
  for (int i = 0; i < count; i++) {
    ssize_t written = write_at(descriptor, parts[i].iov_base, parts[i].iov_len, -1);
    if (written < 0) return total > 0 ? total : -1;
    total += written;
    if ((size_t)written < parts[i].iov_len) break;
  }
  return total;
}

static int truncate_to(int descriptor, off_t size) {
  if (!watches(descriptor)) return (int)syscall(SYS_ftruncate, descriptor, size);
  pthread_mutex_lock(&lock);
  int error = failure(false), result = -1;
  if (error == 0) {
    result = (int)syscall(SYS_ftruncate, descriptor, size);
    error = errno;
    if (result == 0) note(TRUNCATE, file_of(descriptor), size, NULL, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int ftruncate(int descriptor, off_t size) { return truncate_to(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return truncate_to(descriptor, size); }

static int synchronize(int descriptor, long call) {
  if (!watches(descriptor)) return (int)syscall(call, descriptor);
  pthread_mutex_lock(&lock);
  int error = failure(false), result = -1;
  if (++syncs == fault_at && is_fault("sync")) error = EIO;
  if (error == 0) {
    // What is on a disk is not asked here: nothing needs to wait for it.
    note(SYNC, file_of(descriptor), 0, NULL, NULL, 0);
    result = 0;
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int fsync(int descriptor) { return synchronize(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synchronize(descriptor, SYS_fdatasync); }

// A call that changes names: `from` and `to` may be NULL.
static int change_name(uint8_t kind, const char *from, const char *to, bool takes_space, long call, long a, long b, long c,
                       long d, long e) {
  char first[PATH_MAX] = "";
  const char *name = below(from);
  if (name != NULL) snprintf(first, sizeof first, "%s", name);
  const char *second = to == NULL ? NULL : below(to);
  if (name == NULL && second == NULL) return (int)syscall(call, a, b, c, d, e);
  pthread_mutex_lock(&lock);
  int error = failure(takes_space), result = -1;
  if (error == 0) {
    result = (int)syscall(call, a, b, c, d, e);
    error = errno;
    if (result == 0) note(kind, 0, 0, first, second, second == NULL ? 0 : strlen(second));
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int rename(const char *from, const char *to) {
  return change_name(RENAME, from, to, true, SYS_rename, (long)from, (long)to, 0, 0, 0);
}
int renameat(int at, const char *from, int toAt, const char *to) {
  return change_name(RENAME, from, to, true, SYS_renameat, at, (long)from, toAt, (long)to, 0);
}
int renameat2(int at, const char *from, int toAt, const char *to, unsigned flags) {
  return change_name(RENAME, from, to, true, SYS_renameat2, at, (long)from, toAt, (long)to, flags);
}
int link(const char *from, const char *to) {
  return change_name(LINK, from, to, true, SYS_link, (long)from, (long)to, 0, 0, 0);
}
int unlink(const char *path) { return change_name(UNLINK, path, NULL, false, SYS_unlink, (long)path, 0, 0, 0, 0); }
int unlinkat(int at, const char *path, int flags) {
  return change_name(UNLINK, path, NULL, false, SYS_unlinkat, at, (long)path, flags, 0, 0);
}
int rmdir(const char *path) { return change_name(UNLINK, path, NULL, false, SYS_rmdir, (long)path, 0, 0, 0, 0); }
int mkdir(const char *path, mode_t mode) {
  return change_name(FOLDER, path, NULL, true, SYS_mkdir, (long)path, mode, 0, 0, 0);
}
int remove(const char *path) {
  struct stat status;
  if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) return rmdir(path);
  return unlink(path);
}

char *getenv(const char *name) {
  static const char prefix[] = "PROOF_MARK ";
  if (!is_ready) begin();
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return real_getenv(name);
  const char *text = name + sizeof prefix - 1;
  pthread_mutex_lock(&lock);
  note(MARK, 0, 0, NULL, text, strlen(text));
  if (marks >= 0) {
    struct iovec parts[] = {{(void *)text, strlen(text)}, {"\n", 1}};
    syscall(SYS_writev, marks, parts, 2);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}
