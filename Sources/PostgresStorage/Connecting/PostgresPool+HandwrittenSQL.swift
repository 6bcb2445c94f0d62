import Postgres
import RelationalStorage
import StoreErrors
import Stores

/// Running handwritten SQL. Each statement is sent by itself, in a form in which the server accepts only one. So text that
/// is quoted by our reading cannot be a second statement by the server's.
extension PostgresPool {
  /// Asked about the effects of statements before they are kept; throws to roll them back.
  typealias Approve = ([StatementEffect]) throws -> Void

  /// Runs the statements of a text, each by `around`; the rows are those of the last. Several are one transaction, unless they
  /// begin their own. Within a transaction that `holder` holds none may end that.
  ///
  /// Where there is `approve`, it is asked once about a text that is one transaction, and about each statement of any other text that
  /// may change rows.
  func runByHand(
    _ script: HandwrittenSQL, _ arguments: [PostgresArgument], heldBy holder: TransactionHolder?,
    approve: Approve? = nil,
    around: (HandwrittenSQL.Statement, () throws -> Void) throws -> Void = { try $1() }
  ) throws -> HandwrittenRows {
    try reconnectIfLost()
    try willRun()
    if let holder { try refuseEnds(script, holder) }
    let controls = script.statements.contains { $0.controlsTransaction || $0.standsAlone }
    let isAlone = pins == 0 && main.transactionStatus == .idle
    let owns = isAlone && !controls && script.statements.count > 1
    if owns { try begin() }
    let approval = approve.flatMap { approve in
      script.statements.contains(where: \.mayChangeRows) ? Approval(isOfEach: controls, approve) : nil
    }
    do {
      let rows = try run(script, arguments, heldBy: holder, approval, around: around)
      if owns { _ = try main.run("COMMIT") }
      return rows
    } catch {
      // A transaction that the text began itself is rolled back with the refused effects.
      if owns || isAlone && approval?.isRefused == true { _ = try? main.run("ROLLBACK") }
      throw error
    }
  }

  /// Runs statements that may not write, in a transaction that is read-only from its first statement on. At its end it is
  /// rolled back, with the effects of functions and settings.
  func readByHand(_ script: HandwrittenSQL, _ arguments: [PostgresArgument]) throws -> HandwrittenRows {
    try reconnectIfLost()
    try refuseEnds(script, .readOnly)
    // An open snapshot is such a transaction.
    let owns = main.transactionStatus == .idle
    if owns { _ = try main.pipeline([("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", []), ("SELECT 1", [])]) }
    defer { if owns, !main.isBroken { _ = try? main.run("ROLLBACK") } }
    return try run(script, arguments, heldBy: .readOnly, nil) { try $1() }
  }

  private func run(
    _ script: HandwrittenSQL, _ arguments: [PostgresArgument], heldBy holder: TransactionHolder?, _ approval: Approval?,
    around: (HandwrittenSQL.Statement, () throws -> Void) throws -> Void
  ) throws -> HandwrittenRows {
    var rows = HandwrittenRows()
    var written = 0
    func run(_ statement: HandwrittenSQL.Statement, isLast: Bool) throws -> StatementEffect? {
      let tells = approval != nil && statement.mayChangeRows
      let before = tells && statement.isNested ? changedRows() : nil
      let outcome: (command: String, rows: Int)
      if isLast {
        let answer = try main.stream(statement.text, arguments)
        rows = try HandwrittenRows(answer)
        outcome = (answer.command, answer.affectedRows)
      } else {
        let answer = try main.run(statement.text)
        outcome = (answer.command, answer.affectedRows)
      }
      if ["INSERT", "UPDATE", "DELETE", "MERGE"].contains(outcome.command.prefix { $0 != " " }) {
        written += outcome.rows
      }
      guard tells else { return nil }
      if let before, let after = changedRows() {
        return StatementEffect(.change, rows: after - before, of: Self.table(of: statement.text))
      }
      return Self.effect(statement.text, outcome)
    }
    func runAll() throws -> [StatementEffect] {
      var effects: [StatementEffect] = []
      for (index, statement) in script.statements.enumerated() {
        let isHeld = holder != nil && main.transactionStatus == .inTransaction
        let isLast = index == script.statements.count - 1
        try around(statement) {
          guard let approval, approval.isOfEach, statement.mayChangeRows else {
            if let effect = try run(statement, isLast: isLast) { effects.append(effect) }
            return
          }
          try approved(by: approval) { [try run(statement, isLast: isLast)].compactMap(\.self) }
        }
        if isHeld, let holder, main.transactionStatus == .idle {
          loseTransaction()
          throw StoreError(.transactionHeld(statement.firstWord.uppercased(), by: holder), path: address.shown)
        }
      }
      return effects
    }
    if let approval, !approval.isOfEach { try approved(by: approval, runAll) } else { _ = try runAll() }
    rows.writtenCount = written
    return rows
  }

