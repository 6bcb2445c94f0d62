/// An error of a program that embeds the engine, with its own report.
public protocol ReportedError: Error {
  var report: ErrorReport { get }
}
