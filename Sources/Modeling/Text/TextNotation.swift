/// How a text writes numbers and dates, where that is not the same everywhere.
public struct TextNotation: Hashable, Sendable {
  /// Whether a comma stands before the fraction of a number: `12,5`. So write spreadsheets that put `;` between fields.
  public var hasDecimalComma = false
  /// What stands first in `03/04/2024`; nil where that is not known, so that such a text is no date.
  public var slashes: DateOrder?

  /// What stands first in a date with slashes.
  public enum DateOrder: Hashable, Sendable {
    case day
    case month
  }

  /// The notation of programs: a point before the fraction, dates in ISO 8601.
  public init() {}
}
