internal import CSQLite
import Modeling
package import StoreErrors

extension Connection {
  /// Runs the statements of a dump, which reach nothing but this database, and may make it `limit` bytes large.
  ///
  /// - Throws: StoreError `.dump` with the line of the statement that failed; `.interrupted`.
  package func run(dump text: String, limit: Int) throws(StoreError) {
    if let place = SQLScript.nullByte(in: text) {
      throw failure(.sql(message: "a zero byte, at which SQL ends", statement: "", offset: nil), in: text, at: place)
    }
    let pages = try first("PRAGMA max_page_count")?.displayText ?? ""
    try execute("PRAGMA max_page_count = \(max(1, limit / Self.pageSize))")
    try runStatements(text)
    if isInTransaction { throw failure(.openTransaction, in: text, at: text.utf8.count) }
    let tables = try first("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
    if tables == .int(0) { throw failure(.nothingToOpen, in: text, at: text.utf8.count) }
    try execute("PRAGMA max_page_count = \(pages); PRAGMA foreign_keys = OFF")
  }

  /// The size of pages in memory, in bytes.
  private static var pageSize: Int { 4096 }

  private func runStatements(_ text: String) throws(StoreError) {
    let usual = use(Confinement(handle, isDump: true))
    defer { use(usual) }
    var script = SQLScript(text)
    while !script.isAtEnd {
      let start = script.offset
      do {
        let statement = try Statement(self, &script, isForeign: true)
        while try statement.stepOnce() {}
      } catch {
        throw error.fact == .interrupted ? error : failure(error.fact, in: text, at: start)
      }
    }
  }

  private func failure(_ fact: StoreError.Fact, in text: String, at offset: Int) -> StoreError {
    var place = offset
    if case .sql(_, _, let inner?) = fact { place += inner }
    let line = text.utf8.prefix(place).reduce(1) { $1 == 10 ? $0 + 1 : $0 }
    return StoreError(.dump(line: line, fact), path: path)
  }
}
