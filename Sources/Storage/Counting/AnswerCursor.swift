import Modeling
public import Queries

/// The rows of an entity one after the other, with what some predicates say of each: yes, no or neither.
public final class AnswerCursor {
  private let statement: Statement
  private let interner: KeyInterner?
  private let keyCount: Int

  init(_ statement: Statement, keyCount: Int, interner: KeyInterner?) {
    self.statement = statement
    self.keyCount = keyCount
    self.interner = interner
  }

  deinit { statement.connection.checkIn(statement) }

  /// Moves to the next row; false after the last.
  public func step() throws -> Bool { try statement.step() }

  /// The key of the row.
  public var key: Int64 {
    interner.map { $0.number(of: (0..<keyCount).map(statement.value)) } ?? statement.integer(0)
  }

  /// What the predicate at an index says of the row; nil for neither.
  public func answer(_ index: Int) -> Bool? {
    let column = keyCount + index
    return statement.storageClass(column) == .null ? nil : statement.integer(column) != 0
  }
}

extension SQLiteStore {
  /// Asks predicates of every row of the request's entity, in one pass, by key; its own predicate and limits are not
  /// looked at.
  ///
  /// - Throws: PredicateError, StoreError.
  public func answers(_ request: FetchRequest, to predicates: [Queries.Predicate]) throws -> AnswerCursor {
    let compiler = SQLCompiler(schema)
    let place = compiler.place(request.entity)
    var statement = SelectStatement()
    let family = compiler.familyCondition(
      request.entity, alias: place.alias, includesSubentities: request.includesSubentities)
    if let family { statement.conditions.append(SQLCondition(family)) }
    let key = layout(of: request.entity).key.columns.map(place.column)
    statement.columns = key
    for predicate in predicates.map(\.inlined) {
      // "Not true" and "false" are two conditions: see SQLCompiler.condition.
      let yes = try compiler.condition(predicate, at: place)
      let no = try compiler.condition(predicate, at: place, isNegated: true)
      statement.columns.append("CASE WHEN \(yes.sql) THEN 1 WHEN \(no.sql) THEN 0 END")
    }
    statement.from = place.source.sql
    statement.order = key
    return AnswerCursor(try bound(statement.sql), keyCount: key.count, interner: interner(of: request.entity))
  }
}
