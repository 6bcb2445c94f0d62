/// The object classes of all contexts, by the address of their metatable; it does not retain them.
final class ObjectClassRegistry {
  private var classes: [UnsafeRawPointer: Unmanaged<ObjectClass>] = [:]

  /// The number of classes.
  var count: Int { classes.count }

  /// The class whose objects have the metatable at `address`.
  func objectClass(at address: UnsafeRawPointer) -> ObjectClass? { classes[address]?.takeUnretainedValue() }

  /// Adds a class until it is removed.
  func add(_ new: ObjectClass) { classes[new.records.metatableAddress] = .passUnretained(new) }

  /// Removes a class that is being deallocated.
  func remove(_ address: UnsafeRawPointer) { classes[address] = nil }
}
