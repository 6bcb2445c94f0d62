public import Stores

/// A description of how live results are kept up to date.
public struct LiveExplanation {
  /// The reason why all rows were read again.
  public enum Reload: Hashable, Sendable {
    /// A change could not be followed row by row.
    case changes(Dependencies.Reason)
    /// An earlier update failed.
    case failure
    /// They were read in the midst of a transaction that is over now.
    case transaction
    /// The context is a child, and its results depend on its parent's unsaved changes.
    case childContext
  }

  /// Why groups, aggregates and distinct rows are fetched again.
  public enum GroupObstacle: Hashable, Sendable {
    /// An aggregate that does not follow from changed rows, such as the median.
    case aggregate(String)
    /// A text column that takes unlike texts for equal, by its path, as only the store can tell: by the named collation.
    case collation(String, String)
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
    /// The rows that a change may affect are read and moved.
    case maintained
    /// Everything is fetched again and compared when a table of the request was written.
    case refetched
  }

  /// How the results are kept up to date.
  public var method: Method
  /// The number of rows in the results.
  public var count: Int
  /// The number of rows held: with a limit, more than the results show.
  public var heldCount: Int
  /// The bytes of memory used.
  public var byteCount: Int
  /// The number of sections; nil without sections.
  public var sectionCount: Int?
  /// The function that makes the sections, and the number of its calls; nil without one.
  public var sectionFunction: (name: String, callCount: Int)?
  /// How many rows the groups are made of; nil without groups that are maintained.
  public var groupedRowCount: Int?
  /// The expressions whose values are kept in order, for the least and the greatest of each group.
  public var orderedExpressions: [String] = []
  /// How many rows and groups the last change made it look at; nil without groups that are maintained.
  public var lastLook: (rows: Int, groups: Int)?
  /// Why groups are fetched again; nil for anything else.
  public var groupObstacle: GroupObstacle?
  /// Whether the rest of the order is left in the store.
  public var isHead = false
  /// The tables whose changes matter, in lower case.
  public var tables: [String] = []
  /// How the store learns of remote commits to these tables; nil if it is the same for all its tables.
  public var changeSource: ChangeSource?
  /// How changes of related objects are followed to the request's rows.
  public var paths: [Dependencies.FollowedPath] = []
  /// The number of times that all rows were read again.
  public var reloads = 0
  /// The reason for the last time.
  public var lastReload: Reload?
}

extension ResultsState {
  /// Describes how the results are kept up to date.
  ///
  /// - Throws: StoreError.
  func explanation() throws -> LiveExplanation {
    LiveExplanation(
      method: plan == nil ? .refetched : .maintained, count: count, heldCount: arrangement.heldCount,
      byteCount: arrangement.bytesUsed, sectionCount: request.isSectioned ? sectionCount : nil,
      sectionFunction: request.sectionFunction.map { ($0.name, functionSections?.callCount ?? 0) },
      isHead: !arrangement.isComplete, tables: tables.sorted(),
      changeSource: context.store.changeSource(of: Set(tables)),
      paths: try plan?.dependencies.explanation() ?? [], reloads: reloads, lastReload: lastReload)
  }
}

extension FetchedResults {
  /// Describes how the results are kept up to date.
  ///
  /// - Throws: StoreError.
  public func explanation() throws -> LiveExplanation { try state.explanation() }
}
