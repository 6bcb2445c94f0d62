#ifndef CRSVG_H
#define CRSVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// librsvg and cairo, which are opened at the first call and never linked: the program starts without them.

typedef enum perilune_rsvg_result {
  PERILUNE_RSVG_DONE,
  PERILUNE_RSVG_NO_LIBRARY,
  PERILUNE_RSVG_REFUSED,
  PERILUNE_RSVG_NO_MEMORY,
} perilune_rsvg_result;

// Whether the libraries are there.
bool perilune_rsvg_is_available(void);

// Draws a document on `pixels`, which are columns * rows words of 0x00RRGGBB, scaled to fill them.
perilune_rsvg_result perilune_rsvg_draw(
  const char *document, size_t length, int columns, int rows, uint32_t *pixels);

// Writes pixels as PNG, in pieces; `write` returns 0 unless it fails.
perilune_rsvg_result perilune_rsvg_png(
  uint32_t *pixels, int columns, int rows,
  int (*write)(void *context, const unsigned char *bytes, unsigned int count), void *context);

#endif
