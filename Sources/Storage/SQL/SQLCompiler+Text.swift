import Modeling
import Queries

/// String operators. Without options they are SQL that may use an index; with options they are functions that run what
/// the evaluation in memory runs.
extension SQLCompiler {
  /// The condition of CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES.
  func textTest(
    _ left: SQLSide, _ comparison: Comparison, _ right: SQLSide, isNegated: Bool
  ) throws -> SQLCondition {
    let (text, pattern) = (try single(left, comparison), try single(right, comparison))
    if text.isNull || pattern.isNull { return .neither }
    guard text.isTextual, pattern.isTextual else {
      throw unsupported("\(comparison.comparator.rawValue) of a value that is no text", at: comparison.origin)
    }
    if !comparison.options.isFolding, let plain = plainTest(text, comparison.comparator, pattern, isNegated: isNegated)
    {
      return plain
    }
    let name = "text_" + comparison.comparator.rawValue.lowercased()
    let call = SQLCondition(
      "\(raw: name)(\(text.sql), \(pattern.sql), '\(raw: comparison.options.letters)')", .atom)
    return isNegated ? call.negated : call
  }

  /// The test in SQL's own words; nil where they do not mean the same.
  private func plainTest(
    _ text: SQLOperand, _ comparator: Comparator, _ pattern: SQLOperand, isNegated: Bool
  ) -> SQLCondition? {
    guard case .string(let wanted)? = pattern.constant, !wanted.isEmpty else { return nil }
    let condition: SQLCondition
    switch comparator {
    case .contains: condition = SQLCondition("instr(\(text.sql), \(pattern.sql)) \(raw: isNegated ? "=" : ">") 0")
    case .beginsWith:
      guard let end = upperBound(ofPrefix: wanted) else { return nil }
      let range = SQLCondition("\(text.sql) >= \(pattern.sql) AND \(text.sql) < \(value: .string(end))", .and)
      condition = isNegated ? range.negated : range
    case .endsWith:
      let length = Int64(-wanted.unicodeScalars.count)
      condition = SQLCondition(
        "substr(\(text.sql), \(value: .int(length))) \(raw: isNegated ? "<>" : "=") \(pattern.sql)")
    case .like where !wanted.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "\\") }):
      condition = SQLCondition("\(text.sql) \(raw: isNegated ? "NOT GLOB" : "GLOB") \(pattern.sql)")
    default: return nil
    }
    if text.isExact || (comparator == .beginsWith && !isNegated) { return condition }
    return .all([condition, SQLCondition("typeof(\(text.sql)) = 'text'")])
  }

  /// The smallest text that is greater than all with the prefix; nil when there is none.
  private func upperBound(ofPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      // The scalars leave out the surrogates.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var end = String.UnicodeScalarView(scalars)
      end.append(scalar)
      return String(end)
    }
    return nil
  }

  /// An operand with case or diacritics taken away.
  func folded(_ operand: SQLOperand, _ options: ComparisonOptions) -> SQLOperand {
    if case .string(let text)? = operand.constant {
      let plain = Value.string(Queries.folded(text, options))
      return SQLOperand(sql: SQLFragment(value: plain), kind: .text, constant: plain)
    }
    var folded = operand
    folded.sql = "text_fold(\(operand.sql), '\(raw: options.letters)')"
    folded.isExact = true
    return folded
  }
}

extension SQLOperand {
  /// Whether string operators take it.
  fileprivate var isTextual: Bool { kind == .text || kind == .any || kind == .uuid }
}

extension ComparisonOptions {
  /// Whether text is changed before it is compared.
  var isFolding: Bool { !intersection([.caseInsensitive, .diacriticInsensitive]).isEmpty }

  /// The options as SQL functions are told them.
  var letters: String {
    let all: [(ComparisonOptions, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"),
    ]
    return all.filter { contains($0.0) }.map(\.1).joined()
  }
}
