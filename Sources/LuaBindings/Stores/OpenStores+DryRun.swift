internal import Stores

extension OpenStores {
  /// Rolls all writes from now on back at the end, in all stores, also those that are opened later.
  ///
  /// - Throws: StoreError; then it has not begun in any.
  public func beginDryRun() throws {
    var begun: [BoundStore] = []
    do {
      for store in all where !store.objectStore.isDryRun {
        try store.objectStore.beginDryRun()
        begun.append(store)
      }
    } catch {
      for store in begun { try? store.objectStore.endDryRun(keeping: false) }
      throw error
    }
    isRehearsing = true
  }

  /// Ends the dry run in all stores; commits what was written if `keeping`.
  ///
  /// - Throws: StoreError; then it goes on in the store that refused.
  public func endDryRun(keeping: Bool) throws {
    for store in all where store.objectStore.isDryRun {
      try store.objectStore.endDryRun(keeping: keeping)
      if !keeping { store.refreshAllObjects() }
    }
    isRehearsing = false
  }
}
