#!/usr/bin/env bash
# Makes plain tables with foreign keys out of the CSV files, by the sqlite3 command line alone:
# make-sqlite.sh FOLDER FILE. Some flights name an airport, a plane or an hour that is not in the data; they stay as
# they are, so Perilune has broken references to show.

set -euo pipefail

if (($# != 2)); then
  echo "usage: make-sqlite.sh FOLDER FILE" >&2
  exit 64
fi
folder=$1 file=$2
rm -f "$file"

sqlite3 "$file" <<SQL
CREATE TABLE airlines (carrier TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE airports (
  faa TEXT PRIMARY KEY, name TEXT NOT NULL, lat REAL, lon REAL, alt INTEGER, tz INTEGER, dst TEXT, tzone TEXT);
CREATE TABLE planes (
  tailnum TEXT PRIMARY KEY, year INTEGER, type TEXT, manufacturer TEXT, model TEXT,
  engines INTEGER, seats INTEGER, speed INTEGER, engine TEXT);
CREATE TABLE weather (
  origin TEXT NOT NULL, year INTEGER, month INTEGER, day INTEGER, hour INTEGER, temp REAL, dewp REAL, humid REAL,
  wind_dir INTEGER, wind_speed REAL, wind_gust REAL, precip REAL, pressure REAL, visib REAL, time_hour TEXT NOT NULL,
  PRIMARY KEY (origin, time_hour));
CREATE TABLE flights (
  year INTEGER, month INTEGER, day INTEGER, dep_time INTEGER, sched_dep_time INTEGER, dep_delay INTEGER,
  arr_time INTEGER, sched_arr_time INTEGER, arr_delay INTEGER, carrier TEXT REFERENCES airlines (carrier),
  flight INTEGER, tailnum TEXT REFERENCES planes (tailnum), origin TEXT REFERENCES airports (faa),
  dest TEXT REFERENCES airports (faa), air_time INTEGER, distance INTEGER, hour INTEGER, minute INTEGER,
  time_hour TEXT, FOREIGN KEY (origin, time_hour) REFERENCES weather (origin, time_hour));

.import --csv --skip 1 "$folder/airlines.csv" airlines
.import --csv --skip 1 "$folder/airports.csv" airports
.import --csv --skip 1 "$folder/planes.csv" planes
.import --csv --skip 1 "$folder/weather.csv" weather
.import --csv --skip 1 "$folder/flights.csv" flights

UPDATE airports SET tzone = nullif(tzone, 'NA');
UPDATE planes SET year = nullif(year, 'NA'), speed = nullif(speed, 'NA');
UPDATE weather SET
  temp = nullif(temp, 'NA'), dewp = nullif(dewp, 'NA'), humid = nullif(humid, 'NA'), wind_dir = nullif(wind_dir, 'NA'),
  wind_speed = nullif(wind_speed, 'NA'), wind_gust = nullif(wind_gust, 'NA'), pressure = nullif(pressure, 'NA');
UPDATE flights SET
  dep_time = nullif(dep_time, 'NA'), dep_delay = nullif(dep_delay, 'NA'), arr_time = nullif(arr_time, 'NA'),
  arr_delay = nullif(arr_delay, 'NA'), tailnum = nullif(tailnum, 'NA'), air_time = nullif(air_time, 'NA');

CREATE INDEX flights_carrier ON flights (carrier);
CREATE INDEX flights_tailnum ON flights (tailnum);
CREATE INDEX flights_dest ON flights (dest);
CREATE INDEX flights_origin ON flights (origin, time_hour);
SQL
