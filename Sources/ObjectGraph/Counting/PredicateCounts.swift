public import Modeling
public import Queries

/// For how many objects a predicate and each of its clauses are true, false or unknown.
public struct PredicateCounts: Sendable {
  /// The number of objects for each answer.
  public struct Tally: Hashable, Sendable {
    /// The number of objects for which it is true.
    public internal(set) var yes = 0
    /// The number of objects for which it is false.
    public internal(set) var no = 0
    /// The number of objects for which it is unknown because a value is nil.
    public internal(set) var neither = 0

    mutating func add(_ answer: Bool?) {
      switch answer {
      case true?: yes += 1
      case false?: no += 1
      case nil: neither += 1
      }
    }
  }

  /// A part of the predicate.
  public struct Clause: Sendable {
    /// The part itself.
    public let predicate: Predicate
    /// What it says.
    public internal(set) var tally = Tally()
    /// The paths that are nil for objects of which it says neither, with the number of those.
    public internal(set) var reasons: [(path: String, count: Int)] = []
    /// Objects of which this clause alone is not true.
    public internal(set) var nearMisses = Sample()
  }

  /// A number of objects, and the first of them.
  public struct Sample: Sendable {
    /// The number of objects.
    public internal(set) var count = 0
    /// The first few.
    public internal(set) var objects: [ObjectID] = []

    static let size = 3

    mutating func add(_ id: ObjectID) {
      count += 1
      if objects.count < Self.size { objects.append(id) }
    }
  }

  /// The entity whose objects were asked.
  public let entity: Entity
  /// How the clauses are joined.
  public let joint: ClauseList.Joint
  /// The whole.
  public internal(set) var whole = Tally()
  /// The parts.
  public internal(set) var clauses: [Clause]
  /// The first objects that match, by key.
  public internal(set) var matches = Sample()
  /// The first objects that do not.
  public internal(set) var misses = Sample()
  /// The first objects of which neither is true.
  public internal(set) var neither = Sample()

  /// How many objects there are.
  public var total: Int { whole.yes + whole.no + whole.neither }

  /// The clause that leaves the fewest objects; nil where there is but one, or no difference.
  public var mostSelective: Int? {
    guard clauses.count > 1, Set(clauses.map(\.tally.yes)).count > 1 else { return nil }
    return clauses.indices.min { clauses[$0].tally.yes < clauses[$1].tally.yes }
  }

  init(_ entity: Entity, _ list: ClauseList) {
    self.entity = entity
    joint = list.joint
    clauses = list.clauses.map { Clause(predicate: $0) }
  }
}
