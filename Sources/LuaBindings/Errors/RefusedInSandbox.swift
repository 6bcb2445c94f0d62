/// Something that the sandbox keeps scripts from, by the name that they call it.
public struct RefusedInSandbox: ReportedError {
  /// What was called: `open`, `store:backup`.
  public var place: String
  /// What is refused of it, and why, if that is more than everything: `files`.
  public var reason: String?

  /// The status of a run that ends with it: no permission.
  public static let exitStatus: Int32 = 77

  /// Refuses `place`.
  public init(_ place: String, reason: String? = nil) {
    self.place = place
    self.reason = reason
  }

  /// The same about another place.
  func at(_ place: String) -> RefusedInSandbox { RefusedInSandbox(place, reason: reason) }

  /// The refusal in words, with its status.
  public var report: ErrorReport {
    let why = reason.map { ": \($0)" } ?? ""
    return ErrorReport("sandbox", "\(place): the sandbox refuses it\(why)", exitStatus: Self.exitStatus)
  }
}
