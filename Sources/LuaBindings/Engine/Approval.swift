public import Modeling
public import ObjectGraph
public import Stores

/// Functions that are asked before something is written; false refuses it.
public struct Approval {
  /// The changes, by entity, that are about to be written to a store, and what to call before a question: it writes them and takes
  /// them back, and throws what the store refuses them with.
  public var changes: ([Entity: WorkCounts], _ rehearse: () throws -> Void) throws -> Bool
  /// SQL of a store; returns the question about its effects on existing rows, which is asked before they are kept; nil for no
  /// question.
  public var sql: (any OpenedStore) -> (([StatementEffect]) -> Bool)?
  /// A save that is about to be undone or redone.
  public var reversal: (SaveDirection, ReversibleSave) throws -> Bool

  /// Creates an approval of these functions.
  public init(
    changes: @escaping ([Entity: WorkCounts], _ rehearse: () throws -> Void) throws -> Bool,
    sql: @escaping (any OpenedStore) -> (([StatementEffect]) -> Bool)?,
    reversal: @escaping (SaveDirection, ReversibleSave) throws -> Bool
  ) {
    (self.changes, self.sql, self.reversal) = (changes, sql, reversal)
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
  /// Runs handwritten SQL, whose effects on existing rows are kept once they are approved.
  func approvedSQL(_ place: String, _ text: String, _ arguments: [Value]) throws -> ValueCursor {
    if engine.options.refusesSQL {
      throw RefusedInSandbox(place, reason: "there is no SQL here; requests reach all rows")
    }
    let question = engine.host.approval?.sql(objectStore)
    return try objectStore.sql(
      text, arguments,
      approve: question.map { approves in
        { [engine] effects in if !approves(effects) { throw engine.notApproved(place) } }
      })
  }
}
