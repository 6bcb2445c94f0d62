internal import Foundation
public import Reactive

/// A property whose value is a new namespace, unique and constant for its life.
///
///     @Namespace private var namespace
///     namespace.tag("hero", row)                           // the source of the name
///     namespace.tag("hero", picture, isSource: false)      // a reader
///     namespace.resolve("hero")                            // the row
///
/// A name in one namespace is independent of the same name in another, so that a thing can have several. Pass the value
/// to others as a `Namespace.ID`.
@propertyWrapper
public struct Namespace: DynamicProperty {
  /// The namespace.
  public let wrappedValue: ID

  /// Creates a unique namespace.
  public init() { wrappedValue = ID() }

  /// A namespace: names that identify the same thing in several places, one of which is its source.
  public struct ID: Hashable, CustomStringConvertible {
    private let space: Reactive.Namespace<Any>

    fileprivate init() {
      space = Reactive.Namespace(isSame: Self.areSame)
      space.onWarning = { warning in
        FileHandle.standardError.write(Data("\(warning)\n".utf8))
      }
    }

    /// The number of the namespace within the program.
    public var id: Int { space.id }
    /// The type and number: `Namespace.ID(id: 88)`.
    public var description: String { "Namespace.ID(id: \(id))" }

    /// Called when a name gets a second source, once until it has one again; prints to standard error by default. The
    /// name keeps the first.
    public var onWarning: (NamespaceWarning<Any>) -> Void {
      get { space.onWarning }
      nonmutating set { space.onWarning = newValue }
    }

    /// Tags a thing of any type with a name, as the name's source or as one of its readers, until the token is
    /// cancelled.
    @discardableResult
    public func tag(_ name: some Hashable, _ thing: Any, isSource: Bool = true) -> ObservationToken {
      space.tag(AnyHashable(name), thing, isSource: isSource)
    }

    /// Removes a name from all things.
    public func untag(_ name: some Hashable) { space.untag(AnyHashable(name)) }

    /// The source of a name; nil if it has none, or one of another type. Effects that read it follow it.
    public func resolve<Thing>(_ name: some Hashable, as type: Thing.Type = Any.self) -> Thing? {
      guard let thing = space.resolve(AnyHashable(name)) else { return nil }
      return thing as? Thing
    }

    /// The things with a name that are not its source, in the order in which they were tagged.
    public func readers(of name: some Hashable) -> [Any] { space.readers(of: AnyHashable(name)) }

    /// Whether both are the same namespace.
    public static func == (left: ID, right: ID) -> Bool { left.space === right.space }
    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(space)) }

    /// Objects are the same if they are identical, values if they are equal.
    private static func areSame(_ left: Any, _ right: Any) -> Bool {
      if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
      guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
      return left as AnyObject === right as AnyObject
    }
  }
}
