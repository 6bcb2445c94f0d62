internal import Modeling

/// Formats a listing as lines of text with aligned columns.
struct ListingText: Sendable {
  private let measure: @Sendable (String) -> (text: String, width: Int)

  private static let widest = 40

  /// `fit` truncates a text to a number of columns and measures it.
  init(fit: ((String, Int) -> (text: String, width: Int))?) {
    nonisolated(unsafe) let fit = fit
    measure = { text in
      fit?(text, Self.widest) ?? (String(text.prefix(Self.widest)), min(text.count, Self.widest))
    }
  }

  func text(_ listing: Listing) throws -> String {
    var rows = [listing.columns.map { measure($0.name) }]
    for index in 0..<listing.count {
      rows.append(try listing.row(index).map { measure($0.isNull ? "" : $0.displayText) })
    }
    let widths = listing.columns.indices.map { column in rows.map { $0[column].width }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let space = String(repeating: " ", count: widths[column] - cell.width)
        line += (column > 0 ? "  " : "") + (listing.columns[column].isNumber ? space + cell.text : cell.text + space)
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
