/// A function, member or argument that the sandbox refuses, by its name in scripts.
public struct RefusedInSandbox: ReportedError {
  /// The called function: `open`, `store:backup`.
  public var place: String
  /// The refused part and the reason, unless the whole is refused: `files`.
  public var reason: String?

  /// The exit status of a run that ends with it: no permission.
  public static let exitStatus: Int32 = 77

  /// Creates the refusal of `place`.
  public init(_ place: String, reason: String? = nil) {
    self.place = place
    self.reason = reason
  }

  /// The same refusal for another place.
  func at(_ place: String) -> RefusedInSandbox { RefusedInSandbox(place, reason: reason) }

  /// The report, with its exit status.
  public var report: ErrorReport {
    let why = reason.map { ": \($0)" } ?? ""
    return ErrorReport("sandbox", "\(place): the sandbox refuses it\(why)", exitStatus: Self.exitStatus)
  }
}
