internal import JSONRPC
internal import Modeling
internal import Presentation

/// Rows for a client: the names of columns once, then a list for each row, as many as fit.
struct RowsAnswer {
  /// The most characters of a text in a row.
  static let longestText = 200

  private(set) var columns: [String] = []
  private(set) var rows: [JSON] = []
  /// Whether rows are left that did not fit.
  private(set) var isCut = false

  /// Reads rows until there are no more, or `limit` of them, or they have `characters`; at least one is taken.
  init(_ source: any TabularSource, from offset: Int = 0, limit: Int, characters: Int) throws {
    columns = source.columns.map(\.name)
    var (size, number) = (columns.reduce(20) { $0 + $1.count + 3 }, 0)
    while let row = try source.next() {
      number += 1
      if number <= offset { continue }
      let json = JSON.array(row.map(Self.value))
      size += json.text.count + 1
      guard rows.count < limit, size <= characters || rows.isEmpty else {
        isCut = true
        return
      }
      rows.append(json)
    }
  }

  var members: [String: JSON] { ["columns": .array(columns.map(JSON.string)), "rows": .array(rows)] }

  /// A cell as JSON: numbers exact, dates in ISO 8601, data by its size, long texts cut.
  private static func value(_ cell: Cell) -> JSON {
    switch cell {
    case .null: .null
    case .text(let text), .reference(let text): .string(BoundedText(text, longestText).text)
    case .integer(let number): .int(number)
    case .real(let number): .double(number)
    case .bool(let flag): .bool(flag)
    case .decimal(let digits): .string(digits)
    case .date(let text): .string(text)
    case .count(let count): .int(Int64(count))
    case .blob(let blob): .string("<data, \(Quantity.bytes(blob.byteCount))>")
    case .json(let text):
      text.count > longestText ? .string(BoundedText(text, longestText).text) : (try? JSON.parse(text)) ?? .string(text)
    }
  }
}
