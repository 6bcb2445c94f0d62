public import Modeling

/// A clause of a predicate with its result for one object, and the values behind the result.
///
///     let reason = try Predicate.parse("magnitude > 5 AND depth < 10").reason(for: quake)
///     reason.answer                       // nil: neither
///     reason.clauses.map(\.answer)        // [true, nil]
///
/// The tree has the shape of the predicate: AND, OR and NOT have `clauses`, a comparison its `operands` or `elements`.
public struct Reason: Sendable {
  /// The part of the predicate, with arguments replaced by constants.
  public var clause: Predicate
  /// Whether the object satisfies it; nil for neither.
  public var answer: Bool?
  /// The clauses of AND, OR or NOT.
  public var clauses: [Reason] = []
  /// The sides of a comparison that depend on the object, the left one first.
  public var operands: [OperandReason] = []
  /// The result of a comparison over many elements.
  public var elements: ElementsReason?
}

/// A side of a comparison with its value for the object and the source of the value.
public struct OperandReason: Sendable {
  /// The side, or a part of it.
  public var expression: Expression
  /// The value for the object.
  public var value: Value
  /// The first to-one relationship of the path that is nil, if that is why the value is nil.
  public var missing: PropertyPath?
  /// Whether the missing to-one relationship holds the key of an object that no longer exists.
  public var isDangling = false
  /// The object on the path that is of another entity than the path casts to, if that is why the value is nil.
  public var miscast: Miscast?
  /// The folded text, if case or diacritics decided the comparison.
  public var foldedText: String?
  /// The values of the paths within a function.
  public var parts: [OperandReason] = []
  /// The conditions of the TERNARYs within, each with its own reason.
  public var branches: [Reason] = []
  /// The selections of the SUBQUERYs within.
  public var selections: [SelectionReason] = []
}

/// An object of another entity than a path casts to.
public struct Miscast: Sendable {
  /// The path to the object; empty for the object itself.
  public var object: PropertyPath
  /// The object's own entity.
  public var entity: Entity
}

/// The result of ANY, ALL, NONE, IN or CONTAINS over a to-many relationship.
public struct ElementsReason: Sendable {
  /// The collection.
  public var collection: Expression
  /// The number of elements.
  public var count: Int
  /// The number of elements for which the comparison is true.
  public var matchingCount: Int
  /// The element that decided: the first match of ANY and NONE, the first failure of ALL.
  public var deciding: ElementReason?
  /// The element that came closest, if none decided.
  public var nearest: ElementReason?
}

/// One element of a collection.
public struct ElementReason: Sendable {
  /// Its one-based position.
  public var position: Int
  /// The object, if the elements are objects or values of objects.
  public var object: ObjectID?
  /// The compared value.
  public var value: Value
}

/// The selection of a SUBQUERY.
public struct SelectionReason: Sendable {
  /// The collection from which it selects.
  public var collection: Expression
  /// The name of its variable.
  public var variable: String
  /// The number of elements.
  public var count: Int
  /// The number of selected elements.
  public var selectedCount: Int
  /// The first selected element, or, if none was selected, the one that fails the fewest clauses.
  public var example: (element: ElementReason, reason: Reason)?
}

extension Predicate {
  /// Explains why the object satisfies the predicate, or does not.
  ///
  /// - Throws: PredicateError for wrong names and types; errors of reading the object.
  public func reason(
    for subject: any PredicateSubject, semantics: EvaluationSemantics = .store
  ) throws -> Reason {
    let predicate = inlined
    try predicate.check(in: subject.entity, for: .evaluation)
    let compiler = PredicateCompiler(entity: subject.entity, semantics: semantics)
    return try Reasoner(compiler: compiler, frame: Frame(subject: subject)).reason(predicate)
  }
}

extension Reason {
  /// The clauses without subclauses, in the order of the text.
  public var leaves: [Reason] { clauses.isEmpty ? [self] : clauses.flatMap(\.leaves) }
}
