/// What help, completion and the sandbox say of a function or a member.
struct Declaration: Sendable {
  let name: String
  /// The call, with its answer after an arrow, `request:limit(n) -> request`. It sets the number of arguments.
  let signature: String
  /// What it does or is, in one sentence.
  let summary: String
  /// Whether scripts in the sandbox have it.
  let sandbox: SandboxRule
  /// How it is called in an example: `(3)` after a value of its kind, or a whole example that begins otherwise. A property that says
  /// nothing is read from a value of its kind.
  var example: String?
}

/// Whether scripts in the sandbox have a function or a member.
enum SandboxRule: Sendable {
  /// It accesses only its arguments, the open stores and standard output.
  case allowed
  /// The sandbox refuses it for a reason: "scripts have no files in it".
  case refused(String)

  /// The rule of what reads or writes files.
  static let noFiles = SandboxRule.refused("scripts have no files in it")
}

extension Declaration {
  /// The reason why the sandbox, if there is one, refuses the function or member; nil if it does not.
  func refusal(_ options: Engine.Options) -> RefusedInSandbox? {
    guard options.isSandboxed, case .refused(let reason) = sandbox else { return nil }
    return RefusedInSandbox("", reason: reason)
  }
}
