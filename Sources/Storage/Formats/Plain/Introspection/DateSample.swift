import Modeling
import SQLite

/// What the values of a column that may keep dates have in common.
struct DateSample {
  /// How dates are written where there are no values; nil for a column that only its name says to keep some.
  private let declared: DateForm?
  private var form: DateForm?
  private var hasSeconds = false
  private var isOther = false
  /// The last text, which rows one after the other often share.
  private var last = ""

  init(_ declared: DateForm?) { self.declared = declared }

  /// Seconds since 1970 from 1980 to 2100: smaller numbers may be days or years, greater ones milliseconds.
  private static let plausibleSeconds: ClosedRange<Int64> = 315_532_800...4_102_444_800

  /// Adds the value in a column of a statement's row.
  mutating func add(_ row: Statement, _ column: Int) {
    guard !isOther else { return }
    switch row.storageClass(column) {
    case .null: break
    case .integer:
      hasSeconds = true
      isOther = declared?.separator == nil || form != nil || !Self.plausibleSeconds.contains(row.integer(column))
    case .text: add(row.text(column))
    case .real, .blob: isOther = true
    }
  }

  private mutating func add(_ text: String) {
    guard form == nil || text != last else { return }
    last = text
    guard !hasSeconds, text.utf8.count <= 40, let found = DateForm(of: text) else {
      isOther = true
      return
    }
    guard let known = form else {
      form = found
      return
    }
    form = known.joined(with: found)
    isOther = form == nil
  }

  /// How the column keeps dates; nil where it does not, or not for certain.
  var encoding: ColumnEncoding? {
    if isOther { return nil }
    if hasSeconds { return .plain }
    return (form ?? declared).map(ColumnEncoding.dateText)
  }
}
