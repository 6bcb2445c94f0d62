/// An index that a model asks the store for: what objects are looked up or sorted by together.
///
/// A list of property names is one: `["place", "time"]`. Apple's models give indexes a name, and may index expressions,
/// descend, or leave objects out.
public struct FetchIndex: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The name in the model; nil where it has none.
  public var name: String?
  /// The indexed properties and expressions, in order.
  public var elements: [Element]
  /// The condition on the objects it holds, in the format language; nil for all.
  public var predicate: String?

  /// A part of an index.
  public struct Element: Hashable, Sendable {
    /// A property's name, the dotted path of an element of a composite, or an expression.
    public var expression: String
    /// Whether smaller values come first.
    public var isAscending = true
    /// Whether it is an R-tree over numbers, for questions about ranges of several of them.
    public var isRTree = false

    /// Indexes the values of an expression, smaller ones first.
    public init(_ expression: String) { self.expression = expression }
  }

  /// Indexes properties together.
  public init(_ properties: [String]) { elements = properties.map(Element.init) }

  /// Indexes properties together.
  public init(arrayLiteral properties: String...) { self.init(properties) }

  /// The names and paths that are indexed.
  public var properties: [String] { elements.map(\.expression) }

  /// Whether the index is only a list of properties.
  public var isPlain: Bool {
    name == nil && predicate == nil && elements.allSatisfy { $0.isAscending && !$0.isRTree }
  }
}
