/// The possible types of a data file's column, narrowed by each of its fields.
///
///     let shape = ColumnShape(hasDecimalComma: false)
///     for field in ["1", "2.5"] { shape.take(field) }
///     shape.type        // .double
///
/// A type is possible only if it preserves the written text: neither `007` nor `1.2345678901234567891` is a double.
public final class ColumnShape {
  /// Unquoted texts that mean nil in columns that are not text.
  public static let nullTexts = ["NULL", "null", "NA", "N/A", "n/a", "NaN", "nan", "\\N"]

  private var readings = FieldReadings.all
  private var hasValues = false
  private var hasNullTexts = false
  private let hasDecimalComma: Bool

  /// Creates a shape that allows any type; `hasDecimalComma` says whether `12,5` may be a number.
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

  /// Whether a field reads as the column's type, if that is not text: then the first row is not a header.
  func fits(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isTyped, !bytes.isEmpty else { return false }
    return !readings.intersection(FieldReadings(AttributeTextParser.trimmed(bytes), hasDecimalComma, within: readings))
      .subtracting([.text, .json]).isEmpty
  }

  /// Whether the column's type is other than text.
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

  /// Whether the fields are dates with an unknown order of day and month.
  public var isAmbiguousDate: Bool { hasValues && readings.isSuperset(of: [.dayFirst, .monthFirst]) }

  /// The notation of the fields.
  public var notation: TextNotation {
    var notation = TextNotation()
    notation.hasDecimalComma = hasDecimalComma
    if type == .date, !readings.contains(.date) { notation.slashes = readings.contains(.dayFirst) ? .day : .month }
    return notation
  }

  /// The texts that mean nil in the column.
  public var nullTexts: [String] { hasNullTexts && type != .string ? Self.nullTexts : [] }

  private static func isNull(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Almost every field is longer, or begins with a digit.
    guard bytes.count <= 4, bytes[0] > UInt8(ascii: "9") else { return false }
    return nullTexts.contains { $0.utf8.elementsEqual(bytes) }
  }
}
