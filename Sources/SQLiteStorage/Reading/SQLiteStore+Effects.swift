public import Modeling
import RelationalStorage
public import Stores

extension SQLiteStore {
  /// Runs a user's SQL as `sql(_:_:)` does, once `approve` has not thrown. Rows are counted beforehand, so that no lock is held while
  /// a person thinks; nothing is asked about changes that the store refuses.
  ///
  /// - Throws: StoreError; what `approve` throws.
  public func sql(_ text: String, _ arguments: [Value], approve: (([StatementEffect]) throws -> Void)?) throws
    -> ValueCursor
  {
    if let approve, !isReadOnly { try approve(effects(of: text, arguments)) }
    return try sql(text, arguments)
  }

  /// The effects of a text's statements. A statement whose rows cannot be counted has none: it reports its mistake itself.
  private func effects(of text: String, _ arguments: [Value]) -> [StatementEffect] {
    SQLChange.changes(of: text, arguments).compactMap { change in
      guard let kind = change.kind, let rows = try? count(change) else { return nil }
      return StatementEffect(kind, rows: rows, of: change.table)
    }
  }

  private func count(_ change: SQLChange) throws -> Int {
    let cursor = try sql(change.count, change.arguments)
    defer { cursor.close() }
    guard try cursor.step(), case .int(let count) = cursor.value(0) else { return 0 }
    return Int(count)
  }
}

extension SQLChange {
  /// The kind of the effect; nil for statements that SQLite does not have.
  fileprivate var kind: StatementEffect.Kind? {
    switch verb {
    case .deletes: .deletion
    case .changes: .change
    case .drops: .drop
    case .empties: nil
    }
  }
}
