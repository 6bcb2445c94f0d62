// The only place that brings objects up to date and notifies observers after scripts and programs have written.
extension TurnRunner {
  /// Runs a function that a script or the program called. If it wrote, objects are brought up to date, and then
  /// observers are notified, before it returns.
  ///
  /// Every write makes the turn due: a written row, a commit, a rollback (`writeCount`), a save of a context. Within a
  /// save or a batch insert the turn stays due until that returns. If the function ended in an error, its writes are
  /// reported at the end of the turn.
  ///
  /// - Throws: the errors of `body`; EndlessRounds if observers keep changing what they observe. The writes stay.
  @inline(__always)
  func followingWrites<Result>(_ body: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try body()
    } catch {
      if stores.owesTurn, !stores.isWriting { stores.noteWritesAsFollowed() }
      throw error
    }
    if stores.owesTurn { try followWrites() }
    return result
  }

  /// Brings objects up to date with writes, and then notifies observers; does nothing during a save.
  ///
  /// - Throws: EndlessRounds.
  func followWrites() throws {
    guard !stores.isWriting else { return }
    stores.followWrites()
    try run()
  }
}
