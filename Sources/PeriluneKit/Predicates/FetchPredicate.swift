public import Foundation
internal import Queries

/// A condition on objects of a class.
///
///     let strong: FetchPredicate<Quake> = \.magnitude > 6
///     let near: FetchPredicate<Quake> = "place CONTAINS[c] \(text) AND depth < \(limit)"
///     let both = strong && near
///     FetchPredicate<Quake>("magnitude >= %@ AND ANY reports.text != nil", 6)
///     FetchPredicate(#Predicate<Quake> { $0.magnitude >= 6 && $0.place?.contains(text) == true })
///
/// Values in a text that is interpolated are arguments, never a part of the text. What is wrong with a text is the error of
/// the fetch. A comparison with nil is neither true nor false, as in the store.
public struct FetchPredicate<Object: ManagedObject> {
  /// The condition, or what is wrong with it.
  let tree: Result<Queries.Predicate, any Error>

  init(_ tree: Queries.Predicate) { self.tree = .success(tree) }

  init(catching body: () throws -> Queries.Predicate) { tree = Result { try body() } }

  /// Reads the format language; each `%@` stands for one of the arguments.
  public init(_ format: String, _ arguments: any PredicateValue...) {
    self.init(catching: {
      try Queries.Predicate.parse(format, arguments: arguments.map { .value($0.predicateValue) })
    })
  }

  /// Reads a `#Predicate`.
  public init(_ predicate: Foundation.Predicate<Object>) {
    self.init(catching: { try PredicateTranslation(of: predicate).condition() })
  }

  /// A key path that is not compared: a condition that an attribute of truth values fulfils.
  public init(_ keyPath: KeyPath<Object, Bool>) { self = keyPath == true }

  /// All objects for which both are true.
  public static func && (left: FetchPredicate, right: @autoclosure () -> FetchPredicate) -> FetchPredicate {
    FetchPredicate(catching: { .and([try left.tree.get(), try right().tree.get()]) })
  }

  /// All objects for which one of both is true.
  public static func || (left: FetchPredicate, right: @autoclosure () -> FetchPredicate) -> FetchPredicate {
    FetchPredicate(catching: { .or([try left.tree.get(), try right().tree.get()]) })
  }

  /// All objects for which it is false.
  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
    FetchPredicate(catching: { .not(try predicate.tree.get()) })
  }

  /// The condition in the format language; nil where it cannot be read.
  public var predicateFormat: String? { (try? tree.get()).map { "\($0)" } }
}

extension FetchPredicate: ExpressibleByStringInterpolation {
  /// A text in the format language.
  public init(stringLiteral text: String) { self.init(text) }

  /// A text in the format language, with values in it.
  public init(stringInterpolation text: Interpolation) {
    self.init(catching: { try Queries.Predicate.parse(text.format, arguments: text.arguments) })
  }

  /// The parts of a text: what is written becomes the format, what is interpolated its arguments.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var format = ""
    fileprivate var arguments: [PredicateArgument] = []

    /// Makes an empty text.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds text.
    public mutating func appendLiteral(_ text: String) { format += text }

    /// Adds a value.
    public mutating func appendInterpolation(_ value: some PredicateValue) {
      format += "%@"
      arguments.append(.value(value.predicateValue))
    }

    /// Adds the name of a property.
    public mutating func appendInterpolation(_ keyPath: PartialKeyPath<Object>) {
      format += "%K"
      arguments.append(.value(.string(Object.propertyNames[keyPath] ?? "\(keyPath)")))
    }
  }
}
