import Foundation
import Modeling
import SQLiteStorage
import Stores

/// Kinds of files to which other programs write.
enum OtherStore: CaseIterable {
  /// A store of ours that keeps a history, and one that keeps none.
  case history, plain
  /// Tables made by another program, whose keys are integers, or texts.
  case numbers, texts

  var names: OtherScript.Names {
    switch self {
    case .history, .plain:
      OtherScript.Names(
        tripKey: "_pk", key: "_pk", place: "place_pk", country: "country_pk", trip: "trip_pk", pairs: "tag_trips",
        tag: "tag_pk")
    case .numbers, .texts:
      OtherScript.Names(
        tripKey: self == .texts ? "code" : "id", hasNumbers: self == .numbers, key: "id", place: "place_id",
        country: "country_id", trip: "trip_id", pairs: "trip_tag", tag: "tag_id")
    }
  }

  /// Makes a file of the kind.
  func open(_ path: String) throws -> SQLiteStore {
    var options = StoreOptions(path: path)
    switch self {
    case .history, .plain:
      options.create = true
      options.history = self == .history
      options.model = try LiveWorld.model(code: true)
    case .numbers, .texts:
      _ = try OtherWriter.process(path).run([schema])
    }
    return try SQLiteStore(options)
  }

  private var schema: String {
    let trip = self == .texts ? "code TEXT PRIMARY KEY NOT NULL" : "id INTEGER PRIMARY KEY, code TEXT UNIQUE"
    let (type, key) = self == .texts ? ("TEXT", "code") : ("INTEGER", "id")
    return """
      CREATE TABLE country (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT, rank INTEGER,
        country_id INTEGER REFERENCES country(id) ON DELETE SET NULL);
      CREATE TABLE trip (\(trip), name TEXT, cost REAL, stars INTEGER, start REAL,
        day TEXT GENERATED ALWAYS AS (date(start, 'unixepoch')) VIRTUAL, note TEXT,
        place_id INTEGER REFERENCES place(id) ON DELETE SET NULL)\(self == .texts ? " WITHOUT ROWID" : "");
      CREATE TABLE guest (id INTEGER PRIMARY KEY, name TEXT, age INTEGER,
        trip_id \(type) REFERENCES trip(\(key)) ON DELETE CASCADE ON UPDATE CASCADE);
      CREATE TABLE tag (id INTEGER PRIMARY KEY, label TEXT);
      CREATE TABLE trip_tag (trip_id \(type) REFERENCES trip(\(key)) ON DELETE CASCADE ON UPDATE CASCADE,
        tag_id INTEGER REFERENCES tag(id) ON DELETE CASCADE, PRIMARY KEY (trip_id, tag_id));
      """
  }
}
