/// The answers of an operator if the left value is less than the right, equal, greater, or not comparable with it.
struct ComparisonAnswers {
  let less: Bool
  let equal: Bool
  let greater: Bool
  let otherwise: Bool?

  init(_ comparator: Comparator, _ semantics: EvaluationSemantics) {
    less = [.less, .lessOrEqual, .notEqual].contains(comparator)
    equal = [.equal, .lessOrEqual, .greaterOrEqual].contains(comparator)
    greater = [.greater, .greaterOrEqual, .notEqual].contains(comparator)
    otherwise = semantics == .store ? nil : comparator == .notEqual
  }

  func answer(_ order: Int) -> Bool { order < 0 ? less : order > 0 ? greater : equal }
}
