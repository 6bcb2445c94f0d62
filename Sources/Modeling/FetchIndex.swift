/// An index that a model asks the store to create: properties by which objects are searched or sorted together.
///
/// A list of property names is one: `["place", "time"]`. In Apple's models an index has a name, and may contain
/// expressions, descend, or cover only some objects.
public struct FetchIndex: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The index's name in the model; nil if it has none.
  public var name: String?
  /// The indexed properties and expressions, in order.
  public var elements: [Element]
  /// The condition on the objects to index, in the format language; nil for all.
  public var predicate: String?

  /// A part of an index.
  public struct Element: Hashable, Sendable {
    /// The name of a property, the dotted path of an element of a composite, or an expression.
    public var expression: String
    /// Whether smaller values come first.
    public var isAscending = true
    /// Whether it is an R-tree, for range conditions over several numbers.
    public var isRTree = false

    /// Creates an ascending element for an expression.
    public init(_ expression: String) { self.expression = expression }
  }

  /// Creates an index of several properties.
  public init(_ properties: [String]) { elements = properties.map(Element.init) }

  /// Creates an index of several properties.
  public init(arrayLiteral properties: String...) { self.init(properties) }

  /// The indexed names and paths.
  public var properties: [String] { elements.map(\.expression) }

  /// Whether the index is only a list of properties.
  public var isPlain: Bool {
    name == nil && predicate == nil && elements.allSatisfy { $0.isAscending && !$0.isRTree }
  }
}
