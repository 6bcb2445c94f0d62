public import struct Foundation.Decimal

extension Decimal {
  /// The decimal as plain digits, without an exponent or trailing zeros: `-12.5`, `100`, `0`; `NaN` if it is not a
  /// number.
  public var canonicalText: String { "\(self)" }

  /// Reads a decimal number that fills `text`: `1.10`, `-12`, `.5`, `6.02e23`.
  ///
  /// Returns nil for anything else, and if the number would be rounded: a Decimal holds 38 digits.
  public init?(exactly text: String) {
    var text = text
    let parsed = text.withUTF8 { parseDecimal(UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  /// The decimal with the shortest digits that read back as `value`; nil for NaN, infinities and numbers out of range.
  ///
  /// Foundation's own conversion makes 3.132999999999999488 of 3.133.
  public init?(shortest value: Double) {
    guard value.isFinite else { return nil }
    self.init(exactly: "\(value)")
  }
}
