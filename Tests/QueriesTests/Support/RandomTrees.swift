import Modeling
import Queries
import TestSupport

import struct Foundation.Decimal
import struct Foundation.UUID
import typealias Foundation.uuid_t

/// Random trees of the kind the parser makes: flat conjunctions, constant lists as constants, no CAST of a constant.
struct RandomTrees {
  var random: SplitMix
  /// Only paths of the sample model, so that the tree can be evaluated; else any names.
  var isOfModel = false

  init(seed: UInt64, isOfModel: Bool = false) {
    random = SplitMix(seed: seed)
    self.isOfModel = isOfModel
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  // MARK: Conditions

  mutating func predicate(_ depth: Int) -> Queries::Predicate {
    guard depth > 0, chance(60) else { return chance(8) ? .constant(chance(50)) : .comparison(comparison(depth)) }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return .and(terms(depth) { if case .and = $0 { true } else { false } })
    case 1: return .or(terms(depth) { if case .or = $0 { true } else { false } })
    default: return .not(predicate(depth - 1))
    }
  }

  private mutating func terms(_ depth: Int, without isSame: (Queries::Predicate) -> Bool) -> [Queries::Predicate] {
    var terms: [Queries::Predicate] = []
    while terms.count < 2 || chance(30) {
      let term = predicate(depth - 1)
      if !isSame(term) { terms.append(term) }
    }
    return terms
  }

  private mutating func comparison(_ depth: Int) -> Comparison {
    let options = ComparisonOptions(rawValue: chance(70) ? 0 : UInt8.random(in: 0..<16, using: &random))
    return Comparison(
      expression(depth), pick(Queries::Comparator.allCases), expression(depth), options: options,
      modifier: chance(70) ? .direct : pick(ComparisonModifier.allCases))
  }

  // MARK: Values

  mutating func expression(_ depth: Int) -> Queries::Expression {
    guard depth > 0, chance(50) else { return leaf() }
    let inner = depth - 1
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1:
      let infix = ExpressionFunction.allCases.filter(\.isInfix)
      return .function(pick(infix), [expression(inner), expression(inner)])
    case 2:
      let argument = expression(inner)
      if case .constant = argument { return .function(.abs, [argument]) }
      return .function(.negate, [argument])
    case 3: return .function(pick([.year, .lowercase, .abs, .noindex, .length, .canonical]), [expression(inner)])
    case 4:
      let function = pick(CollectionOperator.allCases)
      let key = chance(30) && function != .count ? PropertyPath([key()]) : nil
      let source = expression(inner)
      return .collection(function, of: source, key: key)
    case 5:
      let positions: [Subscript] = [.first, .last, .size, .index(expression(inner))]
      return .subscripted(expression(inner), pick(positions))
    case 6: return .subquery(expression(inner), variable: pick(["x", "y"]), predicate(inner))
    case 7: return .ternary(predicate(inner), expression(inner), expression(inner))
    default:
      let elements = (0..<3).map { _ in expression(inner) } + [.path(PropertyPath([key()]))]
      return chance(50) ? .aggregate(elements) : .cast(elements[3], to: pick([.string, .date, .data]))
    }
  }

  private mutating func leaf() -> Queries::Expression {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .object
    case 1: .variable(pick(["x", "y", "größe"]))
    case 2: .variablePath(pick(["x", "y"]), path())
    case 3, 4, 5: .path(path())
    default: .constant(value(2))
    }
  }

  private mutating func path() -> PropertyPath {
    var keys = [component()]
    while chance(30) { keys.append(component()) }
    return PropertyPath(keys)
  }

  private mutating func component() -> PropertyPath.Component {
    PropertyPath.Component(key(), of: chance(10) ? pick(["Car", "größe", "a b", "x\"y", "SELF"]) : nil)
  }

  private mutating func key() -> String {
    pick([
      "a", "name", "magnitude", "größe", "x1", "_y", "size", "first", "NOT", "self", "Self", "in", "nil", "a b", "a.b",
      "1a", "", "@count", "\"q\"", "a\\b", "名前", "😀", "YES", "count", "cast", "line\nbreak", "#", "$x", "%@", "a:b",
    ])
  }

  mutating func value(_ depth: Int) -> Value {
    switch Int.random(in: 0..<13, using: &random) {
    case 0: return .null
    case 1: return .bool(chance(50))
    case 2: return .int(Int64.random(in: -10...10, using: &random))
    case 3: return .int(pick([.max, .min, Int64(bitPattern: random.next())]))
    case 4:
      return .double(
        pick([0.1, -2.5, 5, 1e300, Double.leastNonzeroMagnitude, -0.0, .infinity, -.infinity, 1e16, 123456789.125]))
    case 5: return .double(finite())
    case 6: return .decimal(decimal())
    case 7, 8: return .string(text())
    case 9: return .date(Timestamp(pick([0, 978_307_200, 1_705_940_772.25, finite(), 0.1, -1e12, 1e300])))
    case 10: return .uuid(uuid())
    case 11: return chance(50) ? .url(text()) : .data((0..<5).map { _ in UInt8.random(in: 0...255, using: &random) })
    default:
      return depth > 0 ? .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth - 1) }) : .int(7)
    }
  }

  private mutating func finite() -> Double {
    while true {
      let number = Double(bitPattern: random.next())
      if number.isFinite { return number }
    }
  }

  private mutating func decimal() -> Decimal {
    let digits = Int64(bitPattern: random.next())
    return Decimal(sign: .plus, exponent: Int.random(in: -30...10, using: &random), significand: Decimal(digits))
  }

  private mutating func uuid() -> UUID {
    var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    return bytes.withUnsafeMutableBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  mutating func text() -> String {
    let pieces = [
      "a", "é", "\"", "'", "\\", "\n", "\t", "\u{7}", "\u{85}", "%@", "$x", "😀", "*", " ", "e\u{301}", "\u{0}",
    ]
    return (0..<Int.random(in: 0..<6, using: &random)).map { _ in pick(pieces) }.joined()
  }
}
