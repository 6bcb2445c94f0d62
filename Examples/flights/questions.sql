-- The ten questions of questions.lua, asked of the plain tables that make-sqlite.sh makes:
--
--     sqlite3 -tabs plain.sqlite < Examples/flights/questions.sql

SELECT '1. Which routes are the busiest?';
SELECT origin || '-' || dest, count(*) AS n FROM flights JOIN airports ON faa = dest
  GROUP BY origin, dest ORDER BY n DESC, 1 LIMIT 5;

SELECT '2. Which airlines arrive the latest?';
SELECT name, avg(arr_delay) AS late FROM flights JOIN airlines USING (carrier) WHERE arr_delay IS NOT NULL
  GROUP BY name ORDER BY late DESC, name LIMIT 5;

SELECT '3. Which planes built before 1975 still fly, and how often?';
SELECT planes.year, tailnum, count(*) FROM planes JOIN flights USING (tailnum) WHERE planes.year < 1975
  GROUP BY tailnum ORDER BY 1, 2;

SELECT '4. How late were the flights of the windiest hour?';
SELECT origin, time_hour, wind_speed, count(*), avg(dep_delay) FROM weather JOIN flights USING (origin, time_hour)
  WHERE wind_speed < 200 GROUP BY origin, time_hour ORDER BY wind_speed DESC, origin, time_hour LIMIT 1;

SELECT '5. Which airlines fly to Honolulu?';
SELECT DISTINCT name FROM airlines JOIN flights USING (carrier) WHERE dest = 'HNL' ORDER BY name;

SELECT '6. On which days were most flights cancelled?';
SELECT 'all', count(*) FROM flights WHERE dep_time IS NULL;
SELECT printf('%02d-%02d', month, day), count(*) AS n FROM flights WHERE dep_time IS NULL
  GROUP BY month, day ORDER BY n DESC, 1 LIMIT 3;

SELECT '7. Which known airports are the farthest and the nearest?';
SELECT origin, name, distance FROM flights JOIN airports ON faa = dest ORDER BY distance DESC, dest, origin LIMIT 1;
SELECT origin, name, distance FROM flights JOIN airports ON faa = dest ORDER BY distance, dest, origin LIMIT 1;

SELECT '8. Whose planes cover the most miles?';
SELECT manufacturer, sum(distance) AS miles FROM flights JOIN planes USING (tailnum) WHERE air_time IS NOT NULL
  GROUP BY manufacturer ORDER BY miles DESC, manufacturer LIMIT 5;

SELECT '9. Does rain delay departures?';
SELECT 'rain', avg(dep_delay) FROM flights JOIN weather USING (origin, time_hour) WHERE precip > 0;
SELECT 'dry', avg(dep_delay) FROM flights JOIN weather USING (origin, time_hour) WHERE precip = 0;

SELECT '10. Who makes up for a late departure the most often?';
SELECT name, count(*) AS n FROM flights JOIN airlines USING (carrier) WHERE dep_delay >= 15 AND arr_delay <= 0
  GROUP BY name ORDER BY n DESC, name LIMIT 3;
