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

  /// Why groups, aggregates and distinct rows are fetched again.
  public enum GroupObstacle: Hashable, Sendable {
    /// An aggregate that changed rows do not tell, such as the median.
    case aggregate(String)
    /// A text column that takes unlike texts for equal, by its path.
    case collation(String)
    /// Rows are made by a view or a virtual table.
    case computedTable(String)
    /// Groups of which some show equal rows.
    case distinctGroups
    /// An expression over groups that only the store evaluates.
    case expression
    /// The time decides.
    case timeDependent
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
  /// How many rows the groups are made of; nil without groups that are maintained.
  public var groupedRowCount: Int?
  /// How many rows and groups the last change made it look at; nil without groups that are maintained.
  public var lastLook: (rows: Int, groups: Int)?
  /// Why groups are fetched again; nil for anything else.
  public var groupObstacle: GroupObstacle?
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
