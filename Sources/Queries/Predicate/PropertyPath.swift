/// Property names separated by dots, as written: `author.name`.
///
/// An object on the way may be taken as one of a subentity, to reach what that alone has: `CAST(owner, "Business").vatNumber`.
public struct PropertyPath: Hashable, Sendable {
  /// One name of a path.
  public struct Component: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name of the property, without `#` and quotes.
    public var name: String
    /// The entity that the object must be of, or descend from, to be asked; nil where any object is.
    ///
    /// An object of another entity has nothing there, as if a to-one before the name were nil.
    public var entity: String?

    /// Makes the component of a property, of objects of `entity` alone where that is given.
    public init(_ name: String, of entity: String? = nil) {
      self.name = name
      self.entity = entity
    }

    /// Makes the component of a property.
    public init(stringLiteral name: String) { self.init(name) }
  }

  /// The components, in order.
  public var components: [Component]
  /// Its place in the parsed text, to which errors point.
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

  /// Reads a path from its dotted form, without checking names; every name is taken for a property's.
  public init(dotted text: String) {
    self.init(text.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
  }

  /// The names alone, in order.
  public var names: [String] { components.map(\.name) }

  /// The form of the format language, with names as they are: `CAST(owner, "Business").vatNumber`.
  public var text: String { text { $0 } }

  /// Whether an object on the way is taken as one of a subentity.
  public var hasCasts: Bool { components.contains { $0.entity != nil } }

  /// The property's name where the path is nothing else.
  public var onlyName: String? {
    components.count == 1 && components[0].entity == nil ? components[0].name : nil
  }

  /// The form of the format language, where it begins at `start` and names are written as `spelling` does.
  func text(from start: String? = nil, _ spelling: (String) -> String) -> String {
    var text = start
    for component in components {
      if let entity = component.entity { text = "CAST(\(text ?? "SELF"), \(FormatPrinter.quoted(entity)))" }
      text = (text.map { $0 + "." } ?? "") + spelling(component.name)
    }
    return text ?? ""
  }

  /// Whether the names are the same, wherever they were read.
  public static func == (left: PropertyPath, right: PropertyPath) -> Bool { left.components == right.components }
  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}
