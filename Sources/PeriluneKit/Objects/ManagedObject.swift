internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Reactive

/// An object of a store: the base of classes with an entity's properties.
///
///     let quake = Quake(context: context)
///     quake.place = "Temuco"
///     quake.mainshock = other
///     try context.save()
///
/// `perilune types --swift` writes the classes. A context has one instance for each object, as long as it is
/// referenced. `save()` throws the error of an assigned value, and of an object that could not be inserted. A property that cannot be read returns the placeholder
/// of its type, and the context's `onError` is called.
open class ManagedObject: Identifiable {
  /// The context of the object, which the object retains.
  public final let managedObjectContext: ManagedObjectContext
  final let handle: ObjectGraph.ManagedObject
  /// Notifies effects of the object's changes.
  private final var source: ObservationSource?

  /// Creates the instance of an existing object.
  public required init(_ reference: ObjectReference) {
    managedObjectContext = reference.context
    handle = reference.handle
    managedObjectContext.note(self)
  }

  /// Inserts a new object with its default values; it has no row until the next save.
  ///
  /// If the store is read-only, or the entity is abstract, read-only or unknown, the object is deleted from the
  /// beginning, and the context's `save` throws the error.
  public convenience init(context: ManagedObjectContext) {
    self.init(ObjectReference(context: context, handle: context.insert(Self.self)))
  }

  deinit { managedObjectContext.forget(self) }

  /// The name of the class's entity.
  open class var entityName: String { "\(Self.self)" }

  /// The entity of the class.
  public class func entity() -> NSEntityDescription { NSEntityDescription(self) }

  /// Creates a request for all objects of the class.
  public class func fetchRequest<Object: ManagedObject>() -> NSFetchRequest<Object> {
    NSFetchRequest(entityName: entityName)
  }

  /// The key paths of the class, with their properties.
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
  /// Whether the object could not be inserted.
  final var wasRejected: Bool { handle.wasRejected }
  /// Whether the object has unsaved changes.
  public final var hasChanges: Bool { handle.hasChanges }

  /// The values of unsaved changes, by property.
  public final var changedValues: [String: AnyValue] {
    let changes = (try? handle.changes()) ?? []
    return Dictionary(changes.map { ($0.property, $0.new) }) { first, _ in first }
  }

  // MARK: Observation

  /// Makes the running effect run again when the object changes.
  final func access() {
    guard ObservationSource.isTracking else { return }
    if source == nil {
      source = ObservationSource()
      managedObjectContext.followObjects()
    }
    source?.access()
  }

  /// Notifies effects.
  final func didChange() { source?.didChange() }
}

extension ManagedObject: Hashable {
  /// Whether both are the same object of the same context.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left.handle == right.handle }
  /// Hashes the identity within the context.
  public final func hash(into hasher: inout Hasher) { hasher.combine(handle) }
}

extension ManagedObject: PredicateValue {
  /// The object's ID.
  public final var predicateValue: AnyValue { .object(objectID) }
}

/// A context and one of its objects, for creating an instance.
public struct ObjectReference {
  let context: ManagedObjectContext
  let handle: ObjectGraph.ManagedObject
}
