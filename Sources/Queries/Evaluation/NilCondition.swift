internal import Modeling

/// `x == nil`, `x != nil`.
final class NilCondition: AttributeCondition {
  private let attribute: Int
  private let isNil: Bool

  init(_ attribute: Int, isNil: Bool) {
    self.attribute = attribute
    self.isNil = isNil
  }

  override func answer(_ subject: some PredicateSubject) throws -> Bool? {
    try subject.attribute(at: attribute).isNull == isNil
  }
}
