internal import Modeling

/// The line under a table: `25 of 2,000 Book · 0.4 ms · 7 of 9 columns`.
struct RowFooter {
  var shown: Int
  /// How many rows there are in all, if known.
  var total: Int?
  var hasMore: Bool
  var rowName: String?
  /// How many columns are shown of how many, if not all.
  var columns: (shown: Int, total: Int)?

  func write(to sink: OutputSink, _ options: RenderOptions) {
    options.noteRows?(total ?? shown)
    var remarks = [rows]
    if let elapsed = options.elapsed { remarks.append(Quantity.duration(elapsed())) }
    if let columns { remarks.append("\(columns.shown) of \(columns.total) columns (.mode lines shows all)") }
    let text = remarks.joined(separator: " \(options.charset.dot) ")
    sink.write("  " + options.style(.note, DisplayText(text, in: .max, options.charset).text) + "\n")
  }

  private var rows: String {
    let count = Quantity.grouped(shown)
    guard let total else { return hasMore ? "the first \(count) \(name(2))" : "\(count) \(name(shown))" }
    return total == shown ? "\(count) \(name(shown))" : "\(count) of \(Quantity.grouped(total)) \(name(total))"
  }

  private func name(_ count: Int) -> String {
    rowName ?? (count == 1 ? "row" : "rows")
  }
}
