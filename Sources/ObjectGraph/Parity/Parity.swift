internal import Modeling
public import Queries

/// The objects on which memory and the store differ about a predicate.
///
///     let parity = try context.parity(Predicate.parse("place != \"x\""), of: quake)
///     parity.groups.first?.cause     // .answer(…nilCompared(place))
public struct Parity {
  /// Why an object is selected by the one and not by the other.
  public enum Cause: Hashable {
    /// The two semantics answer a clause differently.
    case answer(Disagreement)
    /// What the store does not know yet: a new object, or values that are not saved.
    case unsavedObject
    case unsavedChange
    /// Deleted here, and still in the store.
    case unsavedDeletion
    /// The predicate reads an attribute that the store does not have, so that the store does not answer at all.
    case transient(PropertyPath)
    /// Nothing of the above.
    case unexplained
  }

  /// An object on which they differ.
  public struct Difference {
    /// The object.
    public var object: ManagedObject
    /// Whether memory selects it; the store does not then, and the other way round.
    public var isInMemory: Bool
    /// The place of its cause in `groups`.
    public var group: Int
  }

  /// The objects with one cause.
  public struct Group {
    /// Why.
    public var cause: Cause
    /// Whether memory selects them.
    public var isInMemory: Bool
    /// How many there are.
    public var count = 0
  }

  /// How many objects were looked at.
  public var comparedCount = 0
  /// How many differ.
  public var count = 0
  /// The first of those that differ.
  public var differences: [Difference] = []
  /// All that differ, by cause, in the order of the first of each.
  public var groups: [Group] = []

  /// Counts an object, and keeps it if there are not too many.
  mutating func add(_ object: @autoclosure () -> ManagedObject, isInMemory: Bool, _ cause: Cause, limit: Int) {
    let known = groups.firstIndex { $0.cause == cause && $0.isInMemory == isInMemory }
    let group = known ?? groups.count
    if known == nil { groups.append(Group(cause: cause, isInMemory: isInMemory)) }
    groups[group].count += 1
    count += 1
    if differences.count < limit {
      differences.append(Difference(object: object(), isInMemory: isInMemory, group: group))
    }
  }
}
