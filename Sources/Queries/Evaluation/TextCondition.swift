internal import Modeling

/// An operator of text.
final class TextCondition: AttributeCondition {
  private let attribute: Int
  private let pattern: TextPattern
  private let answers: ComparisonAnswers

  init(_ attribute: Int, _ pattern: TextPattern, _ answers: ComparisonAnswers) {
    self.attribute = attribute
    self.pattern = pattern
    self.answers = answers
  }

  override func answer(_ subject: some PredicateSubject) throws -> Bool? {
    let value = try subject.attribute(at: attribute)
    if case .string(let text) = value { return try pattern.matches(text) }
    return try value.text.map { try pattern.matches($0) } ?? answers.otherwise
  }
}
