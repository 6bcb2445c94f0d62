internal import CPostgres
internal import Modeling
public import StoreErrors

extension PostgresConnection {
  /// In which form the server is to write values.
  public enum Format: Int32, Sendable {
    /// As text, which every type has.
    case text = 0
    /// In binary form, which few types of extensions lack.
    case binary = 1
  }

  /// Runs one statement and returns all its rows.
  ///
  /// A text that is run for the second time is prepared, so that the server parses it once.
  /// - Throws: `StoreError`, with the statement in it where the server refused it.
  @discardableResult
  public func run(_ sql: String, _ arguments: [PostgresArgument] = [], format: Format = .binary) throws(StoreError)
    -> PostgresResult
  {
    let bound = try bind(arguments, sql)
    do throws(StoreError) {
      return try runOnce(sql, bound, format)
    } catch  where isOutdated(error) {
      // The table has changed since, or the session is another's.
      forget(sql, error)
      guard transactionStatus == .idle else { throw error }
      return try runOnce(sql, bound, format)
    }
  }

  /// Runs any number of statements of a text, without arguments, and drops their results.
  ///
  /// Without BEGIN and COMMIT in it the text is one transaction.
  public func script(_ sql: String) throws(StoreError) {
    let handle = try idleHandle()
    try checkNUL(sql)
    let beginning = beginningOfStatement
    defer { tell(sql, since: beginning) }
    try sent(PQsendQuery(handle, sql))
    if let error = try results({ PQclear($0) }) { throw error.of(sql) }
  }

  private func runOnce(_ sql: String, _ bound: BoundArguments, _ format: Format) throws(StoreError) -> PostgresResult {
    try deallocateOutdated()
    let beginning = beginningOfStatement
    defer { tell(sql, since: beginning) }
    try send(sql, bound, format)
    var answer: PostgresResult?
    if let error = try results({ answer = PostgresResult($0) }) { throw error.of(sql) }
    guard let answer else { throw failure(.unexpectedAnswer("")) }
    return answer
  }

  /// The time, where statements are reported.
  var beginningOfStatement: Double? { told == nil ? nil : monotonicSeconds() }

  /// Reports a statement that has ended.
  func tell(_ sql: String, since beginning: Double?) {
    if let beginning { told?(sql, monotonicSeconds() - beginning) }
  }

  /// Sends a statement, prepared before if it was sent before.
  func send(_ sql: String, _ bound: BoundArguments, _ format: Format) throws(StoreError) {
    let handle = try idleHandle()
    switch preparesStatements ? prepared.plan(sql, bound) : .once {
    case .once:
      try sent(
        bound.with { count, types, values, lengths, formats in
          PQsendQueryParams(handle, sql, count, types, values, lengths, formats, format.rawValue)
        })
    case .prepare(let name):
      do throws(StoreError) {
        try sent(bound.with { count, types, _, _, _ in PQsendPrepare(handle, name, sql, count, types) })
        if let error = try results({ PQclear($0) }) { throw error.of(sql) }
      } catch {
        prepared.forget(sql)
        throw error
      }
      try sendPrepared(name, bound, format)
    case .run(let name): try sendPrepared(name, bound, format)
    }
  }

  /// Removes unused statements from the server. Within a transaction it waits: a name that was removed otherwise would be
  /// an error, which ends the transaction.
  func deallocateOutdated() throws(StoreError) {
    guard prepared.hasOutdated, transactionStatus == .idle else { return }
    let handle = try idleHandle()
    for name in prepared.outdated() {
      try sent(PQsendQuery(handle, "DEALLOCATE \(name)"))
      let error = try results { PQclear($0) }
      if let error, error.sqlState == nil { throw error }
    }
  }

  /// Follows what a statement did to statements that are prepared.
  func noteCommand(_ result: OpaquePointer) {
    guard let tag = PQcmdStatus(result), tag.pointee != 0 else { return }
    switch UInt8(bitPattern: tag.pointee) {
    // CREATE, ALTER, DROP, DEALLOCATE ALL, DISCARD ALL.
    case UInt8(ascii: "C"), UInt8(ascii: "A"), UInt8(ascii: "D"): break
    default: return
    }
    let command = String(cString: tag)
    if command == "DEALLOCATE ALL" || command == "DISCARD ALL" {
      prepared.forgetAll()
    } else if ["CREATE ", "ALTER ", "DROP "].contains(where: command.hasPrefix) {
      prepared.invalidate()
    }
  }

  func sendPrepared(_ name: String, _ bound: BoundArguments, _ format: Format) throws(StoreError) {
    let handle = try openHandle()
    try sent(
      bound.with { count, _, values, lengths, formats in
        PQsendQueryPrepared(handle, name, count, values, lengths, formats, format.rawValue)
      })
  }

  /// The arguments as they are sent.
  func bind(_ arguments: [PostgresArgument], _ sql: String) throws(StoreError) -> BoundArguments {
    try checkNUL(sql)
    do throws(StoreError) { return try BoundArguments(arguments) } catch { throw failure(error.fact) }
  }

  func checkNUL(_ sql: String) throws(StoreError) {
    if sql.utf8.contains(0) { throw failure(.nulInText) }
  }

  /// Forgets what such an error is about: a session that does not know one statement knows none.
  func forget(_ sql: String, _ error: StoreError) {
    if error.sqlState == "26000" { prepared.forgetAll() } else { prepared.forget(sql) }
  }

  /// Whether it says that a prepared statement cannot be used any more: the columns of its result have changed, or the
  /// session does not know it.
  func isOutdated(_ error: StoreError) -> Bool {
    guard case .server(let server) = error.fact else { return false }
    // The message is in the server's language; one that is refused for another reason is refused again.
    return server.sqlState == "26000" || server.sqlState == "0A000" && prepared.has(server.statement ?? "")
  }
}
