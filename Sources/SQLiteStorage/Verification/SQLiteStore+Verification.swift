import Modeling
import SQLite
public import Stores

extension SQLiteStore {
  /// Checks the file against SQLite's rules and those of its format; returns the problems.
  ///
  /// The check only reads. It reports at most `limit` problems of one kind in one place.
  ///
  /// - Throws: StoreError.
  public func verify(limit: Int) throws -> [StoreProblem] {
    try reading {
      try connection.integrityProblems(limit) + format.problems(in: self, limit: limit)
    }
  }

  /// Examines the file, including the uncommitted changes of its connection.
  public func examine() -> StoreDiagnosis { StoreDiagnosis(self) }

  func foreignKeyProblems(_ limit: Int) throws -> [StoreProblem] {
    try connection.all("PRAGMA main.foreign_key_check").prefix(limit).map { row in
      let key: Int64? = if case .int(let key) = row[1] { key } else { nil }
      return StoreProblem(
        rule: .foreignKey, table: row[0].displayText, key: key, expected: "a row of \(row[2].displayText)")
    }
  }

  func orderProblems() throws -> [StoreProblem] {
    try checkInvariants().map { StoreProblem(rule: .order, table: "", found: $0) }
  }
}

extension Connection {
  /// The problems that SQLite's integrity check finds.
  func integrityProblems(_ limit: Int) throws(StoreError) -> [StoreProblem] {
    let rows = try all("PRAGMA main.quick_check(\(max(1, limit)))")
    return rows.compactMap { row in
      guard case .string(let text) = row[0], text != "ok" else { return nil }
      return StoreProblem(rule: .integrity, table: "", found: text)
    }
  }
}
