#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libpq, the client library of PostgreSQL. It is opened at the first use and never linked: opening it and what it
// depends on takes longer than the whole start of a program without it. Nothing here needs its headers.

typedef enum perilune_pq_state {
  PERILUNE_PQ_PRESENT,
  PERILUNE_PQ_MISSING,
  // A library before PostgreSQL 14, which lacks pipelines.
  PERILUNE_PQ_TOO_OLD,
} perilune_pq_state;

// Opens the library the first time; no function below may be called unless it is present.
perilune_pq_state perilune_pq_open(void);

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pg_cancel PGcancel;

typedef struct perilune_pq_option {
  char *keyword;
  char *environment;
  char *compiled;
  char *value;
  char *label;
  char *display;
  int size;
} perilune_pq_option;

typedef struct perilune_pq_notification {
  char *channel;
  int process;
  char *payload;
  struct perilune_pq_notification *next;
} perilune_pq_notification;

typedef void (*perilune_pq_notice)(void *context, const char *message);

enum { PERILUNE_PQ_CONNECTION_OK = 0 };

enum {
  PERILUNE_PQ_POLL_FAILED = 0,
  PERILUNE_PQ_POLL_READING = 1,
  PERILUNE_PQ_POLL_WRITING = 2,
  PERILUNE_PQ_POLL_OK = 3,
};

enum {
  PERILUNE_PQ_EMPTY_QUERY = 0,
  PERILUNE_PQ_COMMAND_OK = 1,
  PERILUNE_PQ_TUPLES_OK = 2,
  PERILUNE_PQ_COPY_OUT = 3,
  PERILUNE_PQ_COPY_IN = 4,
  PERILUNE_PQ_BAD_RESPONSE = 5,
  PERILUNE_PQ_NONFATAL_ERROR = 6,
  PERILUNE_PQ_FATAL_ERROR = 7,
  PERILUNE_PQ_COPY_BOTH = 8,
  PERILUNE_PQ_SINGLE_TUPLE = 9,
  PERILUNE_PQ_PIPELINE_SYNC = 10,
  PERILUNE_PQ_PIPELINE_ABORTED = 11,
};

enum {
  PERILUNE_PQ_IDLE = 0,
  PERILUNE_PQ_ACTIVE = 1,
  PERILUNE_PQ_IN_TRANSACTION = 2,
  PERILUNE_PQ_IN_ERROR = 3,
};

