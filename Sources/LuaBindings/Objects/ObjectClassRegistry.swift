/// The classes of the objects of all contexts, by the address of their metatable; it keeps none of them.
final class ObjectClassRegistry {
  private var classes: [UnsafeRawPointer: Unmanaged<ObjectClass>] = [:]

  /// How many classes there are.
  var count: Int { classes.count }

  /// The class whose objects have the metatable at `address`.
  func objectClass(at address: UnsafeRawPointer) -> ObjectClass? { classes[address]?.takeUnretainedValue() }

  /// Lets the engine find a class until it removes itself.
  func add(_ new: ObjectClass) { classes[new.records.metatableAddress] = .passUnretained(new) }

  /// Forgets a class that is going away.
  func remove(_ address: UnsafeRawPointer) { classes[address] = nil }
}
