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
}

extension PlacementComponent {
  init(_ descriptor: SortDescriptor, _ operand: SQLOperand) {
    let hasComparator = operand.kind == .text || operand.kind == .any
    isAscending = descriptor.isAscending
    comparator = hasComparator ? descriptor.comparator : .binary
    kind =
      switch operand.kind {
      case .number, .boolean, .date: operand.isExact ? .number : .any
      case .text, .uuid, .json: operand.isExact ? .text : .any
      case .decimal: .decimal
      case .null, .data, .any: .any
      }
  }
}
