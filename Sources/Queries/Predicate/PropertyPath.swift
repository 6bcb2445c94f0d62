/// Property names separated by dots: `author.name`.
///
/// A path may cast an object to a subentity, to reach a property that only the subentity has: `CAST(owner,
/// "Business").vatNumber`.
public struct PropertyPath: Hashable, Sendable {
  /// One name of a path.
  public struct Component: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name of the property, without `#` and quotes.
    public var name: String
    /// The entity to which the path casts the object that has the property; nil for none.
    ///
    /// For an object of another entity the path yields nil, as if a to-one relationship before were nil.
    public var entity: String?

    /// Creates the component of a property, optionally with a cast to `entity`.
    public init(_ name: String, of entity: String? = nil) {
      self.name = name
      self.entity = entity
    }

    /// Creates the component of a property.
    public init(stringLiteral name: String) { self.init(name) }
  }

  /// The components, in order.
  public var components: [Component]
  /// Its place in the parsed text, for error messages.
  public var origin: Origin?

  /// Makes the path of `components`.
  public init(_ components: [Component], origin: Origin? = nil) {
    self.components = components
    self.origin = origin
  }

  /// Makes the path of `names`.
  public init(_ names: [String], origin: Origin? = nil) {
    self.init(names.map { Component($0) }, origin: origin)
  }

  /// Parses the dotted form without checking names; every component is a property.
  public init(dotted text: String) {
    self.init(text.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
  }

  /// The names of the properties, in order.
  public var names: [String] { components.map(\.name) }

  /// The path in the format language, with unescaped names: `CAST(owner, "Business").vatNumber`.
  public var text: String { text { $0 } }

  /// Whether the path casts an object to a subentity.
  public var hasCasts: Bool { components.contains { $0.entity != nil } }

  /// The property's name if the path consists of just one; otherwise nil.
  public var onlyName: String? {
    components.count == 1 && components[0].entity == nil ? components[0].name : nil
  }

  /// The path in the format language, beginning at `start`, with names spelled by `spelling`.
  func text(from start: String? = nil, _ spelling: (String) -> String) -> String {
    var text = start
    for component in components {
      if let entity = component.entity { text = "CAST(\(text ?? "SELF"), \(FormatPrinter.quoted(entity)))" }
      text = (text.map { $0 + "." } ?? "") + spelling(component.name)
    }
    return text ?? ""
  }

  /// Whether the names are equal, regardless of their places in a text.
  public static func == (left: PropertyPath, right: PropertyPath) -> Bool { left.components == right.components }
  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}
