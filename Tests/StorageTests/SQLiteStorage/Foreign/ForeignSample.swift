import Modeling

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// A store in a file that another connection writes.
final class ForeignSample {
  let sample: HistorySample
  var store: SQLiteStore { sample.store }
  let other: SQLiteStore

  /// Makes the store, and begins to watch it.
  init(_ descriptions: [EntityDescription]? = nil, history: Bool) throws {
    sample = try HistorySample(descriptions, history: history)
    other = try sample.another()
    // What the first save of each connection makes in the schema is done.
    try sample.sql("INSERT INTO network (name) VALUES ('first')")
    _ = store.foreignWatch
  }

  /// Runs SQL on the other connection, without a history of who it was.
  func elsewhere(_ text: String) throws { try other.connection.execute(text) }

  /// What others did since the last call, in a line; empty for nothing.
  func told() throws -> String {
    guard let rows = try store.changesByOthers() else { return "" }
    return rows.line
  }
}

extension TouchedRows {
  /// `quake +1 ~2,3 -4; tag ?`
  var line: String {
    let tables = self.tables.sorted { $0.key < $1.key }.map { name, table in
      var text = name
      if table.isUnknown { text += " ?" }
      for (sign, keys) in [("+", table.inserted), ("~", table.updated), ("-", table.deleted)] where !keys.isEmpty {
        text += " \(sign)\(keys.map(String.init).joined(separator: ","))"
      }
      for (column, values) in table.presentReferences.sorted(by: { $0.key < $1.key }) {
        text += " \(column)=\(values.map(\.debugText).joined(separator: ","))"
      }
      return text
    }
    return (tables + (isComplete ? [] : ["everything"])).joined(separator: "; ")
  }
}
