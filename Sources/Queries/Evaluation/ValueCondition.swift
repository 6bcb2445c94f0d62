internal import Modeling

/// A comparison with any other value.
final class ValueCondition: AttributeCondition {
  private let attribute: Int
  private let constant: Value
  private let options: ComparisonOptions
  private let answers: ComparisonAnswers

  init(_ attribute: Int, _ constant: Value, _ options: ComparisonOptions, _ answers: ComparisonAnswers) {
    self.attribute = attribute
    self.constant = constant
    self.options = options
    self.answers = answers
  }

  override func answer(_ subject: some PredicateSubject) throws -> Bool? {
    try subject.attribute(at: attribute).compare(constant, options).map(answers.answer) ?? answers.otherwise
  }

  override var ranges: [ValueRange] {
    guard case .date = constant else { return [] }
    return ValueRange(attribute, constant, answers).map { [$0] } ?? []
  }
}
