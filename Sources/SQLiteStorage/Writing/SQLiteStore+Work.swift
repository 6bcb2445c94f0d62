import Modeling

// The progress of work that writes many rows at once.
extension SQLiteStore {
  /// How many rows a batch request, or the undoing of a save, has written so far, and how many it will; nil where neither runs.
  ///
  /// It costs nothing, and may be asked while a statement runs.
  public var workInProgress: (rows: Int, expected: Int)? {
    guard let work, let capture = commits?.capture else { return nil }
    return (min(capture.writtenRows - work.start, work.expected), work.expected)
  }

  /// Runs `body`, which writes as many rows as `expected` returns. `expected` is called only if progress is shown.
  func measuringWork<Result>(_ expected: () throws -> Int, _ body: () throws -> Result) throws -> Result {
    guard work == nil, measuresWork(), let capture = commits?.capture else { return try body() }
    let rows = try expected()
    work = (capture.writtenRows, rows)
    defer { work = nil }
    return try body()
  }
}
