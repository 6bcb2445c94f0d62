internal import Modeling

/// The cells of a text of rows: delimited fields, as spreadsheets copy them, or objects of JSON.
///
///     try PastedText("code\tplace\nus1\tLata", knows: { ["code", "place"].contains($0) }).names      // ["code", "place"]
package struct PastedText {
  /// What stands in a field.
  enum Field {
    /// A text; one in quotes is empty where another would be nil.
    case text(String, wasQuoted: Bool)
    case json(JSON)

    /// The text to show.
    var text: String {
      switch self {
      case .text(let text, _): text
      case .json(.null): ""
      case .json(.string(let text)): text
      case .json(let json): json.outputText
      }
    }
  }

  /// The names of the columns; empty where the first row is a row like the others.
  package let names: [String]
  let rows: [[Field]]
  /// How numbers and dates are written.
  let notation: TextNotation
  /// The number of columns.
  package let width: Int

  /// Reads a text; its first row has the names of the columns if one of them is known.
  ///
  /// - Throws: DelimitedError, JSONRowsError.
  package init(_ text: String, knows: (String) -> Bool) throws {
    let bytes = Array(text.utf8)
    if let first = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }), [0x5B, 0x7B].contains(first) {
      try self.init(json: bytes)
    } else {
      try self.init(delimited: bytes, knows: knows)
    }
  }

  private init(delimited bytes: [UInt8], knows: (String) -> Bool) throws {
    let hasTabs = bytes.prefix { $0 != 0x0A && $0 != 0x0D }.contains(0x09)
    let reader =
      hasTabs
      ? DelimitedReader(bytes: bytes, format: .init(delimiter: 0x09))
      : DelimitedReader(bytes: bytes, detectsDelimiter: true)
    var rows: [[Field]] = []
    while try reader.next() {
      rows.append(
        try (0..<reader.fieldCount).map { .text(try reader.text($0), wasQuoted: reader.wasQuoted($0)) })
    }
    let first = rows.first?.map(\.text) ?? []
    names = first.contains(where: knows) ? first : []
    width = first.count
    self.rows = Array(names.isEmpty ? rows[...] : rows.dropFirst())
    var notation = TextNotation()
    notation.hasDecimalComma = reader.format.delimiter == UInt8(ascii: ";")
    self.notation = notation
  }

  private init(json bytes: [UInt8]) throws {
    let reader = JSONRowsReader(bytes: bytes)
    var (names, objects): ([String], [[String: JSON]]) = ([], [])
    var known: Set<String> = []
    while let row = try reader.next() {
      objects.append(row)
      if row.keys.allSatisfy(known.contains) { continue }
      for name in reader.keys where known.insert(name).inserted { names.append(name) }
    }
    self.names = names
    width = names.count
    rows = objects.map { row in names.map { .json(row[$0] ?? .null) } }
    notation = TextNotation()
  }
}
