import Modeling
import SQLite

/// The common form of values in a column that may keep dates.
struct DateSample {
  /// How dates are written where there are no values; nil for a column that only its name says to keep some.
  private let declared: DateForm?
  private var form: DateForm?
  private var hasSeconds = false
  private var isOther = false
  /// A text of the form: others with digits where it has some, and else with the same, are of the form, too.
  private var shape: [UInt8] = []
  /// Where an offset begins in it, whose digits must be the same.
  private var zonePlace = 0

  /// Whether whole numbers may be seconds since 1970.
  private let takesSeconds: Bool

  init(_ declared: DateForm?, takesSeconds: Bool) {
    self.declared = declared
    self.takesSeconds = takesSeconds && declared?.separator != nil
  }

  /// Seconds since 1970 from 1980 to 2100: smaller numbers may be days or years, greater ones milliseconds.
  private static let plausibleSeconds: ClosedRange<Int64> = 315_532_800...4_102_444_800

  /// Adds the value in a column of a statement's row.
  mutating func add(_ row: Statement, _ column: Int) {
    guard !isOther else { return }
    switch row.storageClass(column) {
    case .null: break
    case .integer:
      hasSeconds = true
      isOther = !takesSeconds || form != nil || !Self.plausibleSeconds.contains(row.integer(column))
    case .text: add(row.bytes(column))
    case .real, .blob: isOther = true
    }
  }

  private mutating func add(_ text: UnsafeRawBufferPointer) {
    if form != nil, hasShape(text) {
      isOther = parseTimestamp(text) == nil
      return
    }
    guard !hasSeconds, text.count <= 40, let found = DateForm(of: String(decoding: text, as: UTF8.self)) else {
      isOther = true
      return
    }
    shape = Array(text)
    zonePlace = shape.count - found.zone.utf8.count
    guard let known = form else {
      form = found
      return
    }
    form = known.joined(with: found)
    isOther = form == nil
  }

  private func hasShape(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count == shape.count else { return false }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    for place in shape.indices where text[place] != shape[place] {
      guard place < zonePlace, digits.contains(text[place]), digits.contains(shape[place]) else { return false }
    }
    return true
  }

  /// How the column keeps dates; nil where it does not, or not for certain.
  var encoding: ColumnEncoding? {
    if isOther { return nil }
    if hasSeconds { return .plain }
    return (form ?? declared).map(ColumnEncoding.dateText)
  }
}
