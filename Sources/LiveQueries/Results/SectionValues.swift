internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// The aggregates of each section of live results: groups by the section key, kept beside the rows.
final class SectionValues {
  private var content: Content

  private enum Content {
    case maintained(MaintainedGroups)
    case fetched(FetchedGroups)
  }

  /// Computes the values of the sections of `request`; nil where it asks for none.
  ///
  /// - Throws: PredicateError, StoreError.
  init?(_ request: FetchRequest, in context: ObjectContext) throws {
    guard let groups = request.sectionGroups else { return nil }
    do {
      content = .maintained(try MaintainedGroups(GroupPlan(groups, context.store), in: context))
    } catch let obstacle as GroupPlan.Obstacle {
      content = .fetched(try FetchedGroups(groups, context, because: obstacle.reason))
    }
  }

  /// The values of the section with an ID, as the request names them; nil where there is no such section.
  ///
  /// - Throws: PredicateError.
  func values(of id: Value) throws -> [Value]? {
    switch content {
    case .maintained(let groups): try groups.values(ofKeys: [id]).map { Array($0.dropFirst()) }
    case .fetched(let groups): groups.rows.first { $0[0].order(id) == 0 }.map { Array($0.dropFirst()) }
    }
  }

  /// Brings the values up to date; returns the IDs of sections whose values changed.
  ///
  /// - Throws: PredicateError, StoreError.
  func advance(_ round: RoundChanges, in context: ObjectContext, reload: Bool) throws -> [Value] {
    let change: ResultsChange?
    switch content {
    case .maintained(let groups): change = try groups.advance(round, reload: reload)
    case .fetched(var groups):
      change = try groups.advance(round, in: context, reload: reload)
      content = .fetched(groups)
    }
    guard let change else { return [] }
    return (change.inserted + change.updated + change.moved).compactMap(\.values.first)
  }

  /// Whether the next round brings the values up to date even if nothing was committed.
  var isDue: Bool {
    switch content {
    case .maintained(let groups): groups.isDue
    case .fetched(let groups): groups.isDue
    }
  }

  /// The tables that the values are read from, in lower case.
  var tables: Set<String> {
    switch content {
    case .maintained(let groups): groups.tables
    case .fetched(let groups): groups.tables
    }
  }
}
