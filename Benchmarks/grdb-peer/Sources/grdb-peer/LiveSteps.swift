/// The five kinds of changes in turn that Benchmarks/live makes too, drawn from the same numbers.

import GRDB

struct LiveSteps {
  struct Step {
    let sql: String
    let arguments: StatementArguments
    /// Whether more than the depth changes.
    var changesMore = true
  }

  private var state: UInt64 = 88_172_645_463_325_252
  private let originalRows: Int64
  private var lastID: Int64

  init(_ database: Database) throws {
    originalRows = try Int64.fetchOne(database, sql: "SELECT max(_pk) FROM quake") ?? 0
    lastID = originalRows
  }

  /// A step by its number; the row is found here, outside of what is timed.
  mutating func choose(_ index: Int, _ database: Database) throws -> Step {
    switch index % 5 {
    case 0:
      let (id, magnitude) = try randomRow(database, isShown: false)
      let other = magnitude >= 2 ? magnitude - 2 : magnitude + 2
      return Step(sql: "UPDATE quake SET magnitude = ?2 WHERE _pk = ?1", arguments: [id, other])
    case 1:
      let (id, _) = try randomRow(database, isShown: true)
      return Step(sql: "UPDATE quake SET time = ?2 WHERE _pk = ?1", arguments: [id, randomTime()])
    case 2:
      let (id, _) = try randomRow(database, isShown: true)
      return Step(sql: "UPDATE quake SET depth = depth + 1 WHERE _pk = ?1", arguments: [id], changesMore: false)
    case 3:
      lastID += 1
      let magnitude = 2 + Double(below(200)) / 100
      let sql = """
        INSERT INTO quake (_pk, magnitude, place, time, depth, code, day)
        VALUES (?1, ?2, '5km N of Cobb, CA', ?3, 1.0, printf('us%08x', ?1 * 2654435761 & 4294967295), '2018-01-01')
        """
      return Step(sql: sql, arguments: [lastID, magnitude, randomTime()])
    default:
      let (id, _) = try randomRow(database, isShown: true)
      return Step(sql: "DELETE FROM quake WHERE _pk = ?1", arguments: [id])
    }
  }

  /// xorshift64
  private mutating func below(_ limit: UInt64) -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return (state >> 11) % limit
  }

  private mutating func randomTime() -> Double {
    1_500_000_000 + Double(below(31_536_000_000)) / 1000
  }

  private mutating func randomRow(_ database: Database, isShown: Bool) throws -> (id: Int64, magnitude: Double) {
    var id = Int64(below(UInt64(originalRows))) + 1
    while true {
      let magnitude = try Double.fetchOne(database, sql: "SELECT magnitude FROM quake WHERE _pk = ?", arguments: [id])
      if let magnitude, !isShown || magnitude >= 2 { return (id, magnitude) }
      id = id % originalRows + 1
    }
  }
}
