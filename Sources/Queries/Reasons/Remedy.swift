public import Modeling

/// Changes to an object that make a predicate true for it: the fewest that were found.
///
///     let remedy = try Predicate.parse("magnitude >= 5").remedy(for: quake)
///     remedy?.changes.first?.value     // 5
public struct Remedy: Sendable {
  /// The changes, all of which are needed; empty if the predicate is true already.
  public var changes: [Change]
  /// Whether every change has a value, and the predicate was evaluated as true with these values.
  public var isProven: Bool

  /// A clause that needs another result, or an attribute that needs another value.
  public struct Change: Sendable {
    /// The clause with its current result; nil if several clauses of the attribute conflict.
    public var reason: Reason?
    /// The result that the clause needs.
    public var wanted = true
    /// The attribute of the object itself that decides the clause.
    public var attribute: Attribute?
    /// The current value of the attribute.
    public var current = Value.null
    /// A value that satisfies the clause.
    public var value: Value?
  }
}

extension Predicate {
  /// Returns the changes that make the predicate true for the object; nil if none were found.
  ///
  /// Changes of the object's own attributes come with values, which were tested. For AND, every clause that is not true
  /// is changed; for OR, the one that needs the fewest changes.
  public func remedy(
    for subject: any PredicateSubject, semantics: EvaluationSemantics = .store
  ) throws -> Remedy? {
    let reason = try reason(for: subject, semantics: semantics)
    var search = RemedySearch(subject: subject, semantics: semantics, root: reason)
    return try search.remedy()
  }
}

/// An object with other values for some of its attributes.
struct ChangedSubject: PredicateSubject {
  let original: any PredicateSubject
  let values: [Int: Value]

  var entity: Entity { original.entity }
  var objectID: ObjectID { original.objectID }
  func attribute(at index: Int) throws -> Value { try values[index] ?? original.attribute(at: index) }
  func toOne(at index: Int) throws -> (any PredicateSubject)? { try original.toOne(at: index) }
  func reference(at index: Int) throws -> ObjectID? { try original.reference(at: index) }
  func toMany(at index: Int) throws -> [any PredicateSubject] { try original.toMany(at: index) }
}
