/// How live results are kept true, for people.
public struct LiveExplanation {
  /// Why everything was read again.
  public enum Reload: Hashable, Sendable {
    /// What was changed could not be followed row by row.
    case changes(Dependencies.Reason)
    /// Something failed before.
    case failure
    /// The context is a child, whose parent's unsaved changes are part of what it fetches.
    case childContext
  }

  /// How results are kept true.
  public enum Method: Hashable, Sendable {
    /// The rows that a change may affect are looked at, and moved.
    case maintained
    /// Everything is fetched again and compared when a table that it is read from was written.
    case refetched
  }

  /// How they are kept true.
  public var method: Method
  /// How many rows are shown.
  public var count: Int
  /// How many rows are held: more than are shown where there is a limit.
  public var heldCount: Int
  /// How many bytes they take.
  public var byteCount: Int
  /// How many sections are shown; nil without sections.
  public var sectionCount: Int?
  /// The function that makes the sections, and how often it was asked; nil without one.
  public var sectionFunction: (name: String, callCount: Int)?
  /// Whether the rest of the order is left in the store.
  public var isHead = false
  /// The tables whose changes are looked at, in lower case.
  public var tables: [String] = []
  /// How changes of related objects are followed to the rows shown.
  public var paths: [Dependencies.FollowedPath] = []
  /// How often everything was read again.
  public var reloads = 0
  /// Why, the last time.
  public var lastReload: Reload?
}

extension ResultsState {
  /// How it is kept true.
  ///
  /// - Throws: StoreError.
  func explanation() throws -> LiveExplanation {
    LiveExplanation(
      method: plan == nil ? .refetched : .maintained, count: count, heldCount: arrangement.heldCount,
      byteCount: arrangement.bytesUsed, sectionCount: request.isSectioned ? sectionCount : nil,
      sectionFunction: request.sectionFunction.map { ($0.name, functionSections?.callCount ?? 0) },
      isHead: !arrangement.isComplete, tables: tables.sorted(),
      paths: try plan?.dependencies.explanation() ?? [], reloads: reloads, lastReload: lastReload)
  }
}

extension FetchedResults {
  /// How the results are kept true.
  ///
  /// - Throws: StoreError.
  public func explanation() throws -> LiveExplanation { try state.explanation() }
}
