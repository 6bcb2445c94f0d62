/// The notation of numbers and dates in a text.
public struct TextNotation: Hashable, Sendable {
  /// Whether numbers have a decimal comma: `12,5`. Spreadsheets that separate fields by `;` write it.
  public var hasDecimalComma = false
  /// The first part of `03/04/2024`; nil if it is unknown, so that such a text is not a date.
  public var slashes: DateOrder?

  /// The first part of a date with slashes.
  public enum DateOrder: Hashable, Sendable {
    case day
    case month
  }

  /// The notation of programs: a decimal point, dates in ISO 8601.
  public init() {}
}
