internal import Glibc

/// A transaction of the running thread, in which each turn takes part that is used while it lasts.
///
///     TransactionScope.run(Transaction(animation: .easeIn)) { quake.magnitude = 7 }
///
/// A turn joins before its first change: it reports earlier changes without the transaction, and the changes of the scope
/// when this ends. Within another transaction of its own, or while it calls observers, that one reports them.
public final class TransactionScope {
  private let transaction: Transaction
  /// The scope around this one, which reports the changes.
  private let outer: TransactionScope?
  private var members: [Member] = []

  /// A turn that takes part.
  private struct Member {
    let turn: Turn
    let former: Transaction
    /// Whether an enclosing transaction, or a run, reports the changes.
    let isInner: Bool
  }

  private init(_ transaction: Transaction, in outer: TransactionScope?) {
    self.transaction = transaction
    self.outer = outer
  }

  /// Runs `body`; `transaction` accompanies the changes that it makes.
  ///
  /// - Throws: the error of `body`, after the changes made until then were reported.
  public static func run<Result, Failure: Error>(
    _ transaction: Transaction, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = ScopeThread.current
    let scope = TransactionScope(transaction, in: outer)
    ScopeThread.current = scope
    defer {
      ScopeThread.current = outer
      scope.end()
    }
    return try withExtendedLifetime(scope) { () throws(Failure) in try body() }
  }

  /// Lets a turn take part in the scope of the running thread, if there is one.
  static func join(_ turn: Turn, reportsEarlier: Bool) { ScopeThread.current?.add(turn, reportsEarlier) }

  private func add(_ turn: Turn, _ reportsEarlier: Bool) {
    guard !members.contains(where: { $0.turn === turn }) else { return }
    outer?.add(turn, reportsEarlier)
    let isInner = turn.isInTransaction || turn.isRunning
    if reportsEarlier, !isInner { turn.runReportingErrors() }
    members.append(Member(turn: turn, former: turn.transaction, isInner: isInner))
    turn.transaction = transaction
    if !isInner { turn.isInTransaction = true }
  }

  private func end() {
    for member in members {
      if !member.isInner {
        member.turn.runReportingErrors()
        member.turn.isInTransaction = false
      }
      member.turn.transaction = member.former
    }
  }
}

/// The scope of the running thread.
private enum ScopeThread {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The innermost scope; the code that sets it keeps it alive.
  static var current: TransactionScope? {
    get { pthread_getspecific(key).map { Unmanaged<TransactionScope>.fromOpaque($0).takeUnretainedValue() } }
    set { pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }) }
  }
}
