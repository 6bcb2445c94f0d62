public import Modeling

/// A store: objects as rows of an SQLite file, whatever made it.
///
/// Everything happens on the calling thread; there is one connection. Functions throw StoreError, and PredicateError
/// for requests that do not fit the model.
public final class SQLiteStore {
  /// Opens, makes or migrates the store.
  public init(_ options: StoreOptions) throws { fatalError("unimplemented") }

  public var path: String { fatalError("unimplemented") }
  public var kind: StoreKind { fatalError("unimplemented") }
  public var model: Model { fatalError("unimplemented") }
  public var isReadOnly: Bool { fatalError("unimplemented") }
  /// What a person should know about how the file was read: views without keys, columns left out, a Core Data store
  /// read as plain tables.
  public var notes: [String] { fatalError("unimplemented") }
  public func close() {}
  /// The address of the connection, for sqlite3_interrupt from a signal handler.
  public var connectionHandle: OpaquePointer? { nil }
  /// Asked between steps of long statements; true interrupts them.
  public var isInterrupted: () -> Bool = { false }

  public func layout(of entity: Entity) -> EntityLayout { fatalError("unimplemented") }
}
