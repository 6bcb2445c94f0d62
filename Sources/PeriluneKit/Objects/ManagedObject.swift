internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Reactive

/// An object of a store: the base of classes that have an entity's properties.
///
///     let quake = try Quake(context: context)
///     quake.place = "Temuco"
///     quake.mainshock = other
///     try context.save()
///
/// `perilune types --swift` writes the classes. Within a context there is one instance for each object, as long as it is
/// referenced. What is wrong with a value that is set, `save()` throws; reading what cannot be read gives the placeholder
/// of the type, and tells `onError` of the context.
open class ManagedObject: Identifiable {
  /// The context that the object belongs to; it lives as long as its objects.
  public final let managedObjectContext: ManagedObjectContext
  final let handle: ObjectGraph.ManagedObject
  /// What tells effects that the object has changed.
  private final var source: ObservationSource?

  /// The instance of an object that is there.
  public required init(_ reference: ObjectReference) {
    managedObjectContext = reference.context
    handle = reference.handle
    managedObjectContext.note(self)
  }

  /// Inserts a new object with its default values; it has no row until the next save.
  ///
  /// - Throws: what keeps objects from being inserted: the store is read-only, or has no such entity.
  public convenience init(context: ManagedObjectContext) throws {
    self.init(ObjectReference(context: context, handle: try context.insert(Self.self)))
  }

  deinit { managedObjectContext.forget(self) }

  /// The name of the entity whose objects the class stands for.
  open class var entityName: String { "\(Self.self)" }

  /// The key paths of the class and the properties that they lead to.
  open class var propertyNames: PropertyNames { PropertyNames() }

  // MARK: What it is

  /// The identity; temporary until the object is saved.
  public final var objectID: ObjectID { handle.objectID }
  /// Whether the values are not in memory yet.
  public final var isFault: Bool { handle.isFault }
  /// Whether the object was inserted since the last save.
  public final var isInserted: Bool { handle.isInserted }
  /// Whether the object has a row and unsaved changes.
  public final var isUpdated: Bool { handle.isUpdated }
  /// Whether the object was deleted, saved or not.
  public final var isDeleted: Bool { handle.isDeleted }
  /// Whether the next save writes anything for the object.
  public final var hasChanges: Bool { handle.hasChanges }

  /// The values of unsaved changes, by property.
  public final var changedValues: [String: AnyValue] {
    let changes = (try? handle.changes()) ?? []
    return Dictionary(changes.map { ($0.property, $0.new) }) { first, _ in first }
  }

  // MARK: Observation

  /// Has an effect that reads the object now run again when it has changed.
  final func access() {
    guard ObservationSource.isTracking else { return }
    if source == nil {
      source = ObservationSource()
      managedObjectContext.followObjects()
    }
    source?.access()
  }

  /// Tells effects.
  final func didChange() { source?.didChange() }
}

extension ManagedObject: Hashable {
  /// Whether both are the same object of one context.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left.handle == right.handle }
  /// Hashes the identity within the context.
  public final func hash(into hasher: inout Hasher) { hasher.combine(handle) }
}

extension ManagedObject: PredicateValue {
  /// The object.
  public final var predicateValue: AnyValue { .object(objectID) }
}

/// A context and one of its objects, of which an instance is made.
public struct ObjectReference {
  let context: ManagedObjectContext
  let handle: ObjectGraph.ManagedObject
}
