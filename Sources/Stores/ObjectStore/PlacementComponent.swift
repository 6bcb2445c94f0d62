public import Queries

/// One of the values by which the rows of a request are ordered.
public struct PlacementComponent: Hashable, Sendable {
  /// The kind of the values, as far as it affects their order.
  public enum Kind: Hashable, Sendable {
    /// Integers and reals; dates are seconds, Booleans 0 and 1.
    case number
    /// Text, ordered by the comparator.
    case text
    /// Decimals, ordered as numbers.
    case decimal
    /// Any values: numbers before text before bytes, text by the comparator.
    case any
  }

  /// Whether the smallest value comes first; nil is smaller than every value.
  public var isAscending: Bool
  /// How text is compared.
  public var comparator: SortDescriptor.StringComparator
  /// The kind of the values.
  public var kind: Kind

  /// Describes a value by which rows are ordered.
  public init(isAscending: Bool, comparator: SortDescriptor.StringComparator, kind: Kind) {
    self.isAscending = isAscending
    self.comparator = comparator
    self.kind = kind
  }
}
