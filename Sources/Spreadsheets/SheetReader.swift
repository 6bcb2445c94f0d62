internal import Modeling

/// Reads the rows of a sheet one by one. Rows without values are left out.
package final class SheetReader {
  /// The value of a cell.
  package enum Cell: Hashable, Sendable {
    case text(String)
    case number(Double)
    case bool(Bool)
    /// A date as ISO 8601, with the time of the day if it has one.
    case date(String)
    /// Nothing, an empty text, or an error of a formula.
    case none
  }

  /// The number of the current row, from 1.
  package private(set) var number = 0
  private static let mostRows = 1_048_576
  private static let mostColumns = 16_384
  private var scanner: XMLScanner
  private let texts: [String]
  private let areDates: [Bool]
  private let daysBefore1970: Double

  init(_ scanner: XMLScanner, texts: [String], areDates: [Bool], daysBefore1970: Double) {
    (self.scanner, self.texts, self.areDates, self.daysBefore1970) = (scanner, texts, areDates, daysBefore1970)
  }

  /// The cells of the next row by their columns, from A on; nil after the last.
  ///
  /// - Throws: CompressionError, DocumentError.
  package func next() throws -> [Cell]? {
    var row: [Cell] = []
    var cell: (column: Int, type: String, style: Int)?
    var (value, isInValue) = ("", false)
    while let token = try scanner.next() {
      switch token {
      case .start("row", let attributes, _):
        try begin(attributes["r"])
        row = []
      case .end("row"): if row.contains(where: { $0 != .none }) { return row }
      case .start("c", let attributes, let isEmpty):
        let column = attributes["r"].map(Self.column) ?? row.count
        guard (0..<Self.mostColumns).contains(column) else {
          throw DocumentError.damaged("row \(number) has a cell beyond column XFD")
        }
        while row.count <= column { row.append(.none) }
        value = ""
        cell = isEmpty ? nil : (column, attributes["t"] ?? "n", attributes["s"].flatMap { Int($0) } ?? 0)
      case .end("c"):
        guard let ended = cell else { continue }
        row[ended.column] = try content(value, ended.type, ended.style)
        cell = nil
      case .start("v", _, let isEmpty), .start("t", _, let isEmpty): isInValue = !isEmpty
      case .end("v"), .end("t"): isInValue = false
      case .text(let text) where isInValue && cell != nil: value += text
      case .end("sheetData"):
        if cell != nil { throw DocumentError.damaged("row \(number) ends within a cell") }
        return try end()
      case .start("sheetData", _, let isEmpty): if isEmpty { return try end() }
      default: break
      }
    }
    throw DocumentError.damaged("a sheet ends within its rows")
  }

  /// Reads what follows the rows: the checksum of the whole is checked at its end.
  private func end() throws -> [Cell]? {
    while try scanner.next() != nil {}
    return nil
  }

  /// Begins the row that a sheet says, or the next one.
  private func begin(_ reference: String?) throws {
    let next = reference.flatMap { Int($0) } ?? number + 1
    guard next > number, next <= Self.mostRows else {
      throw DocumentError.damaged("row \(next) follows row \(number)")
    }
    number = next
  }

  private func content(_ value: String, _ type: String, _ style: Int) throws -> Cell {
    switch type {
    case "s":
      guard let index = Int(value), texts.indices.contains(index) else {
        throw DocumentError.damaged("row \(number) refers to the text \(value.prefix(40)), which is not there")
      }
      return texts[index].isEmpty ? .none : .text(texts[index])
    case "str", "inlineStr": return value.isEmpty ? .none : .text(Self.unescaped(value))
    case "b": return .bool(value == "1")
    case "d": return .date(value)
    case "e": return .none
    default:
      if value.isEmpty { return .none }
      guard let number = Double(value), number.isFinite else {
        throw DocumentError.damaged("row \(self.number) has the number \"\(value.prefix(40))\"")
      }
      let isDate = areDates.indices.contains(style) && areDates[style]
      return isDate ? date(number) ?? .number(number) : .number(number)
    }
  }

  /// The date of a number of days; nil for a time of the day alone, and for what is no date of our calendar.
  private func date(_ days: Double) -> Cell? {
    // Excel takes 1900 for a leap year: until its 60th day, days have the next number.
    let real = daysBefore1970 == 25_569 && days < 60 ? days + 1 : days
    guard days >= 1, days < 2_958_466 else { return nil }
    let seconds = ((real - daysBefore1970) * 86_400_000).rounded() / 1_000
    let text = Timestamp(seconds).iso8601
    return .date(text.hasSuffix("T00:00:00Z") ? String(text.dropLast(10)) : text)
  }

  /// The number of a column, from 0: `C7` is 2.
  private static func column(_ reference: String) -> Int {
    let letters = reference.utf8.prefix { (65...90).contains($0) || (97...122).contains($0) }
    return letters.prefix(4).reduce(0) { $0 * 26 + Int($1 & 0x1F) } - 1
  }

  /// A text whose control characters are written as `_x000D_`.
  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "_")), text.contains("_x") else { return text }
    var result = ""
    var rest = text[...]
    while let found = rest.firstRange(of: "_x") {
      result += rest[..<found.lowerBound]
      let digits = rest[found.upperBound...].prefix(4)
      let isEscape = digits.utf8.count == 4 && rest[digits.endIndex...].first == "_"
      if isEscape, let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
        result.unicodeScalars.append(scalar)
        rest = rest[digits.endIndex...].dropFirst()
      } else {
        result += rest[found]
        rest = rest[found.upperBound...]
      }
    }
    return result + rest
  }
}
