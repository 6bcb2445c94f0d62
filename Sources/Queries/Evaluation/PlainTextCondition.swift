internal import Modeling

/// A comparison of text with a constant text by bytes, as it is without options.
final class PlainTextCondition: AttributeCondition {
  private let attribute: Int
  private let bytes: [UInt8]
  private let constant: Value
  private let answers: ComparisonAnswers

  init(_ attribute: Int, _ text: String, _ constant: Value, _ answers: ComparisonAnswers) {
    self.attribute = attribute
    bytes = Array(text.utf8)
    self.constant = constant
    self.answers = answers
  }

  override func answer(_ subject: some PredicateSubject) throws -> Bool? {
    let value = try subject.attribute(at: attribute)
    guard case .string(var text) = value else {
      return value.compare(constant).map(answers.answer) ?? answers.otherwise
    }
    return answers.answer(text.withUTF8 { text in bytes.withUnsafeBufferPointer { compareBytes(text, $0) } })
  }

  override var ranges: [ValueRange] { ValueRange(attribute, constant, answers).map { [$0] } ?? [] }
}
