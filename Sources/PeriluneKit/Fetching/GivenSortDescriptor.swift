internal import Foundation
internal import Modeling
internal import Queries

/// A sort descriptor in the form in which it was given.
enum GivenSortDescriptor<Object: ManagedObject> {
  case typed(Foundation.SortDescriptor<Object>)
  case untyped(NSSortDescriptor)

  /// The descriptor with a key path; nil for a path through a relationship, or an unknown name.
  var typed: Foundation.SortDescriptor<Object>? {
    switch self {
    case .typed(let descriptor): return descriptor
    case .untyped(let descriptor):
      let keyPath = descriptor.key.map { Object.propertyNames.keyPath(to: $0) } ?? descriptor.keyPath
      guard let keyPath = keyPath as? PartialKeyPath<Object> else { return nil }
      return Self.descriptor(keyPath, descriptor.ascending ? .forward : .reverse)
    }
  }

  /// The descriptor as Foundation's class.
  var untyped: NSSortDescriptor {
    switch self {
    case .typed(let descriptor):
      let name = descriptor.keyPath.flatMap { Object.propertyNames[$0] }
      return NSSortDescriptor(key: name ?? "\(descriptor)", ascending: descriptor.order == .forward)
    case .untyped(let descriptor): return descriptor
    }
  }

  /// Returns the engine's form. Foundation's ways to compare texts are left out: there is one order, which the store has,
  /// too.
  ///
  /// - Throws: PeriluneError for a key path that is not a property.
  func engine() throws -> Queries.SortDescriptor {
    switch self {
    case .typed(let descriptor):
      guard let keyPath = descriptor.keyPath else {
        throw PeriluneError(.notAProperty(keyPath: "\(descriptor)", entity: Object.entityName))
      }
      return try Self.engine(keyPath, ascending: descriptor.order == .forward)
    case .untyped(let descriptor):
      guard let key = descriptor.key else {
        return try Self.engine(descriptor.keyPath, ascending: descriptor.ascending)
      }
      return Queries.SortDescriptor(.path(PropertyPath(dotted: key)), ascending: descriptor.ascending)
    }
  }

  private static func engine(_ keyPath: AnyKeyPath, ascending: Bool) throws -> Queries.SortDescriptor {
    let path = PropertyPath(dotted: try Object.propertyName(of: keyPath))
    return Queries.SortDescriptor(.path(path), ascending: ascending)
  }

  private static func descriptor(
    _ keyPath: PartialKeyPath<Object>, _ order: Foundation.SortOrder
  ) -> Foundation.SortDescriptor<Object>? {
    let type = Swift.type(of: keyPath).valueType
    if let type = type as? any OptionalComparable.Type { return type.descriptor(keyPath, order) }
    guard let type = type as? any Comparable.Type else { return nil }
    return comparable(type, keyPath, order)
  }

  private static func comparable<Value: Comparable>(
    _ type: Value.Type, _ keyPath: PartialKeyPath<Object>, _ order: Foundation.SortOrder
  ) -> Foundation.SortDescriptor<Object>? {
    (keyPath as? KeyPath<Object, Value>).map { Foundation.SortDescriptor($0.assumingSendable, order: order) }
  }
}

/// An optional type of values that have an order.
private protocol OptionalComparable {
  static func descriptor<Object>(
    _ keyPath: PartialKeyPath<Object>, _ order: Foundation.SortOrder
  ) -> Foundation.SortDescriptor<Object>?
}

extension Optional: OptionalComparable where Wrapped: Comparable {
  fileprivate static func descriptor<Object>(
    _ keyPath: PartialKeyPath<Object>, _ order: Foundation.SortOrder
  ) -> Foundation.SortDescriptor<Object>? {
    (keyPath as? KeyPath<Object, Wrapped?>).map { Foundation.SortDescriptor($0.assumingSendable, order: order) }
  }
}

extension KeyPath {
  /// The key path to a property: it captures nothing, so that it may be used on any thread.
  fileprivate var assumingSendable: any KeyPath<Root, Value> & Sendable {
    unsafeBitCast(self, to: (any KeyPath<Root, Value> & Sendable).self)
  }
}
