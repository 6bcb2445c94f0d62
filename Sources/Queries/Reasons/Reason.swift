public import Modeling

/// A clause of a predicate with its answer for one object, and with what made the answer.
///
///     let reason = try Predicate.parse("magnitude > 5 AND depth < 10").reason(for: quake)
///     reason.answer                       // nil: neither
///     reason.clauses.map(\.answer)        // [true, nil]
///
/// The tree has the shape of the predicate: AND, OR and NOT have `clauses`, a comparison its `operands` or `elements`.
public struct Reason: Sendable {
  /// The part of the predicate, its arguments written into it.
  public var clause: Predicate
  /// Whether the object fulfils it; nil for neither.
  public var answer: Bool?
  /// The clauses that AND, OR or NOT joins.
  public var clauses: [Reason] = []
  /// The sides of a comparison that depend on the object, the left one first.
  public var operands: [OperandReason] = []
  /// The result of a comparison over many elements.
  public var elements: ElementsReason?
}

/// A side of a comparison: its value for the object and where the value comes from.
public struct OperandReason: Sendable {
  /// The side, or a part of it.
  public var expression: Expression
  /// The value for the object.
  public var value: Value
  /// The first to-one of the path that leads nowhere, where that is why the value is nil.
  public var missing: PropertyPath?
  /// Whether the missing to-one holds the key of an object that no longer exists.
  public var isDangling = false
  /// The object of the path that is of another entity than the path asks for, where that is why the value is nil.
  public var miscast: Miscast?
  /// The text as it was compared, where letter case or diacritics decided.
  public var foldedText: String?
  /// The values of the paths within a function.
  public var parts: [OperandReason] = []
  /// The conditions of the TERNARYs within it, each with its own reason.
  public var branches: [Reason] = []
  /// The selections of the SUBQUERYs within it.
  public var selections: [SelectionReason] = []
}

/// An object that a path takes as one of an entity that it is not of.
public struct Miscast: Sendable {
  /// The path to the object; without components where it is the object itself.
  public var object: PropertyPath
  /// The object's own entity.
  public var entity: Entity
}

/// The result of ANY, ALL, NONE, IN or CONTAINS over a to-many.
public struct ElementsReason: Sendable {
  /// The collection.
  public var collection: Expression
  /// How many elements there are.
  public var count: Int
  /// For how many of them the comparison is true.
  public var matchingCount: Int
  /// The element that decided: the first match of ANY and NONE, the first failure of ALL.
  public var deciding: ElementReason?
  /// The element that came nearest, if none decided.
  public var nearest: ElementReason?
}

/// One element of a collection.
public struct ElementReason: Sendable {
  /// Its place, counted from 1.
  public var position: Int
  /// The object, where the elements are objects or values of objects.
  public var object: ObjectID?
  /// The compared value.
  public var value: Value
}

/// The selection of a SUBQUERY.
public struct SelectionReason: Sendable {
  /// The collection it selects from.
  public var collection: Expression
  /// The name of its variable.
  public var variable: String
  /// How many elements there are.
  public var count: Int
  /// How many were selected.
  public var selectedCount: Int
  /// The first that was selected, or, where none was, the one that fails the fewest clauses.
  public var example: (element: ElementReason, reason: Reason)?
}

extension Predicate {
  /// Why the object fulfils the predicate, or does not.
  ///
  /// - Throws: PredicateError for names and types that are wrong; what reading the object throws.
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
  /// The clauses that join no others, in the order of the text.
  public var leaves: [Reason] { clauses.isEmpty ? [self] : clauses.flatMap(\.leaves) }
}
