internal import Storage

extension FetchedResults: LiveResults {
  var tables: Set<String> { state.tables }
  var name: String { observers.name }

  func update(_ occasion: Occasion) throws {
    guard !isClosed else { return }
    let before = untoldFrom
    let found = try state.advance(occasion, reload: needsReload, from: before)
    untoldFrom = nil
    needsReload = false
    // Also where nothing is told: a save may have given objects other keys.
    forgetBatch()
    guard var change = found else { return }
    change.transaction = occasion.transaction
    if change.transaction.animation == nil, !change.transaction.disablesAnimations {
      change.transaction.animation = animation
    }
    change.author = occasion.touched.author
    tell(change)
  }
}
