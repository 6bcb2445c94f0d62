public import Modeling
public import ObjectGraph
public import Storage

/// Functions that are asked before something is written; false refuses it.
public struct Approval {
  /// The changes, by entity, that are about to be written to a store.
  public var changes: ([Entity: WorkCounts]) throws -> Bool
  /// A statement of SQL and its values.
  public var sql: (String, [Value], SQLiteStore) throws -> Bool
  /// A save that is about to be undone or redone.
  public var reversal: (SaveDirection, ReversibleSave) throws -> Bool

  /// Creates an approval of these functions.
  public init(
    changes: @escaping ([Entity: WorkCounts]) throws -> Bool,
    sql: @escaping (String, [Value], SQLiteStore) throws -> Bool,
    reversal: @escaping (SaveDirection, ReversibleSave) throws -> Bool
  ) {
    (self.changes, self.sql, self.reversal) = (changes, sql, reversal)
  }
}

extension Engine {
  /// Throws unless what is about to be written is approved.
  func checkApproved(_ place: String, _ ask: (Approval) throws -> Bool) throws {
    guard let approval else { return }
    if try !ask(approval) { throw ScriptError(place, .other("it was not confirmed, and nothing was written")) }
  }
}
