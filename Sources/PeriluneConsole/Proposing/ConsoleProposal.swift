/// A save of a client that waits until the program, or another client, approves or refuses it.
public struct ConsoleProposal: Sendable {
  /// The number by which clients name it.
  public let number: Int
  /// The number of the client that saves.
  public let client: Int
  /// The name of its user.
  public let userName: String
  /// The line that saves.
  public let line: String
  /// What is saved, as lines like `~ Order 3: total 5.0 → 7.0`.
  public let diff: String
  let decision: Decision

  /// Lets the client save, on its own thread. The save fails if the store has changed since in a way that does not fit.
  ///
  /// - Throws: ConsoleError if it is decided already, or withdrawn.
  public func approve() throws { try decide(.approved, by: "the program") }

  /// Has the save fail with a reason.
  ///
  /// - Throws: ConsoleError if it is decided already, or withdrawn.
  public func refuse(_ reason: String = "") throws { try decide(.refused(reason), by: "the program") }

  func decide(_ verdict: Decision.Verdict, by decider: String) throws {
    guard decision.make(verdict, by: decider) else { throw ConsoleError("proposal \(number) is decided already") }
  }
}