  private func refuseEnds(_ script: HandwrittenSQL, _ holder: TransactionHolder) throws {
    guard let statement = script.statements.first(where: \.endsTransaction) else { return }
    throw StoreError(.transactionHeld(statement.firstWord.uppercased(), by: holder), path: address.shown)
  }

  // MARK: Approval

  /// The question about a text, and its answer.
  private final class Approval {
    let isOfEach: Bool
    let approve: Approve
    var isRefused = false

    init(isOfEach: Bool, _ approve: @escaping Approve) { (self.isOfEach, self.approve) = (isOfEach, approve) }
  }

  /// Runs `body` in a transaction, or in a part of the present one, and asks for approval of its effects before they are
  /// kept.
  private func approved(by approval: Approval, _ body: () throws -> [StatementEffect]) throws {
    let isPart = main.transactionStatus == .inTransaction
    let hasMark = isPart && profile.has(.savepoints)
    if !isPart { try begin() } else if hasMark { _ = try main.run("SAVEPOINT \(Self.mark)") }
    do {
      let effects = try body()
      do {
        try approval.approve(effects)
      } catch {
        approval.isRefused = true
        if hasMark {
          _ = try main.run("ROLLBACK TO SAVEPOINT \(Self.mark)")
          _ = try main.run("RELEASE SAVEPOINT \(Self.mark)")
        }
        throw error
      }
      if !isPart { _ = try main.run("COMMIT") } else if hasMark { _ = try main.run("RELEASE SAVEPOINT \(Self.mark)") }
    } catch {
      if !isPart { _ = try? main.run("ROLLBACK") }
      throw error
    }
  }

  private static let mark = "_perilune_approval"

  /// The number of rows that the present transaction has changed and deleted, as the server counts them; nil if it does
  /// not.
  private func changedRows() -> Int? {
    guard main.transactionStatus == .inTransaction, profile.has(.savepoints),
      (try? main.run("SAVEPOINT _perilune_count")) != nil
    else { return nil }
    let count = try? main.run(
      """
      SELECT coalesce(sum(n_tup_upd + n_tup_del), 0)::bigint FROM pg_stat_xact_user_tables \
      WHERE relname NOT LIKE '\\_perilune%'
      """)
    if count == nil { _ = try? main.run("ROLLBACK TO SAVEPOINT _perilune_count") }
    _ = try? main.run("RELEASE SAVEPOINT _perilune_count")
    return count.map { Int($0.int(0, 0)) }
  }

  /// The effect of a statement by the server's reply; nil for one that changes no existing rows.
  private static func effect(_ statement: String, _ outcome: (command: String, rows: Int)) -> StatementEffect? {
    switch outcome.command.prefix(while: { $0 != " " }) {
    case "DELETE": StatementEffect(.deletion, rows: outcome.rows, of: table(of: statement))
    case "UPDATE", "MERGE": StatementEffect(.change, rows: outcome.rows, of: table(of: statement))
    default: nil
    }
  }

  private static func table(of statement: String) -> String? { SQLChange.changes(of: statement).first?.table }
}
