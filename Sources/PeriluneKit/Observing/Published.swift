internal import Reactive

/// A property of an `ObservableObject` that announces its changes.
///
///     final class Library: ObservableObject {
///       @Published var title = "Quakes"
///     }
///     for await title in library.$title { print(title) }   // the present one first
@propertyWrapper
public struct Published<Value> {
  private final class Storage {
    var value: Value
    let source = ObservationSource()
    let announcements = Announcements()

    init(_ value: Value) { self.value = value }
  }

  private let storage: Storage

  /// Creates a property with a first value.
  public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

  /// Creates a property with a first value.
  public init(initialValue: Value) { storage = Storage(initialValue) }

  /// Only properties of classes can be published.
  @available(*, unavailable, message: "@Published is for properties of classes that are ObservableObjects")
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }

  /// The value of a property of an object. Setting it announces a change of the object, and of the property.
  public static subscript<Owner: ObservableObject>(
    _enclosingInstance owner: Owner, wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage keyPath: ReferenceWritableKeyPath<Owner, Published>
  ) -> Value {
    get {
      let storage = owner[keyPath: keyPath].storage
      storage.source.access()
      return storage.value
    }
    set {
      owner.objectWillChange.send()
      let storage = owner[keyPath: keyPath].storage
      storage.value = newValue
      storage.announcements.send()
      storage.source.didChange()
    }
  }

  /// The values as a sequence, without end: the present one, and then the last one after each change.
  public var projectedValue: some AsyncSequence<Value, Never> {
    let storage = storage
    return ValueSequence(storage.announcements.stream(isDue: true)) { storage.value }
  }
}
