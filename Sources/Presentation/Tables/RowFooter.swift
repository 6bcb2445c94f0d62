internal import Modeling

/// The line under a table: `25 of 2,000 Book · 0.4 ms · 7 of 9 columns, without cover, tags (.mode lines shows all)`.
struct RowFooter {
  var shown: Int
  /// How many rows there are in all, if known.
  var total: Int?
  var hasMore: Bool
  var rowName: String?
  /// The shown columns, if not all.
  var columns: Columns?

  /// The columns that the window has no room for.
  struct Columns {
    var shown: Int
    var dropped: [String]

    /// The count, with the names of the dropped columns, and the way to see them if `room` allows it.
    func text(in room: Int, _ charset: Charset) -> String {
      let count = "\(Quantity.grouped(shown)) of \(Quantity.grouped(shown + dropped.count)) columns"
      let remedy = " (.mode lines shows all)"
      let names = dropped.map { DisplayText($0, in: .max, charset).text }.joined(separator: ", ")
      let wordings = ["\(count), without \(names)\(remedy)", count + remedy]
      return wordings.first { $0.terminalWidth <= room } ?? count
    }
  }

  func write(to sink: OutputSink, _ options: RenderOptions) {
    options.noteRows?(total ?? shown)
    var remarks = [rows + (hasMore ? remedy(options) : "")]
    if let elapsed = options.elapsed { remarks.append(Quantity.duration(elapsed())) }
    let separator = " \(options.charset.dot) "
    if let columns {
      let used = (remarks + [""]).joined(separator: separator).terminalWidth + 2
      remarks.append(columns.text(in: (options.width ?? .max) - used, options.charset))
    }
    let text = remarks.joined(separator: separator)
    sink.write("  " + options.style(.note, DisplayText(text, in: .max, options.charset).text) + "\n")
  }

  /// How to see the rows that are left out, where the window has room for it.
  private func remedy(_ options: RenderOptions) -> String {
    let remedy = options.remedyForRows.map { " (\($0))" } ?? ""
    return (rows + remedy).terminalWidth + 2 <= options.width ?? .max ? remedy : ""
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
