public import Modeling

/// What of an object would have to change for a predicate to be true of it; as few changes as were found.
///
///     let remedy = try Predicate.parse("magnitude >= 5").remedy(for: quake)
///     remedy?.changes.first?.value     // 5
public struct Remedy: Sendable {
  /// The changes, all of them needed; none where the predicate is true already.
  public var changes: [Change]
  /// Whether every change has a value, and the predicate was found to be true with them.
  public var isProven: Bool

  /// One clause that would have to have another answer, or one attribute another value.
  public struct Change: Sendable {
    /// The clause as it is now; nil where several clauses of the attribute pull against one another.
    public var reason: Reason?
    /// The answer the clause would have.
    public var wanted = true
    /// The attribute of the object itself that decides.
    public var attribute: Attribute?
    /// What the attribute is now.
    public var current = Value.null
    /// A value that would do.
    public var value: Value?
  }
}

extension Predicate {
  /// What would have to change for the predicate to be true of the object; nil where nothing was found that would do.
  ///
  /// Changes of the object's own attributes come with values, which were tried. Of AND every clause is mended that is
  /// not true, of OR the one that takes the fewest changes.
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
