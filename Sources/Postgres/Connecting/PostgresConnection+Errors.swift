internal import CPostgres
internal import StoreErrors

extension PostgresConnection {
  /// A failure of this connection.
  func failure(_ fact: StoreError.Fact) -> StoreError { StoreError(fact, path: address.shown) }

  /// The connection is gone; the reason is what the server said last, if it said anything.
  func lost(_ last: StoreError? = nil) -> StoreError {
    if let last, case .connectionLost = last.fact { return last }
    if case .server(let error) = last?.fact { return failure(.connectionLost(error.message)) }
    return failure(.connectionLost(handle.map { ClientLibrary.message(PQerrorMessage($0)) } ?? ""))
  }

  /// What a result of the server says went wrong.
  func failure(of result: OpaquePointer) -> StoreError {
    func field(_ code: Unicode.Scalar) -> String? {
      PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }
    guard let state = field("C") else {
      // libpq itself made the result.
      let message = ClientLibrary.message(PQresultErrorMessage(result))
      if let handle, PQstatus(handle) != PERILUNE_PQ_CONNECTION_OK { return failure(.connectionLost(message)) }
      return failure(message.hasPrefix("out of memory") ? .outOfMemory : .clientLibraryRefused(message))
    }
    let message = field("M") ?? ""
    // The server's process ends with these: by its administrator, by a crash of another, or as the server stops.
    if ["57P01", "57P02", "57P03", "57P05"].contains(state) { return failure(.connectionLost(message)) }
    // These are of a connection that the server itself has, to another one that holds a part of the database. What the library there
    // advises stands on lines of its own. Citus reports some as internal errors.
    let isOfNode =
      ["08000", "08001", "08003", "08004", "08006"].contains(state)
      || state == "XX000" && message.hasPrefix("server closed the connection unexpectedly")
    if isOfNode {
      return failure(.connectionLost(String(message.prefix { !$0.isNewline })))
    }
    if state == "57014", wasInterrupted { return failure(.interrupted) }
    var error = ServerError(sqlState: state, message: message)
    error.detail = field("D")
    error.hint = field("H")
    error.position = field("P").flatMap { Int($0) }
    error.context = field("W")
    error.schema = field("s")
    error.table = field("t")
    error.column = field("c")
    error.type = field("d")
    error.constraint = field("n")
    return failure(.server(error))
  }
}

extension StoreError {
  /// The failure with the statement that it is of, and its place among those sent together.
  func of(_ sql: String, index: Int? = nil) -> StoreError {
    guard case .server(var error) = fact else { return self }
    error.statement = sql
    error.index = index
    return StoreError(.server(error), path: path)
  }

  /// The SQLSTATE, where the server refused.
  var sqlState: String? {
    if case .server(let error) = fact { error.sqlState } else { nil }
  }
}
