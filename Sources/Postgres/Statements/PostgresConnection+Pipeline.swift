internal import CPostgres
public import StoreErrors

extension PostgresConnection {
  /// Runs statements in one round trip and returns what each answered.
  ///
  /// Without BEGIN and COMMIT among them they are one transaction. The first that fails ends them all.
  /// - Throws: `StoreError`; that of the server names the statement and its `index`.
  @discardableResult
  public func pipeline(_ statements: [(sql: String, arguments: [PostgresArgument])]) throws(StoreError)
    -> [PostgresResult]
  {
    var bound: [BoundArguments] = []
    bound.reserveCapacity(statements.count)
    for statement in statements { bound.append(try bind(statement.arguments, statement.sql)) }
    let wasIdle = transactionStatus == .idle
    do throws(StoreError) {
      return try pipelineOnce(statements, bound)
    } catch  where isOutdated(error) && wasIdle && isUndone(error, statements) {
      if transactionStatus != .idle { try script("ROLLBACK") }
      return try pipelineOnce(statements, bound)
    }
  }

  /// Whether a failure of one statement reverts all: statements that are sent together are one transaction as long as none
  /// of them ends it.
  private func isUndone(_ error: StoreError, _ statements: [(sql: String, arguments: [PostgresArgument])]) -> Bool {
    guard case .server(let server) = error.fact, let index = server.index else { return false }
    return !statements.prefix(index).contains { statement in
      let word = statement.sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
      return ["COMMIT", "END", "PREPARE", "ROLLBACK", "ABORT"].contains(word)
    }
  }

  private func pipelineOnce(_ statements: [(sql: String, arguments: [PostgresArgument])], _ bound: [BoundArguments])
    throws(StoreError) -> [PostgresResult]
  {
    try deallocateOutdated()
    let handle = try idleHandle()
    guard !statements.isEmpty else { return [] }
    let beginning = beginningOfStatement
    defer {
      for (index, statement) in statements.enumerated() {
        tell(statement.sql, since: index == 0 ? beginning : beginningOfStatement)
      }
    }
    try sent(PQenterPipelineMode(handle))
    defer { if self.handle != nil { PQexitPipelineMode(handle) } }
    var steps: [PipelineStep] = []
    do throws(StoreError) {
      for (index, statement) in statements.enumerated() {
        try enqueue(statement.sql, bound[index], index, &steps)
      }
      try sent(PQpipelineSync(handle))
    } catch {
      // No sync ends the sent statements, so the connection cannot be used any more.
      close()
      throw error
    }
    return try answers(to: steps, statements)
  }

  private func enqueue(_ sql: String, _ bound: BoundArguments, _ index: Int, _ steps: inout [PipelineStep])
    throws(StoreError)
  {
    let handle = try openHandle()
    switch preparesStatements ? prepared.plan(sql, bound) : .once {
    case .once:
      try sent(
        bound.with { count, types, values, lengths, formats in
          PQsendQueryParams(handle, sql, count, types, values, lengths, formats, Format.binary.rawValue)
        })
    case .prepare(let name):
      try sent(bound.with { count, types, _, _, _ in PQsendPrepare(handle, name, sql, count, types) })
      steps.append(PipelineStep(index: index, isPreparation: true))
      try sendPrepared(name, bound, .binary)
    case .run(let name): try sendPrepared(name, bound, .binary)
    }
    steps.append(PipelineStep(index: index, isPreparation: false))
  }

  /// Reads what came back: the results of each step, nothing between two of them, and the sync.
  private func answers(
    to steps: [PipelineStep], _ statements: [(sql: String, arguments: [PostgresArgument])]
  ) throws(StoreError) -> [PostgresResult] {
    var answers: [PostgresResult] = []
    var first: StoreError?
    var lastPrepared = -1
    for (place, step) in steps.enumerated() {
      var answer: PostgresResult?
      while let result = try nextResult(after: first) {
        switch Int(PQresultStatus(result)) {
        case Int(PERILUNE_PQ_PIPELINE_ABORTED): PQclear(result)
        case Int(PERILUNE_PQ_COPY_IN), Int(PERILUNE_PQ_COPY_OUT), Int(PERILUNE_PQ_COPY_BOTH):
          // libpq has no way on from here.
          PQclear(result)
          close()
          throw failure(.unexpectedAnswer("COPY")).of(statements[step.index].sql, index: step.index)
        case Int(PERILUNE_PQ_FATAL_ERROR), Int(PERILUNE_PQ_BAD_RESPONSE), Int(PERILUNE_PQ_NONFATAL_ERROR):
          let error = failure(of: result).of(statements[step.index].sql, index: step.index)
          PQclear(result)
          first = first ?? error
        default:
          noteCommand(result)
          answer = PostgresResult(result)
        }
      }
      if isBroken { throw first ?? lost() }
      if first == nil, step.isPreparation { lastPrepared = place }
      if !step.isPreparation, let answer { answers.append(answer) }
    }
    try awaitSync()
    guard let first else { return answers }
    // What stands behind the failure was not prepared.
    for (place, step) in steps.enumerated() where step.isPreparation && place > lastPrepared {
      prepared.forget(statements[step.index].sql)
    }
    if isOutdated(first), case .server(let error) = first.fact { forget(error.statement ?? "", first) }
    throw first
  }

  private func awaitSync() throws(StoreError) {
    while let result = try nextResult() {
      let isSync = PQresultStatus(result) == PERILUNE_PQ_PIPELINE_SYNC
      PQclear(result)
      if isSync { return }
    }
  }
}

/// What one answer is to.
private struct PipelineStep {
  /// The statement's place among those given.
  var index: Int
  var isPreparation: Bool
}
