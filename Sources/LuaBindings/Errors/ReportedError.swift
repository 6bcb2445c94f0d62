/// An error of a program that embeds the engine, which knows how it is to be told.
public protocol ReportedError: Error {
  var report: ErrorReport { get }
}
