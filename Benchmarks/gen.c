// Makes the data of the benchmarks: gen COUNT STORE.sqlite TABLE.csv
//
// The same COUNT gives the same earthquakes everywhere. Half of them have a magnitude of 2 or more, a tenth lie in
// "CA", times come in no order, and codes are unique.

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *const schema =
    "CREATE TABLE quake (id INTEGER PRIMARY KEY, magnitude DOUBLE NOT NULL, place TEXT NOT NULL, time DOUBLE NOT NULL,"
    " depth DOUBLE NOT NULL, code TEXT NOT NULL, day TEXT NOT NULL)";

static const char *const indexes =
    "CREATE UNIQUE INDEX quake_code ON quake (code);"
    "CREATE INDEX quake_time ON quake (time);"
    "CREATE INDEX quake_magnitude ON quake (magnitude)";

static const char *const directions[] = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};
static const char *const towns[] = {"Ridgecrest", "Cobb",   "Parkfield", "Anchorage", "Mina",    "Iquique",
                                    "Sendai",     "Suva",   "Patras",    "Pahala",    "Guanica", "Kaikoura"};
static const char *const regions[] = {"CA",    "Alaska", "Nevada", "Japan",       "Chile",
                                      "Hawaii", "Greece", "Fiji",   "New Zealand", "Puerto Rico"};

// splitmix64
static uint64_t below(uint64_t limit) {
  static uint64_t state = 1906;
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % limit;
}

static void check(sqlite3 *db, int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "gen: %s: %s\n", what, sqlite3_errmsg(db));
  exit(74);
}

static void run(sqlite3 *db, const char *sql) { check(db, sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, sql); }

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: gen COUNT STORE.sqlite TABLE.csv\n");
    return 64;
  }
  long count = atol(argv[1]);
  remove(argv[2]);
  sqlite3 *db;
  check(db, sqlite3_open(argv[2], &db) == SQLITE_OK, argv[2]);
  FILE *csv = fopen(argv[3], "w");
  check(db, csv != NULL, argv[3]);

  run(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  run(db, schema);
  run(db, "BEGIN");
  sqlite3_stmt *insert;
  check(db, sqlite3_prepare_v2(db, "INSERT INTO quake VALUES (?, ?, ?, ?, ?, ?, ?)", -1, &insert, NULL) == SQLITE_OK,
        "insert");
  fprintf(csv, "id,magnitude,place,time,depth,code,day\n");

  for (long id = 1; id <= count; id++) {
    double magnitude = below(400) / 100.0;
    char place[64], code[16], day[16];
    snprintf(place, sizeof place, "%dkm %s of %s, %s", (int)below(200) + 1, directions[below(8)], towns[below(12)],
             regions[below(10)]);
    double seconds = 1500000000 + below(365 * 86400000ull) / 1000.0;
    double depth = below(70000) / 100.0;
    snprintf(code, sizeof code, "us%08x", (uint32_t)id * 2654435761u);  // an odd factor keeps them apart
    time_t whole = (time_t)seconds;
    struct tm date;
    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&whole, &date));

    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_double(insert, 2, magnitude);
    sqlite3_bind_text(insert, 3, place, -1, SQLITE_STATIC);
    sqlite3_bind_double(insert, 4, seconds);
    sqlite3_bind_double(insert, 5, depth);
    sqlite3_bind_text(insert, 6, code, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 7, day, -1, SQLITE_STATIC);
    check(db, sqlite3_step(insert) == SQLITE_DONE, "insert");
    sqlite3_reset(insert);
    fprintf(csv, "%ld,%.2f,\"%s\",%.3f,%.2f,%s,%s\n", id, magnitude, place, seconds, depth, code, day);
  }

  sqlite3_finalize(insert);
  run(db, indexes);
  run(db, "COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)");
  check(db, fclose(csv) == 0, argv[3]);
  check(db, sqlite3_close(db) == SQLITE_OK, argv[2]);
}
