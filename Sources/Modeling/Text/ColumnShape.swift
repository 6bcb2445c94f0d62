/// The types that the fields of one column of a data file can have, narrowed by every field.
///
///     let shape = ColumnShape(hasDecimalComma: false)
///     for field in ["1", "2.5"] { shape.take(field) }
///     shape.type        // .double
///
/// A type is possible only where it loses nothing of what is written: neither `007` nor `1.2345678901234567891` is a
/// double.
public final class ColumnShape {
  /// Unquoted texts that stand for nil in columns that are not text.
  public static let nullTexts = ["NULL", "null", "NA", "N/A", "n/a", "NaN", "nan", "\\N"]

  private var readings = FieldReadings.all
  private var hasValues = false
  private var hasNullTexts = false
  private let hasDecimalComma: Bool

  /// Expects any type; `hasDecimalComma` says whether `12,5` may be a number.
  public init(hasDecimalComma: Bool) { self.hasDecimalComma = hasDecimalComma }

  /// Narrows the types by a field of a delimited text.
  public func take(_ bytes: UnsafeRawBufferPointer, wasQuoted: Bool) {
    if bytes.isEmpty || readings == .text { return }
    if !wasQuoted, Self.isNull(bytes) {
      hasNullTexts = true
      return
    }
    hasValues = true
    readings.formIntersection(FieldReadings(AttributeTextParser.trimmed(bytes), hasDecimalComma, within: readings))
  }

  /// Narrows the types by a field of a text.
  public func take(_ field: String) {
    var field = field
    field.withUTF8 { take(UnsafeRawBufferPointer($0), wasQuoted: false) }
  }

  /// Narrows the types by a value of JSON.
  public func take(_ json: JSON) {
    if json == .null || readings == .json { return }
    hasValues = true
    readings.formIntersection(FieldReadings(json))
  }

  /// Whether a field reads as the column's type, where that is more than text: then the first row is no header.
  func fits(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isTyped, !bytes.isEmpty else { return false }
    return !readings.intersection(FieldReadings(AttributeTextParser.trimmed(bytes), hasDecimalComma, within: readings))
      .subtracting([.text, .json]).isEmpty
  }

  /// Whether the column is more than text.
  var isTyped: Bool { hasValues && type != .string && type != .transformable }

  /// The narrowest type that holds every field; String for a column without any.
  public var type: AttributeType {
    guard hasValues else { return .string }
    if readings.contains(.bool) { return .boolean }
    if readings.contains(.integer) { return .integer64 }
    if !readings.isDisjoint(with: [.double, .commaDouble]) { return .double }
    if !readings.isDisjoint(with: [.decimal, .commaDecimal]) { return .decimal }
    if readings.contains(.date) || readings.contains(.dayFirst) != readings.contains(.monthFirst) { return .date }
    return readings.contains(.text) ? .string : .transformable
  }

  /// Whether the fields are dates of which nothing tells what is the day and what the month.
  public var isAmbiguousDate: Bool { hasValues && readings.isSuperset(of: [.dayFirst, .monthFirst]) }

  /// How the fields are written.
  public var notation: TextNotation {
    var notation = TextNotation()
    notation.hasDecimalComma = hasDecimalComma
    if type == .date, !readings.contains(.date) { notation.slashes = readings.contains(.dayFirst) ? .day : .month }
    return notation
  }

  /// The texts that stand for nil in the column.
  public var nullTexts: [String] { hasNullTexts && type != .string ? Self.nullTexts : [] }

  private static func isNull(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Almost every field is longer, or begins with a digit.
    guard bytes.count <= 4, bytes[0] > UInt8(ascii: "9") else { return false }
    return nullTexts.contains { $0.utf8.elementsEqual(bytes) }
  }
}
