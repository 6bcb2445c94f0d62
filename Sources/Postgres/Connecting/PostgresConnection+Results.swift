internal import CPostgres
internal import Glibc
internal import StoreErrors

/// Sending, and waiting for results.
extension PostgresConnection {
  /// The connection, if something can be sent on it.
  func idleHandle() throws(StoreError) -> OpaquePointer {
    guard let handle else { throw failure(.closed) }
    if isBusy { throw failure(.connectionBusy) }
    if PQstatus(handle) != PERILUNE_PQ_CONNECTION_OK { throw lost() }
    wasInterrupted = false
    waits = 0
    return handle
  }

  /// The connection while something is open on it.
  func openHandle() throws(StoreError) -> OpaquePointer {
    guard let handle else { throw failure(.closed) }
    return handle
  }

  /// Throws if libpq has refused to send.
  func sent(_ code: Int32) throws(StoreError) {
    guard code == 0, let handle else { return }
    if PQstatus(handle) != PERILUNE_PQ_CONNECTION_OK { throw lost() }
    throw failure(.clientLibraryRefused(ClientLibrary.message(PQerrorMessage(handle))))
  }

  /// The next result of the sent statements; nil at the end. The caller clears it.
  func nextResult() throws(StoreError) -> OpaquePointer? {
    let handle = try openHandle()
    while PQisBusy(handle) != 0 { try awaitInput() }
    let result = PQgetResult(handle)
    if result == nil { try endCancellation() }
    return result
  }

  /// The next result after a failure: if the connection is lost then, what the server said before it went says more.
  func nextResult(after failure: StoreError?) throws(StoreError) -> OpaquePointer? {
    do throws(StoreError) { return try nextResult() } catch {
      if case .connectionLost = error.fact, let failure { throw lost(failure) }
      throw error
    }
  }

  /// Waits for input, and sends meanwhile what has not gone out yet.
  func awaitInput() throws(StoreError) {
    let handle = try openHandle()
    let unsent = PQflush(handle)
    if unsent < 0 { throw lost() }
    try wait(unsent > 0 ? POLLIN | POLLOUT : POLLIN)
    if PQconsumeInput(handle) == 0 {
      // What the server said before it went is still to be read.
      if PQisBusy(handle) != 0 { throw lost() }
    }
  }

  /// Waits for the socket. An interrupted statement is cancelled, and the wait goes on until the server has stopped it.
  func wait(_ events: Int32) throws(StoreError) {
    let handle = try openHandle()
    // Where input is always there, as much of it comes as memory holds before it has to be waited for.
    waits += 1
    if waits.isMultiple(of: 16), cancellation == nil, isInterrupted() { cancel(handle) }
    let isCancelled = cancellation != nil
    let outcome = SocketWait.wait(PQsocket(handle), events, until: cancellation?.deadline) {
      !isCancelled && isInterrupted()
    }
    switch outcome {
    case .ready: cancellation?.extend()
    case .interrupted: cancel(handle)
    case .timedOut:
      close()
      throw failure(.connectionTimedOut(seconds: Cancellation.patience))
    }
  }

  /// Asks the server to cancel what runs.
  func cancel(_ handle: OpaquePointer) {
    wasInterrupted = true
    cancellation = cancellation ?? Cancellation(handle)
  }

  /// Waits until a request to cancel cannot meet the next statement any more.
  private func endCancellation() throws(StoreError) {
    guard let cancellation else { return }
    self.cancellation = nil
    if !cancellation.isOver() {
      close()
      throw failure(.connectionTimedOut(seconds: Cancellation.patience))
    }
  }

  /// Reads the results of all sent statements; `take` gets each result and clears it, or keeps it. Returns the first
  /// failure, which is `earlier` if there was one.
  func results(after earlier: StoreError? = nil, _ take: (OpaquePointer) -> Void) throws(StoreError) -> StoreError? {
    var first = earlier
    while let result = try nextResult(after: first) {
      switch Int(PQresultStatus(result)) {
      case Int(PERILUNE_PQ_COPY_IN), Int(PERILUNE_PQ_COPY_OUT), Int(PERILUNE_PQ_COPY_BOTH):
        first = first ?? failure(.unexpectedAnswer(command(result)))
        try endCopy(result)
      case Int(PERILUNE_PQ_FATAL_ERROR), Int(PERILUNE_PQ_BAD_RESPONSE), Int(PERILUNE_PQ_NONFATAL_ERROR):
        first = first ?? failure(of: result)
        PQclear(result)
      default:
        noteCommand(result)
        take(result)
      }
    }
    if first != nil, let handle, PQstatus(handle) != PERILUNE_PQ_CONNECTION_OK { return lost(first) }
    return first
  }

  /// Ends a COPY that was not asked for as one.
  func endCopy(_ result: OpaquePointer) throws(StoreError) {
    let handle = try openHandle()
    let status = Int(PQresultStatus(result))
    PQclear(result)
    if status != PERILUNE_PQ_COPY_OUT {
      try sent(PQputCopyEnd(handle, "no data"))
      return
    }
    while try takeCopied({ piece, _ in PQfreemem(piece) }) {}
  }

  private func command(_ result: OpaquePointer) -> String {
    PQcmdStatus(result).map { String(cString: $0) } ?? ""
  }
}
