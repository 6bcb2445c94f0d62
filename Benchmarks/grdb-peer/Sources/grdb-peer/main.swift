/// GRDB's records and observations: grdb-peer insert COUNT STORE | update STORE COUNT | queue STORE OPS | pool STORE OPS
/// | groups STORE OPS

import Foundation
import GRDB

struct Quake: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "quake"

  var id: Int64
  var magnitude: Double
  var place: String
  var time: Double
  var depth: Double
  var code: String
  var day: String

  /// The same earthquakes as Benchmarks/jobs/create.lua and the C host make.
  init(number: Int, places: [String], days: [String]) {
    id = Int64(number)
    magnitude = Double(number * 37 % 400) / 100
    place = places[number % 200]
    time = Double(1_500_000_000 + number * 7919 % 31_536_000) + 0.5
    depth = Double(number % 700) + 0.25
    let digits = String(UInt32(truncatingIfNeeded: number) &* 2_654_435_761, radix: 16)
    code = "us" + String(repeating: "0", count: 8 - digits.count) + digits
    day = days[number % 365]
  }
}

func openStore(_ path: String) throws -> DatabaseQueue {
  var configuration = Configuration()
  configuration.journalMode = .wal
  configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
  return try DatabaseQueue(path: path, configuration: configuration)
}

func mark(_ line: String) {
  FileHandle.standardError.write(Data((line + "\n").utf8))
}

func insert(_ count: Int, into path: String) throws {
  let store = try openStore(path)
  try store.write { database in
    try database.execute(
      sql: """
        CREATE TABLE quake (id INTEGER PRIMARY KEY, magnitude DOUBLE NOT NULL, place TEXT NOT NULL, time DOUBLE NOT NULL,
          depth DOUBLE NOT NULL, code TEXT NOT NULL, day TEXT NOT NULL);
        CREATE UNIQUE INDEX quake_code ON quake (code);
        CREATE INDEX quake_time ON quake (time);
        CREATE INDEX quake_magnitude ON quake (magnitude);
        """)
  }
  let places = (1...200).map { "\($0)km N of Cobb, CA" }
  let days = (1...365).map { "day \($0)" }
  mark("begin")
  try store.write { database in
    for number in 1...count {
      try Quake(number: number, places: places, days: days).insert(database)
    }
  }
  mark("end count=\(count)")
}

func update(_ path: String, _ limit: Int) throws {
  let store = try openStore(path)
  mark("begin")
  let count = try store.write { database in
    let quakes = try Quake.filter(Column("id") <= limit).fetchAll(database)
    for var quake in quakes {
      quake.depth += 1
      try quake.update(database)
    }
    return quakes.count
  }
  mark("end count=\(count)")
}

let arguments = CommandLine.arguments
switch (arguments.dropFirst().first, arguments.count) {
case ("insert", 4): try insert(Int(arguments[2])!, into: arguments[3])
case ("update", 4): try update(arguments[2], Int(arguments[3])!)
case ("queue", 4), ("pool", 4):
  try LiveObservation(observedKeys, arguments[2], isPool: arguments[1] == "pool").measure(Int(arguments[3])!)
case ("groups", 4):
  try LiveObservation(observedDays, arguments[2], isPool: false).measure(Int(arguments[3])!)
default:
  mark("usage: grdb-peer insert COUNT STORE | update STORE COUNT | queue|pool|groups STORE OPS")
  exit(64)
}
