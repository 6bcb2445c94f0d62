internal import Modeling

/// `x == nil`, `x != nil`.
final class NilTest: AttributeCondition {
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

/// A comparison with a number that a double holds.
final class NumberTest: AttributeCondition {
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
}

/// A comparison with any other value.
final class ValueTest: AttributeCondition {
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
}

/// An operator of text.
final class TextTest: AttributeCondition {
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
