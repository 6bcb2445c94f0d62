internal import Queries
internal import SQLiteStorage
package import Stores
package import Transfer

// New stores with a part of another one.
extension OpenStores {
  /// Writes the objects of a subset into a new store of the same kind; those of a database on a server into a store of our own.
  ///
  /// - Throws: StoreError, `.cannotCreate` for a file that is there, `.notEmpty` for a database with objects. Then nothing
  ///   was written.
  package func write(
    _ subset: Subset, of source: any OpenedStore, masks: Masks?, to path: String
  ) throws -> StoreCopy.Report {
    var options = StoreOptions(path: path)
    options.model = source.model
    options.isInterrupted = source.isInterrupted
    if StoreOpening.of(path).isAddress {
      options.create = true
      let target = try open(options, rehearses: false).objectStore
      defer { close(target) }
      for entity in target.model.entities where entity.parent == nil && !entity.isReadOnly {
        if try target.count(FetchRequest(entity)) > 0 { throw StoreError(.notEmpty(entity.name), path: target.path) }
      }
      return try StoreCopy(from: source, to: target, subset, masks: masks).run()
    }
    return try SQLiteStore.make(options, like: source) { target in
      try StoreCopy(from: source, to: target, subset, masks: masks).run()
    }
  }
}
