/// One key that results are sorted by.
public struct SortDescriptor: Hashable, Sendable {
  /// The compared expression; usually a path.
  public var expression: Expression
  /// Whether the least comes first; nil is less than anything.
  public var isAscending: Bool
  /// How text is compared.
  public var comparator: StringComparator

  /// How strings are compared.
  public enum StringComparator: String, CaseIterable, Hashable, Sendable {
    case binary
    case caseInsensitive
    case localized
    /// As people expect of file names: numbers within text by value; always in one fixed locale.
    case standard
  }

  /// Sorts by `expression`.
  public init(_ expression: Expression, ascending: Bool = true, comparator: StringComparator = .binary) {
    self.expression = expression
    isAscending = ascending
    self.comparator = comparator
  }

  /// Sorts by a dotted path; a leading `-` reverses.
  public init(_ text: String) {
    let reversed = text.hasPrefix("-")
    let path = reversed ? String(text.dropFirst()) : text
    let origin = Origin(text: text, range: (reversed ? 1 : 0)..<text.utf8.count)
    self.init(.path(PropertyPath(PropertyPath(dotted: path).components, origin: origin)), ascending: !reversed)
  }
}
