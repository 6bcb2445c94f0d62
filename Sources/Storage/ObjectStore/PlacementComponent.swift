public import Queries

/// One of the values that the rows of a request are ordered by.
public struct PlacementComponent: Hashable, Sendable {
  /// What the values are, as far as their order goes.
  public enum Kind: Hashable, Sendable {
    /// Integers and reals; dates are seconds, Booleans 0 and 1.
    case number
    /// Text, ordered by the comparator.
    case text
    /// Decimals, ordered as numbers.
    case decimal
    /// Anything: numbers before text before bytes, text by the comparator.
    case any
  }

  /// Whether the least comes first; nothing is less than anything.
  public var isAscending: Bool
  /// How text is compared.
  public var comparator: SortDescriptor.StringComparator
  /// What the values are.
  public var kind: Kind

  /// Describes a value that rows are ordered by.
  public init(isAscending: Bool, comparator: SortDescriptor.StringComparator, kind: Kind) {
    self.isAscending = isAscending
    self.comparator = comparator
    self.kind = kind
  }
}
