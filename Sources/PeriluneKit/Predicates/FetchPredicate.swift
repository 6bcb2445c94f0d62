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
/// Interpolated values are arguments, never a part of the text. The fetch throws the errors of the text. A comparison
/// with nil is neither true nor false, as in the store.
public struct FetchPredicate<Object: ManagedObject> {
  /// The condition, or the error of its text.
  let tree: Result<Queries.Predicate, any Error>

  init(_ tree: Queries.Predicate) { self.tree = .success(tree) }

  init(catching body: () throws -> Queries.Predicate) { tree = Result { try body() } }

  /// Parses the format language; each `%@` takes the next argument.
  public init(_ format: String, _ arguments: any PredicateValue...) {
    self.init(catching: {
      try Queries.Predicate.parse(format, arguments: arguments.map { .value($0.predicateValue) })
    })
  }

  /// Translates a `#Predicate`.
  public init(_ predicate: Foundation.Predicate<Object>) {
    self.init(catching: { try PredicateTranslation(of: predicate).condition() })
  }

  /// Takes the condition of an `NSPredicate`. The fetch throws an error for a predicate with a block.
  public init(_ predicate: NSPredicate) {
    self.init(catching: { try predicate.tree() })
  }

  /// Creates the condition that a Boolean attribute is true.
  public init(_ keyPath: KeyPath<Object, Bool>) { self = keyPath == true }

  /// True for objects for which both are true.
  public static func && (left: FetchPredicate, right: @autoclosure () -> FetchPredicate) -> FetchPredicate {
    FetchPredicate(catching: { .and([try left.tree.get(), try right().tree.get()]) })
  }

  /// True for objects for which one of both is true.
  public static func || (left: FetchPredicate, right: @autoclosure () -> FetchPredicate) -> FetchPredicate {
    FetchPredicate(catching: { .or([try left.tree.get(), try right().tree.get()]) })
  }

  /// True for objects for which the condition is false.
  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
    FetchPredicate(catching: { .not(try predicate.tree.get()) })
  }

  /// The condition in the format language; nil if its text is invalid.
  public var predicateFormat: String? { (try? tree.get()).map { "\($0)" } }
}

extension FetchPredicate: ExpressibleByStringInterpolation {
  /// A text in the format language.
  public init(stringLiteral text: String) { self.init(text) }

  /// Parses a text in the format language with interpolated arguments.
  public init(stringInterpolation text: Interpolation) {
    self.init(catching: { try Queries.Predicate.parse(text.format, arguments: text.arguments) })
  }

  /// The parts of a text: literals become the format, interpolations its arguments.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var format = ""
    fileprivate var arguments: [PredicateArgument] = []

    /// Creates an empty text.
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
