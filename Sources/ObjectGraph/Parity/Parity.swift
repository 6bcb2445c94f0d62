internal import Modeling
public import Queries

/// The objects for which evaluating a predicate in memory and in the store gives different answers.
///
///     let parity = try context.parity(Predicate.parse("place != \"x\""), of: quake)
///     parity.groups.first?.cause     // .answer(…nilCompared(place))
public struct Parity {
  /// Why only one of the two selects an object.
  public enum Cause: Hashable {
    /// The two semantics answer a clause differently.
    case answer(Disagreement)
    /// The object is new, or has unsaved values.
    case unsavedObject
    case unsavedChange
    /// The object is deleted here, but still in the store.
    case unsavedDeletion
    /// The predicate reads an attribute that the store does not have, so the store cannot evaluate it.
    case transient(PropertyPath)
    /// None of these.
    case unexplained
  }

  /// An object with different answers.
  public struct Difference {
    /// The object.
    public var object: ManagedObject
    /// True if memory selects the object and the store does not; false for the opposite.
    public var isInMemory: Bool
    /// The index of its cause in `groups`.
    public var group: Int
  }

  /// The objects that share a cause.
  public struct Group {
    /// The cause.
    public var cause: Cause
    /// True if memory selects these objects and the store does not.
    public var isInMemory: Bool
    /// The number of objects.
    public var count = 0
  }

  /// The number of objects evaluated.
  public var comparedCount = 0
  /// The number of objects with different answers.
  public var count = 0
  /// The first objects with different answers.
  public var differences: [Difference] = []
  /// All differences grouped by cause, in the order of the first occurrence.
  public var groups: [Group] = []

  /// Counts an object, and keeps it while the limit is not reached.
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
