public import Foundation
internal import Modeling
internal import ObjectGraph
internal import Queries

// Foundation on Linux has NSSortDescriptor for key paths of comparable values; these initializers add optional values
// and properties by name.
extension NSSortDescriptor {
  /// Creates a sort key for a property by name, or for a dotted path: `NSSortDescriptor(key: "mainshock.code",
  /// ascending: true)`. The fetch throws an error for an unknown name.
  public convenience init(key: String?, ascending: Bool) {
    let keyPath: KeyPath<any KeyedObject, KeyedValue> = \(any KeyedObject).[key ?? "self"]
    self.init(keyPath: keyPath, ascending: ascending) { left, right in
      guard let left = left as? KeyedValue, let right = right as? KeyedValue else { return .orderedSame }
      return left.compare(to: right)
    }
  }

  /// Creates a sort key for an optional property; nil is less than every value.
  public convenience init<Root, Value: Comparable>(keyPath: KeyPath<Root, Value?>, ascending: Bool) {
    self.init(keyPath: keyPath, ascending: ascending) { left, right in
      switch (left as? Value, right as? Value) {
      case (nil, nil): .orderedSame
      case (nil, _): .orderedAscending
      case (_, nil): .orderedDescending
      case (let left?, let right?): left < right ? .orderedAscending : right < left ? .orderedDescending : .orderedSame
      }
    }
  }

  /// The name or path of the property; nil for a descriptor with a Swift key path.
  public var key: String? {
    (keyPath as? KeyPath<any KeyedObject, KeyedValue>).map { (NoObject() as any KeyedObject)[keyPath: $0].key }
  }
}

/// An object whose values are read by name.
protocol KeyedObject {
  /// The value of a property, or of a dotted path.
  subscript(key: String) -> KeyedValue { get }
}

/// The value of an object for a sort key.
struct KeyedValue {
  let key: String
  let object: ObjectGraph.ManagedObject?

  /// The order of the values, as the store has it; equal for values that cannot be read.
  func compare(to other: KeyedValue) -> ComparisonResult {
    guard let object, let other = other.object,
      let order = try? SortOrder([SortDescriptor(key)], entity: object.entity),
      let left = try? order.keys(of: object), let right = try? order.keys(of: other)
    else { return .orderedSame }
    let result = order.compare(left, right)
    return result < 0 ? .orderedAscending : result > 0 ? .orderedDescending : .orderedSame
  }
}

extension ManagedObject: KeyedObject {
  final subscript(key: String) -> KeyedValue {
    access()
    return KeyedValue(key: key, object: handle)
  }
}

/// Returns the key of a key path.
private struct NoObject: KeyedObject {
  subscript(key: String) -> KeyedValue { KeyedValue(key: key, object: nil) }
}
