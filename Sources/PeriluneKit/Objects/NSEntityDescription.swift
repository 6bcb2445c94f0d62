/// The entity of a class, in the terms of Core Data: `Quake.entity()`.
public struct NSEntityDescription: Hashable, Sendable {
  /// The name of the entity.
  public let name: String?
  /// The name of the class.
  public let managedObjectClassName: String

  init(_ type: ManagedObject.Type) {
    name = type.entityName
    managedObjectClassName = "\(type)"
  }
}
