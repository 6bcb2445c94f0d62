internal import Modeling

/// The subjects of an evaluation: the object, and the current elements of the enclosing SUBQUERYs.
struct Frame {
  let subject: any PredicateSubject
  var elements: [Element] = []
}

/// An element of a collection.
enum Element {
  case object(any PredicateSubject)
  case value(Value)

  /// The element as a value; an object by its ID.
  var value: Value {
    switch self {
    case .object(let object): .object(object.objectID)
    case .value(let value): value
    }
  }
}

typealias Condition = (Frame) throws -> Bool?
typealias Evaluator = (Frame) throws -> Value
typealias ElementsEvaluator = (Frame) throws -> [Element]
/// Compares the left value with a right side that is already compiled.
typealias ComparisonTest = (Value, Frame) throws -> Bool?

/// Compiles a checked tree into closures: conditions here, comparisons, values, paths and collections in extensions.
///
/// Work that does not depend on the object is done once, at compile time.
struct PredicateCompiler {
  let entity: Entity
  let semantics: EvaluationSemantics
  /// The variables of the enclosing SUBQUERYs: their index in `Frame.elements` and the entity of the elements.
  var scope: [String: (index: Int, entity: Entity?)] = [:]

  init(entity: Entity, semantics: EvaluationSemantics) {
    self.entity = entity
    self.semantics = semantics
  }

  mutating func condition(_ predicate: Predicate) throws(PredicateError) -> Condition {
    switch predicate {
    case .constant(let value): return { _ in value }
    case .and(let terms): return Self.all(try conditions(terms))
    case .or(let terms): return Self.any(try conditions(terms))
    case .not(let inner):
      let inner = try condition(inner)
      return { frame in try inner(frame).map { !$0 } }
    case .comparison(let comparison): return try condition(comparison)
    case .expression(let expression):
      let value = try value(expression)
      let neither: Bool? = semantics == .memory ? false : nil
      return { frame in try value(frame).doubleValue.map { $0 != 0 } ?? neither }
    }
  }

  private mutating func conditions(_ terms: [Predicate]) throws(PredicateError) -> [Condition] {
    var conditions: [Condition] = []
    for term in terms { conditions.append(try condition(term)) }
    return conditions
  }

  /// False if any condition is false, otherwise neither if any is neither.
  private static func all(_ conditions: [Condition]) -> Condition {
    { frame in
      var result: Bool? = true
      for condition in conditions {
        switch try condition(frame) {
        case false: return false
        case nil: result = nil
        default: break
        }
      }
      return result
    }
  }

  /// True if any condition is true, otherwise neither if any is neither.
  private static func any(_ conditions: [Condition]) -> Condition {
    { frame in
      var result: Bool? = false
      for condition in conditions {
        switch try condition(frame) {
        case true: return true
        case nil: result = nil
        default: break
        }
      }
      return result
    }
  }
}
