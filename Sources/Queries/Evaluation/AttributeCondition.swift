internal import Modeling

/// A condition on an object, evaluated as a tree of condition objects.
///
/// Most conditions consist of comparisons of attributes with constants: `magnitude >= 5 AND isFelt == YES`. These are
/// evaluated without a closure, a frame or a box around the object, at a tenth of the cost; every other condition is a
/// `ComputedCondition`.
class AttributeCondition {
  /// The answer for an object: true, false, or nil for neither.
  func answer(_ subject: some PredicateSubject) throws -> Bool? { nil }

  /// Ranges of values that attributes have where the answer is true; there may be others.
  var ranges: [ValueRange] { [] }
}

/// AND, which false decides, or OR, which true decides; otherwise neither if any part is neither.
final class Conjunction: AttributeCondition {
  private let parts: [AttributeCondition]
  private let deciding: Bool

  init(_ parts: [AttributeCondition], deciding: Bool) {
    self.parts = parts
    self.deciding = deciding
  }

  override func answer(_ subject: some PredicateSubject) throws -> Bool? {
    var isNeither = false
    for part in parts {
      guard let answer = try part.answer(subject) else {
        isNeither = true
        continue
      }
      if answer == deciding { return deciding }
    }
    return isNeither ? nil : !deciding
  }

  override var ranges: [ValueRange] { deciding ? [] : ValueRange.intersections(of: parts.flatMap(\.ranges)) }
}

final class Negation: AttributeCondition {
  private let inner: AttributeCondition
  init(_ inner: AttributeCondition) { self.inner = inner }

  override func answer(_ subject: some PredicateSubject) throws -> Bool? { try inner.answer(subject).map { !$0 } }
}

/// A condition that closures compute.
final class ComputedCondition: AttributeCondition {
  private let condition: Condition
  init(_ condition: @escaping Condition) { self.condition = condition }

  override func answer(_ subject: some PredicateSubject) throws -> Bool? { try condition(Frame(subject: subject)) }
}
