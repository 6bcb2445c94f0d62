internal import CSQLite

extension Connection {
  /// Runs `body`, and reports the number of rows that statements have written in it, every few thousand rows.
  ///
  /// Rows of tables without row IDs do not count.
  package func countingRows<Result>(_ tell: @escaping (Int) -> Void, _ body: () throws -> Result) rethrows -> Result {
    let counter = RowCounter(tell)
    _ = sqlite3_update_hook(
      handle,
      { context, _, _, _, _ in
        guard let context else { return }
        Unmanaged<RowCounter>.fromOpaque(context).takeUnretainedValue().countRow()
      }, Unmanaged.passUnretained(counter).toOpaque())
    defer { if handle != nil { _ = sqlite3_update_hook(handle, nil, nil) } }
    return try withExtendedLifetime(counter, body)
  }
}

private final class RowCounter {
  private var rows = 0
  private let tell: (Int) -> Void

  init(_ tell: @escaping (Int) -> Void) { self.tell = tell }

  func countRow() {
    rows += 1
    if rows & 0xFFF == 0 { tell(rows) }
  }
}
