internal import Modeling

/// A comparison with a number that a double holds.
final class NumberCondition: AttributeCondition {
  private let attribute: Int
  private let bound: Double
  private let constant: Value
  private let answers: ComparisonAnswers

  init(_ attribute: Int, _ bound: Double, _ constant: Value, _ answers: ComparisonAnswers) {
    self.attribute = attribute
    self.bound = bound
    self.constant = constant
    self.answers = answers
  }

  override func answer(_ subject: some PredicateSubject) throws -> Bool? {
    let value = try subject.attribute(at: attribute)
    guard case .double(let number) = value else {
      return value.compare(constant).map(answers.answer) ?? answers.otherwise
    }
    if number < bound { return answers.less }
    if number > bound { return answers.greater }
    return number == bound ? answers.equal : answers.otherwise
  }

  override var ranges: [ValueRange] { ValueRange(attribute, .double(bound), answers).map { [$0] } ?? [] }
}
