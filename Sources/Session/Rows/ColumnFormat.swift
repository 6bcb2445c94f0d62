internal import Modeling
internal import Presentation

/// How a column shows its values to people: the option `format`.
///
///     ColumnFormat("time")                  16:26
///     ColumnFormat("Item at {dateTime}")    Item at 2024-01-22 16:26
///     ColumnFormat("%.1f")                  6.5
///
/// Data modes write the values themselves. Dates are in UTC, as everywhere.
package struct ColumnFormat: Equatable {
  /// The forms of a value.
  enum Form: Equatable {
    /// As a table shows it without a format.
    case plain
    case date, time, dateTime
    /// `2 hours ago`, `in 3 days`
    case relative
    case percent
    /// A number with so many decimal places.
    case places(Int)
  }

  /// The names of forms that a script can give; `%.1f` is one, too.
  static let names = ["date", "time", "dateTime", "relative", "percent"]
  private static let mostPlaces = 15

  let form: Form
  private let prefix: String
  private let suffix: String

  /// Reads the name of a form, or a text with `{}` or `{name}` where the value stands; nil for anything else.
  init?(_ text: String) {
    guard let open = text.firstIndex(of: "{") else {
      guard let form = Self.form(text) else { return nil }
      (self.form, prefix, suffix) = (form, "", "")
      return
    }
    guard let close = text[open...].firstIndex(of: "}") else { return nil }
    let name = String(text[text.index(after: open)..<close])
    guard let form = name.isEmpty ? .plain : Self.form(name) else { return nil }
    (self.form, prefix) = (form, String(text[..<open]))
    suffix = String(text[text.index(after: close)...])
  }

  private static func form(_ name: String) -> Form? {
    switch name {
    case "date": return .date
    case "time": return .time
    case "dateTime": return .dateTime
    case "relative": return .relative
    case "percent": return .percent
    default:
      guard let digits = name.wholeMatch(of: /%\.(\d{1,2})f/)?.1, let places = Int(digits), places <= mostPlaces else {
        return nil
      }
      return .places(places)
    }
  }

  /// The cell as it is shown; nothing stays nothing.
  func cell(_ cell: Cell) -> Cell {
    if case .null = cell { return cell }
    let text = text(cell) ?? CellText(cell, .utf8).text
    return form == .plain && prefix.isEmpty && suffix.isEmpty ? cell : .text(prefix + text + suffix)
  }

  /// The value in its form; nil where the form is not for it.
  private func text(_ cell: Cell) -> String? {
    switch (form, cell) {
    case (.plain, .text(let text)): return text
    case (.date, .date(let iso)), (.time, .date(let iso)), (.dateTime, .date(let iso)), (.relative, .date(let iso)):
      return Timestamp(iso8601: iso).flatMap(text(of:))
    case (.percent, _): return cell.number.map { Quantity.decimal($0 * 100, places: 0) + "%" }
    case (.places(let places), _): return cell.number.map { Quantity.decimal($0, places: places) }
    default: return nil
    }
  }

  private func text(of date: Timestamp) -> String? {
    guard form != .relative else { return Self.distance(date.seconds - Timestamp.now.seconds) }
    guard let parts = date.components else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(parts.year)-\(two(parts.month))-\(two(parts.day))"
    let time = "\(two(parts.hour)):\(two(parts.minute))"
    return form == .date ? day : form == .time ? time : "\(day) \(time)"
  }

  /// A number of seconds as `2 hours ago` or `in 3 days`.
  private static func distance(_ seconds: Double) -> String? {
    guard seconds.isFinite else { return nil }
    let units: [(name: String, seconds: Double)] = [
      ("year", 31_557_600), ("month", 2_629_800), ("day", 86_400), ("hour", 3_600), ("minute", 60),
    ]
    guard let unit = units.first(where: { abs(seconds) >= $0.seconds }) else { return "now" }
    let count = Quantity.count(Int(saturating: abs(seconds) / unit.seconds), unit.name)
    return seconds < 0 ? "\(count) ago" : "in \(count)"
  }
}

extension Cell {
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .decimal(let digits): Double(digits)
    default: nil
    }
  }
}
