#include "CRsvg.h"

#include <dlfcn.h>
#include <pthread.h>

// The parts of the interfaces of librsvg 2.46 and cairo 1.10 that are used.

typedef struct rectangle {
  double x, y, width, height;
} rectangle;

typedef struct error {
  uint32_t domain;
  int code;
  char *message;
} error;

enum { FORMAT_RGB24 = 1, STATUS_SUCCESS = 0, STATUS_WRITE_ERROR = 11 };

static struct {
  void *(*handle_new)(const uint8_t *data, size_t length, error **error);
  int (*handle_draw)(void *handle, void *cairo, const rectangle *viewport, error **error);
  void (*object_unref)(void *object);
  void (*error_free)(error *error);
  void *(*surface_new)(unsigned char *data, int format, int width, int height, int stride);
  int (*surface_status)(void *surface);
  void (*surface_flush)(void *surface);
  int (*surface_png)(void *surface, int (*write)(void *, const unsigned char *, unsigned int), void *context);
  void (*surface_destroy)(void *surface);
  void *(*cairo_new)(void *surface);
  int (*cairo_status)(void *cairo);
  void (*cairo_destroy)(void *cairo);
} library;

static bool is_present;

static void open_library(void) {
  static const char *const names[] = {"librsvg-2.so.2", "librsvg-2.2.dylib", "librsvg-2.dylib"};
  void *opened = NULL;
  for (size_t i = 0; opened == NULL && i < sizeof names / sizeof names[0]; i++) {
    opened = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  if (opened == NULL) return;
  // What librsvg depends on is found through it.
  is_present = (library.handle_new = dlsym(opened, "rsvg_handle_new_from_data")) &&
               (library.handle_draw = dlsym(opened, "rsvg_handle_render_document")) &&
               (library.object_unref = dlsym(opened, "g_object_unref")) &&
               (library.error_free = dlsym(opened, "g_error_free")) &&
               (library.surface_new = dlsym(opened, "cairo_image_surface_create_for_data")) &&
               (library.surface_status = dlsym(opened, "cairo_surface_status")) &&
               (library.surface_flush = dlsym(opened, "cairo_surface_flush")) &&
               (library.surface_png = dlsym(opened, "cairo_surface_write_to_png_stream")) &&
               (library.surface_destroy = dlsym(opened, "cairo_surface_destroy")) &&
               (library.cairo_new = dlsym(opened, "cairo_create")) &&
               (library.cairo_status = dlsym(opened, "cairo_status")) &&
               (library.cairo_destroy = dlsym(opened, "cairo_destroy"));
}

bool perilune_rsvg_is_available(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return is_present;
}

// Returns a surface over the pixels; NULL if there is no memory for it.
static void *surface_over(uint32_t *pixels, int columns, int rows) {
  void *surface = library.surface_new((unsigned char *)pixels, FORMAT_RGB24, columns, rows, columns * 4);
  if (library.surface_status(surface) == STATUS_SUCCESS) return surface;
  library.surface_destroy(surface);
  return NULL;
}

perilune_rsvg_result perilune_rsvg_draw(
  const char *document, size_t length, int columns, int rows, uint32_t *pixels) {
  if (!perilune_rsvg_is_available()) return PERILUNE_RSVG_NO_LIBRARY;
  error *error = NULL;
  void *handle = library.handle_new((const uint8_t *)document, length, &error);
  if (handle == NULL) {
    if (error != NULL) library.error_free(error);
    return PERILUNE_RSVG_REFUSED;
  }
  perilune_rsvg_result result = PERILUNE_RSVG_NO_MEMORY;
  void *surface = surface_over(pixels, columns, rows);
  if (surface != NULL) {
    void *cairo = library.cairo_new(surface);
    rectangle viewport = {0, 0, columns, rows};
    int is_drawn = library.handle_draw(handle, cairo, &viewport, &error);
    result = is_drawn && library.cairo_status(cairo) == STATUS_SUCCESS ? PERILUNE_RSVG_DONE : PERILUNE_RSVG_REFUSED;
    if (error != NULL) library.error_free(error);
    library.cairo_destroy(cairo);
    library.surface_flush(surface);
    library.surface_destroy(surface);
  }
  library.object_unref(handle);
  return result;
}

typedef struct writer {
  int (*write)(void *context, const unsigned char *bytes, unsigned int count);
  void *context;
} writer;

static int write_piece(void *context, const unsigned char *bytes, unsigned int count) {
  const writer *writer = context;
  return writer->write(writer->context, bytes, count) == 0 ? STATUS_SUCCESS : STATUS_WRITE_ERROR;
}

perilune_rsvg_result perilune_rsvg_png(
  uint32_t *pixels, int columns, int rows,
  int (*write)(void *context, const unsigned char *bytes, unsigned int count), void *context) {
  if (!perilune_rsvg_is_available()) return PERILUNE_RSVG_NO_LIBRARY;
  void *surface = surface_over(pixels, columns, rows);
  if (surface == NULL) return PERILUNE_RSVG_NO_MEMORY;
  writer pieces = {write, context};
  int status = library.surface_png(surface, write_piece, &pieces);
  library.surface_destroy(surface);
  return status == STATUS_SUCCESS ? PERILUNE_RSVG_DONE : PERILUNE_RSVG_NO_MEMORY;
}
