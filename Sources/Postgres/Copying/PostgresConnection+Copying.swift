internal import CPostgres
internal import Glibc
internal import Modeling
public import StoreErrors

extension PostgresConnection {
  /// Reads the rows of a `COPY … TO STDOUT (FORMAT binary)`; `types` are those of the fields, as far as they are needed.
  public func copyOut(_ sql: String, types: [UInt32] = []) throws(StoreError) -> PostgresCopyOut {
    try checkNUL(sql)
    try sent(PQsendQuery(try idleHandle(), sql))
    return try PostgresCopyOut(self, sql, types: types)
  }

  /// Writes rows by a `COPY … FROM STDIN (FORMAT binary)` and returns how many there were.
  ///
  ///     try connection.copyIn("COPY quake (id, place) FROM STDIN (FORMAT binary)") { rows in
  ///       try rows.beginRow(2)
  ///       try rows.int8(1)
  ///       try rows.text("Chile")
  ///     }
  ///
  /// No row stays if `body` throws, or if the server refuses a row, which it reports at the end.
  @discardableResult
  public func copyIn(_ sql: String, _ body: (inout PostgresCopyWriter) throws -> Void) throws -> Int {
    try checkNUL(sql)
    let beginning = beginningOfStatement
    defer { tell(sql, since: beginning) }
    try sent(PQsendQuery(try idleHandle(), sql))
    try beginCopy(PERILUNE_PQ_COPY_IN, sql)
    isBusy = true
    defer { isBusy = false }
    var writer = PostgresCopyWriter(self)
    do {
      try body(&writer)
      try writer.end()
    } catch {
      guard let handle, !isBroken else { throw error }
      try putEnd(handle, "the writer gave up")
      // The server answers with the message above.
      _ = try results { PQclear($0) }
      throw error
    }
    var count = 0
    if let error = try results({ count = PostgresResult($0).affectedRows }) { throw error.of(sql) }
    return count
  }

  /// Reads the server's answer to a COPY, which must be of the status.
  func beginCopy(_ status: some BinaryInteger, _ sql: String) throws(StoreError) {
    guard let result = try nextResult() else { throw failure(.unexpectedAnswer("")) }
    let found = Int(PQresultStatus(result))
    if found == Int(status) { return PQclear(result) }
    switch found {
    case Int(PERILUNE_PQ_COPY_IN), Int(PERILUNE_PQ_COPY_OUT), Int(PERILUNE_PQ_COPY_BOTH):
      throw try refuseCopy(result)
    case Int(PERILUNE_PQ_FATAL_ERROR), Int(PERILUNE_PQ_BAD_RESPONSE), Int(PERILUNE_PQ_NONFATAL_ERROR):
      let error = failure(of: result)
      PQclear(result)
      throw (try results(after: error) { PQclear($0) } ?? error).of(sql)
    default:
      let error = failure(.unexpectedAnswer(PQcmdStatus(result).map { String(cString: $0) } ?? ""))
      PQclear(result)
      _ = try results { PQclear($0) }
      throw error
    }
  }

  /// Gives the next piece of a COPY to `take`, which frees it by PQfreemem; false at its end.
  func takeCopied(_ take: (UnsafeMutablePointer<CChar>, Int) -> Void) throws(StoreError) -> Bool {
    let handle = try openHandle()
    while true {
      var piece: UnsafeMutablePointer<CChar>?
      let count = PQgetCopyData(handle, &piece, 1)
      if count > 0, let piece {
        take(piece, Int(count))
        return true
      }
      if count < 0 { return false }
      try awaitInput()
    }
  }

  /// Sends a piece of a COPY; waits as long as the server has not taken what came before.
  func put(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    let handle = try openHandle()
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    while true {
      let taken = PQputCopyData(handle, start, Int32(clamping: bytes.count))
      if taken == 1 { break }
      if taken < 0 { throw lost() }
      try awaitOutput(handle)
    }
    // So that written rows do not pile up here.
    while true {
      let unsent = PQflush(handle)
      if unsent == 0 { return }
      if unsent < 0 { throw lost() }
      try awaitOutput(handle)
    }
  }

  /// Ends a copy to the server; with a message the server reverts it.
  func putEnd(_ handle: OpaquePointer, _ message: String?) throws(StoreError) {
    while true {
      let taken = PQputCopyEnd(handle, message)
      if taken == 1 { return }
      if taken < 0 { throw lost() }
      try awaitOutput(handle, isEnd: true)
    }
  }

  /// Waits until something can be sent; the end of a COPY is sent even when it was interrupted.
  private func awaitOutput(_ handle: OpaquePointer, isEnd: Bool = false) throws(StoreError) {
    let deadline = isEnd ? monotonicSeconds() + Cancellation.patience : nil
    switch SocketWait.wait(PQsocket(handle), POLLIN | POLLOUT, until: deadline, { !isEnd && isInterrupted() }) {
    case .ready: break
    case .interrupted: throw failure(.interrupted)
    case .timedOut:
      close()
      throw failure(.connectionTimedOut(seconds: Cancellation.patience))
    }
    // A server that sends notices must not wait for us.
    if PQconsumeInput(handle) == 0 { throw lost() }
  }

  /// Drops the rest of a copy from the server.
  func discardCopy() {
    guard let handle else { return }
    cancel(handle)
    do throws(StoreError) {
      while try takeCopied({ piece, _ in PQfreemem(piece) }) {}
      _ = try results { PQclear($0) }
    } catch {
      // An error now is not about the rows that were wanted, and the next statement meets it again.
    }
  }
}
