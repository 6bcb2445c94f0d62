public import Modeling

/// How often the store was asked for what was not in memory.
///
/// A statement for several objects at once counts once.
public struct FaultStatistics: Sendable {
  /// Statements that asked for faults.
  public internal(set) var faultBatches = 0
  /// Rows they brought.
  public internal(set) var rowsFaulted = 0
  /// Statements that asked for the members of to-manys.
  public internal(set) var memberStatements = 0
  /// Members they brought.
  public internal(set) var membersRead = 0
  /// Statements that counted members.
  public internal(set) var countStatements = 0
  /// Statements that looked for the row a reference names, where it holds no key.
  public internal(set) var lookupStatements = 0

  /// Nothing was asked.
  public init() {}
}

/// One time that the store was asked for what was not in memory.
public struct FaultRead {
  /// What was asked for.
  public enum Kind: String, Sendable {
    case fault, members, count, lookup
  }

  /// What was asked for.
  public let kind: Kind
  /// The entity of the objects in hand: those with the relationship, or else the faults.
  public let entity: Entity
  /// The relationship that was followed, if one was.
  public let relationship: String?
}

extension ObjectContext {
  /// Begins to count anew.
  public func resetStatistics() { statistics = FaultStatistics() }

  /// Counts a statement.
  func note(_ kind: FaultRead.Kind, _ entity: Entity, _ property: Int?, rows: Int) {
    switch kind {
    case .fault: statistics.faultBatches += 1
    case .members: statistics.memberStatements += 1
    case .count: statistics.countStatements += 1
    case .lookup: statistics.lookupStatements += 1
    }
    if kind == .fault { statistics.rowsFaulted += rows }
    if kind == .members { statistics.membersRead += rows }
    onRead?(FaultRead(kind: kind, entity: entity, relationship: property.map { entity.properties[$0].name }))
  }
}
