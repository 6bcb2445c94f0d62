package import Stores

extension OpenStores {
  /// Opens a store, or a file of rows as a store in memory, that is only read. It does not become the main store.
  ///
  /// - Throws: StoreError, an error of the file's rows.
  package func openToRead(_ path: String, isRows: Bool) throws -> any OpenedStore {
    if isRows { return try open([DataFile(path)]).objectStore }
    var options = StoreOptions(path: path)
    (options.readOnly, options.offersCreation) = (true, false)
    return try open(options, rehearses: false).objectStore
  }
}