// The functions of libpq that are used: result, name, parameters, arguments.
#define PERILUNE_PQ_FUNCTIONS(F) \
  F(perilune_pq_option *, PQconninfoParse, (const char *text, char **message), (text, message)) \
  F(perilune_pq_option *, PQconninfo, (PGconn * connection), (connection)) \
  F(void, PQconninfoFree, (perilune_pq_option * options), (options)) \
  F(PGconn *, PQconnectStartParams, (const char *const *keywords, const char *const *values, int expand), \
    (keywords, values, expand)) \
  F(int, PQconnectPoll, (PGconn * connection), (connection)) \
  F(void, PQfinish, (PGconn * connection), (connection)) \
  F(int, PQstatus, (const PGconn *connection), (connection)) \
  F(int, PQtransactionStatus, (const PGconn *connection), (connection)) \
  F(int, PQserverVersion, (const PGconn *connection), (connection)) \
  F(int, PQsocket, (const PGconn *connection), (connection)) \
  F(int, PQbackendPID, (const PGconn *connection), (connection)) \
  F(char *, PQdb, (const PGconn *connection), (connection)) \
  F(char *, PQuser, (const PGconn *connection), (connection)) \
  F(char *, PQhost, (const PGconn *connection), (connection)) \
  F(char *, PQport, (const PGconn *connection), (connection)) \
  F(int, PQsslInUse, (PGconn * connection), (connection)) \
  F(const char *, PQparameterStatus, (const PGconn *connection, const char *name), (connection, name)) \
  F(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
  F(int, PQconnectionNeedsPassword, (const PGconn *connection), (connection)) \
  F(int, PQsetErrorVerbosity, (PGconn * connection, int verbosity), (connection, verbosity)) \
  F(int, PQsetnonblocking, (PGconn * connection, int value), (connection, value)) \
  F(perilune_pq_notice, PQsetNoticeProcessor, (PGconn * connection, perilune_pq_notice notice, void *context), \
    (connection, notice, context)) \
  F(int, PQsendQuery, (PGconn * connection, const char *sql), (connection, sql)) \
  F(int, PQsendQueryParams, \
    (PGconn * connection, const char *sql, int count, const uint32_t *types, const char *const *values, \
     const int *lengths, const int *formats, int format), \
    (connection, sql, count, types, values, lengths, formats, format)) \
  F(int, PQsendPrepare, (PGconn * connection, const char *name, const char *sql, int count, const uint32_t *types), \
    (connection, name, sql, count, types)) \
  F(int, PQsendQueryPrepared, \
    (PGconn * connection, const char *name, int count, const char *const *values, const int *lengths, \
     const int *formats, int format), \
    (connection, name, count, values, lengths, formats, format)) \
  F(int, PQsetSingleRowMode, (PGconn * connection), (connection)) \
  F(int, PQconsumeInput, (PGconn * connection), (connection)) \
  F(int, PQisBusy, (PGconn * connection), (connection)) \
  F(int, PQflush, (PGconn * connection), (connection)) \
  F(PGresult *, PQgetResult, (PGconn * connection), (connection)) \
  F(int, PQenterPipelineMode, (PGconn * connection), (connection)) \
  F(int, PQexitPipelineMode, (PGconn * connection), (connection)) \
  F(int, PQpipelineSync, (PGconn * connection), (connection)) \
  F(int, PQgetCopyData, (PGconn * connection, char **buffer, int async), (connection, buffer, async)) \
  F(int, PQputCopyData, (PGconn * connection, const char *buffer, int count), (connection, buffer, count)) \
  F(int, PQputCopyEnd, (PGconn * connection, const char *message), (connection, message)) \
  F(perilune_pq_notification *, PQnotifies, (PGconn * connection), (connection)) \
  F(PGcancel *, PQgetCancel, (PGconn * connection), (connection)) \
  F(int, PQcancel, (PGcancel * cancel, char *message, int size), (cancel, message, size)) \
  F(void, PQfreeCancel, (PGcancel * cancel), (cancel)) \
  F(void, PQfreemem, (void *memory), (memory)) \
  F(int, PQresultStatus, (const PGresult *result), (result)) \
  F(char *, PQresultErrorMessage, (const PGresult *result), (result)) \
  F(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
  F(char *, PQcmdTuples, (PGresult * result), (result)) \
  F(char *, PQcmdStatus, (PGresult * result), (result)) \
  F(int, PQntuples, (const PGresult *result), (result)) \
  F(int, PQnfields, (const PGresult *result), (result)) \
  F(char *, PQfname, (const PGresult *result, int column), (result, column)) \
  F(uint32_t, PQftype, (const PGresult *result, int column), (result, column)) \
  F(int, PQfmod, (const PGresult *result, int column), (result, column)) \
  F(uint32_t, PQftable, (const PGresult *result, int column), (result, column)) \
  F(int, PQftablecol, (const PGresult *result, int column), (result, column)) \
  F(int, PQfformat, (const PGresult *result, int column), (result, column)) \
  F(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column)) \
  F(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
  F(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
  F(void, PQclear, (PGresult * result), (result))

#define PERILUNE_PQ_POINTER(result, name, parameters, arguments) result(*name) parameters;
struct perilune_pq_functions {
  PERILUNE_PQ_FUNCTIONS(PERILUNE_PQ_POINTER)
};
extern struct perilune_pq_functions perilune_pq;

// Each is called by its own name; the call goes through the pointer without a frame in between.
#define PERILUNE_PQ_CALL(result, name, parameters, arguments) \
  static inline result name parameters { return perilune_pq.name arguments; }
PERILUNE_PQ_FUNCTIONS(PERILUNE_PQ_CALL)

#undef PERILUNE_PQ_POINTER
#undef PERILUNE_PQ_CALL

// A request to the server to cancel what a connection runs. PQcancel opens a connection of its own and waits for the
// server to close it, so that it runs on a thread, which shares nothing with the rest but this.
typedef struct perilune_pq_cancellation perilune_pq_cancellation;

// Sends a request; NULL if none can be sent.
perilune_pq_cancellation *perilune_pq_cancel(PGconn *connection);

// Whether the server has got the request, or cannot be reached: it will cancel nothing that is sent from now on.
bool perilune_pq_is_over(const perilune_pq_cancellation *cancellation);

// Lets go of a request, over or not.
void perilune_pq_release(perilune_pq_cancellation *cancellation);

#endif
