package import LiveQueries
package import ObjectGraph
package import SQLiteStorage
package import Stores

// What scripts of a program share with it.
extension PersistentContainer {
  /// The store itself.
  package var store: SQLiteStore { opened.store }
  /// What passes the store's changes on to observers.
  package var live: LiveStore { opened.live }

  /// What the connection may write.
  package var permission: WritePermission {
    get { store.permission }
    set { store.permission = newValue }
  }

  /// Opens the same file over a connection of its own, for another thread.
  package func opening(isReadOnly: Bool) -> ContainerOpening {
    ContainerOpening(path: path, schema: schema, isReadOnly: isReadOnly, options: options)
  }
}

/// How another thread opens the file of a container. Unchecked: the type of a schema is a constant.
package struct ContainerOpening: @unchecked Sendable {
  let path: String
  let schema: any ModelSchema.Type
  let isReadOnly: Bool
  let options: PersistentContainer.Options

  /// - Throws: what opening a container throws.
  package func open() throws -> PersistentContainer {
    var options = options
    options.createsStore = false
    options.migratesStore = false
    options.recordsHistory = nil
    options.isReadOnly = isReadOnly || options.isReadOnly
    return try PersistentContainer(path, for: schema, options: options)
  }
}

extension ManagedObjectContext {
  /// The context below.
  package var objectContext: ObjectGraph.ObjectContext { base }
}

extension ManagedObject {
  /// The object below.
  package final var graphObject: ObjectGraph.ManagedObject { handle }

  /// The instance of an object of a context of the program; nil for an object of a context that scripts have made.
  package static func instance(of object: ObjectGraph.ManagedObject) -> ManagedObject? {
    (object.context.face as? ManagedObjectContext)?.object(object)
  }
}
