public import Modeling
public import ObjectGraph
internal import PostgresStorage
public import SQLiteStorage
public import Stores

/// Functions that are asked before something is written; false refuses it.
public struct Approval {
  /// The changes, by entity, that are about to be written to a store, and what to call before a question: it writes them and takes
  /// them back, and throws what the store refuses them with.
  public var changes: ([Entity: WorkCounts], _ rehearse: () throws -> Void) throws -> Bool
  /// A text of SQL and its values, before it is run on a file.
  public var sql: (String, [Value], SQLiteStore) throws -> Bool
  /// A text of SQL and its values that will be run on a server; returns the question about the rows that it has changed,
  /// which is asked before they are kept; nil for no question.
  public var serverSQL: (String, [Value], any OpenedStore) throws -> (([StatementEffect]) throws -> Bool)?
  /// A save that is about to be undone or redone.
  public var reversal: (SaveDirection, ReversibleSave) throws -> Bool

  /// Creates an approval of these functions.
  public init(
    changes: @escaping ([Entity: WorkCounts], _ rehearse: () throws -> Void) throws -> Bool,
    sql: @escaping (String, [Value], SQLiteStore) throws -> Bool,
    serverSQL: @escaping (String, [Value], any OpenedStore) throws -> (([StatementEffect]) throws -> Bool)?,
    reversal: @escaping (SaveDirection, ReversibleSave) throws -> Bool
  ) {
    (self.changes, self.sql, self.serverSQL, self.reversal) = (changes, sql, serverSQL, reversal)
  }
}

extension Engine {
  /// Throws unless what is about to be written is approved.
  func checkApproved(_ place: String, _ ask: (Approval) throws -> Bool) throws {
    guard let approval = host.approval else { return }
    if try !ask(approval) { throw notApproved(place) }
  }

  fileprivate func notApproved(_ place: String) -> ScriptError {
    ScriptError(place, .other("it was not confirmed, and nothing was written"))
  }

  /// Runs handwritten SQL in the main store, once it is approved; nil without a store.
  ///
  /// - Throws: StoreError; an error that says so where it is not approved.
  public func sql(_ text: String, place: String) throws -> ValueCursor? {
    try globals.store?.approvedSQL(place, text, [])
  }
}

extension BoundStore {
  /// Runs handwritten SQL, once it is approved. For a file the question is about what it would do; for a database, about
  /// what it has done before that is kept.
  func approvedSQL(_ place: String, _ text: String, _ arguments: [Value]) throws -> ValueCursor {
    if engine.options.refusesSQL {
      throw RefusedInSandbox(place, reason: "there is no SQL here; requests reach all rows")
    }
    if let sqliteStore { try engine.checkApproved(place) { try $0.sql(text, arguments, sqliteStore) } }
    guard let server = objectStore as? PostgresStore,
      let approve = try engine.host.approval?.serverSQL(text, arguments, server)
    else { return try objectStore.sql(text, arguments) }
    return try server.sql(text, arguments) { [engine] effects in
      if try !approve(effects) { throw engine.notApproved(place) }
    }
  }
}
