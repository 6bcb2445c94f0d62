public import Modeling

/// Counts of the statements that fetched missing values.
///
/// A statement for several objects at once counts once.
public struct FaultStatistics: Sendable {
  /// Statements that fired faults.
  public internal(set) var faultBatches = 0
  /// Rows that these statements returned.
  public internal(set) var rowsFaulted = 0
  /// Statements that read the members of to-manys.
  public internal(set) var memberStatements = 0
  /// Members that these statements returned.
  public internal(set) var membersRead = 0
  /// Statements that counted members.
  public internal(set) var countStatements = 0
  /// Statements that looked up the row of a reference that is not by key.
  public internal(set) var lookupStatements = 0

  /// Creates statistics with all counts zero.
  public init() {}
}

/// One statement that fetched missing values.
public struct FaultRead {
  /// The kind of read.
  public enum Kind: String, Sendable {
    case fault, members, count, lookup
  }

  /// The kind of read.
  public let kind: Kind
  /// The entity of the relationship's owners, or else of the faults.
  public let entity: Entity
  /// The relationship that was read; nil for faults.
  public let relationship: String?
}

extension ObjectContext {
  /// Sets all counts to zero.
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
