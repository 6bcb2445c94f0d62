#include <stdio.h>
#include <sys/types.h>

// Streams whose writing is a function: fopencookie of the C library, which is declared for _GNU_SOURCE only.
typedef struct perilune_stream_functions {
  void *read;
  ssize_t (*write)(void *context, const char *bytes, size_t count);
  void *seek;
  void *close;
} perilune_stream_functions;
FILE *perilune_open_stream(void *context, const char *mode, perilune_stream_functions functions) __asm__("fopencookie");
