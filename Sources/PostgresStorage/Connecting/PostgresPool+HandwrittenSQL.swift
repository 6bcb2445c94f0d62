import Postgres
import StoreErrors

/// Running what a person has written as SQL. Each statement is sent by itself, as one that the server takes for one: what this side
/// takes for a part of a text cannot be a second statement there.
extension PostgresPool {
  /// Runs the statements of a text, each by `around`; the rows are those of the last. Several are one transaction, unless they
  /// begin their own. Within a transaction that `holder` holds none may end that.
  func runByHand(
    _ script: HandwrittenSQL, _ arguments: [PostgresArgument], heldBy holder: TransactionHolder?,
    around: (HandwrittenSQL.Statement, () throws -> Void) throws -> Void = { try $1() }
  ) throws -> HandwrittenRows {
    try reconnectIfLost()
    try willRun()
    if let holder { try refuseEnds(script, holder) }
    let controls = script.statements.contains { $0.controlsTransaction || $0.standsAlone }
    let owns = pins == 0 && main.transactionStatus == .idle && !controls && script.statements.count > 1
    if owns { try begin() }
    do {
      let rows = try run(script, arguments, heldBy: holder, around: around)
      if owns { _ = try main.run("COMMIT") }
      return rows
    } catch {
      if owns { _ = try? main.run("ROLLBACK") }
      throw error
    }
  }

  /// Runs statements that may not write: in a transaction that the server does not let write from its first statement on. It is taken
  /// back at its end, with what functions and settings did all the same.
  func readByHand(_ script: HandwrittenSQL, _ arguments: [PostgresArgument]) throws -> HandwrittenRows {
    try reconnectIfLost()
    try refuseEnds(script, .readOnly)
    // A snapshot that is open is such a transaction.
    let owns = main.transactionStatus == .idle
    if owns { _ = try main.pipeline([("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", []), ("SELECT 1", [])]) }
    defer { if owns, !main.isBroken { _ = try? main.run("ROLLBACK") } }
    return try run(script, arguments, heldBy: .readOnly) { try $1() }
  }

  private func run(
    _ script: HandwrittenSQL, _ arguments: [PostgresArgument], heldBy holder: TransactionHolder?,
    around: (HandwrittenSQL.Statement, () throws -> Void) throws -> Void
  ) throws -> HandwrittenRows {
    var rows = HandwrittenRows()
    for (index, statement) in script.statements.enumerated() {
      let isHeld = holder != nil && main.transactionStatus == .inTransaction
      try around(statement) {
        if index == script.statements.count - 1 {
          rows = try HandwrittenRows(main.stream(statement.text, arguments))
        } else {
          _ = try main.run(statement.text)
        }
      }
      if isHeld, let holder, main.transactionStatus == .idle {
        loseTransaction()
        throw StoreError(.transactionHeld(statement.firstWord.uppercased(), by: holder), path: address.shown)
      }
    }
    return rows
  }

  private func refuseEnds(_ script: HandwrittenSQL, _ holder: TransactionHolder) throws {
    guard let statement = script.statements.first(where: \.endsTransaction) else { return }
    throw StoreError(.transactionHeld(statement.firstWord.uppercased(), by: holder), path: address.shown)
  }
}
