import Modeling
import Queries
import Testing

@testable import Storage

private typealias Expression = Queries.Expression

/// Every operator with every type, nil, option, quantifier and shape of operand has the same answer in the store and in
/// memory. The lists are the languages' own, so that what is added to them joins by itself.
@Suite struct GeneratedAgreementTests {
  private let world: AgreementWorld
  init() throws { world = try AgreementWorld(seed: 3) }

  private func path(_ type: AttributeType, _ prefix: String = "") -> Expression {
    .path(PropertyPath(dotted: prefix + AgreementWorld.name(type)))
  }

  private func expectNone(_ differences: [String], _ checks: Int) {
    #expect(differences.isEmpty, "\(differences.count) of \(checks)\n\(differences.prefix(15).joined(separator: "\n"))")
    #expect(checks > 100)
  }

  /// What a list operator is given on the right for a value, else the value itself.
  private func right(_ comparator: Comparator, _ values: [Expression]) -> Expression {
    switch comparator {
    case .between: .aggregate([values[0], values[values.count - 1]])
    case .in: .aggregate(values)
    default: values[0]
    }
  }

  @Test(arguments: Comparator.allCases)
  func everyPairOfTypesAgrees(_ comparator: Comparator) {
    var (differences, checks): ([String], Int) = ([], 0)
    for left in AgreementWorld.types {
      for type in AgreementWorld.types {
        let constants = AgreementWorld.values(type).prefix(2) + [.null]
        let others: [Expression] = [path(type)] + constants.map { Expression.constant($0) }
        for other in others {
          for operands in [[other, other], [other, path(type)]] {
            let predicate = Predicate.comparison(
              Comparison(path(left), comparator, right(comparator, operands).inlined))
            world.difference(predicate).map { differences.append($0) }
            checks += 1
          }
          let mirrored = Predicate.comparison(Comparison(other, comparator, right(comparator, [path(left), other])))
          world.difference(mirrored).map { differences.append($0) }
        }
      }
    }
    expectNone(differences, checks)
  }

  @Test(arguments: Comparator.allCases)
  func everySubsetOfOptionsAgrees(_ comparator: Comparator) {
    var (differences, checks): ([String], Int) = ([], 0)
    let patterns = ["chile", "É", "e\u{301}", "k", "fin", "ss", "*i*", "C.*", "m", ""]
    for bits in UInt8(0)..<16 {
      for pattern in patterns {
        if comparator == .matches, pattern == "*i*" { continue }
        let constant = Expression.constant(.string(pattern))
        for left in [path(.string), .path(PropertyPath(["record", "text"])), constant] {
          let operands = left == constant ? [path(.string), constant] : [constant, path(.string)]
          let comparison = Comparison(
            left, comparator, right(comparator, operands), options: ComparisonOptions(rawValue: bits))
          world.difference(.comparison(comparison)).map { differences.append($0) }
          checks += 1
        }
      }
    }
    expectNone(differences, checks)
  }

  @Test(arguments: Comparator.allCases, ComparisonModifier.allCases)
  func everyQuantifierAgrees(_ comparator: Comparator, _ modifier: ComparisonModifier) {
    var (differences, checks): ([String], Int) = ([], 0)
    func check(_ left: Expression, _ operands: [Expression], _ options: ComparisonOptions = []) {
      let comparison = Comparison(
        left, comparator, right(comparator, operands), options: options, modifier: modifier)
      world.difference(.comparison(comparison)).map { differences.append($0) }
      checks += 1
    }
    for type in AgreementWorld.types {
      let constants = [Expression.constant(AgreementWorld.values(type)[1])]
      for value in constants + [.constant(.null), path(type)] {
        check(path(type, "children."), [value])
        if type == .string || type == .decimal { check(path(type, "parent.children."), [value, path(type)]) }
        check(.aggregate(constants + [path(type)]), [value])
        check(.collection(.distinctUnionOfObjects, of: path(type, "children."), key: nil), [value])
      }
    }
    for text in ["parts.label", "parts.mark.label", "marks.label", "aTransformable", "aTransformable.list"] {
      for value: Value in [.string("chile"), .string("é"), .int(5), .null] {
        check(.path(PropertyPath(dotted: text)), [.constant(value)])
        check(.path(PropertyPath(dotted: text)), [.constant(value)], [.caseInsensitive, .localeSensitive])
        check(.constant(value), [.path(PropertyPath(dotted: text))])
      }
    }
    expectNone(differences, checks)
  }

  /// The same value told in many ways.
  private func shapes(_ type: AttributeType) throws -> [Expression] {
    let values = AgreementWorld.values(type)
    let own = path(type)
    let isChild = Comparison(.variablePath("c", PropertyPath([AgreementWorld.name(type)])), .equal, own)
    let subquery = Expression.subquery(
      .path(PropertyPath(["children"])), variable: "c", .comparison(isChild))
    return [
      own, .constant(values[0]), .argument(values[1], name: "x"),
      try Expression.variable("v").bind(["v": values[values.count - 1]]), path(type, "parent."),
      path(type, "parent.parent."),
      .ternary(.comparison(Comparison(path(.boolean), .equal, .constant(.bool(true)))), own, .constant(values[0])),
      .ternary(.comparison(Comparison(path(.double), .greater, .constant(.int(1)))), path(type, "parent."), own),
      .call(.noindex, own), .cast(own, to: "NSString"), .cast(own, to: "NSNumber"),
      .subscripted(path(type, "children."), .first), .subscripted(path(type, "children."), .last),
      .subscripted(path(type, "children."), .index(path(.integer16))), .subscripted(path(type, "children."), .size),
      .collection(.minimum, of: path(type, "children."), key: nil),
      .collection(.maximum, of: .path(PropertyPath(["children"])), key: PropertyPath([AgreementWorld.name(type)])),
      .collection(.sum, of: path(type, "children."), key: nil),
      .collection(.average, of: path(type, "children."), key: nil),
      .collection(.count, of: subquery, key: nil),
      .collection(.sum, of: subquery, key: PropertyPath([AgreementWorld.name(type)])),
    ]
  }

  @Test(arguments: AgreementWorld.types)
  func everyShapeOfOperandsAgrees(_ type: AttributeType) throws {
    var (differences, checks): ([String], Int) = ([], 0)
    let shapes = try shapes(type)
    for comparator in Comparator.allCases where comparator != .matches {
      for (index, left) in shapes.enumerated() {
        for step in [0, 6] {
          let other = shapes[(index + step) % shapes.count]
          let comparison = Comparison(left, comparator, right(comparator, [other, path(type)]))
          world.difference(Predicate.comparison(comparison).inlined).map { differences.append($0) }
          checks += 1
        }
      }
    }
    expectNone(differences, checks)
  }

  @Test(arguments: ExpressionFunction.allCases)
  func everyFunctionOfEveryTypeAgrees(_ function: ExpressionFunction) {
    if function == .now { return }
    var (differences, checks): ([String], Int) = ([], 0)
    for type in AgreementWorld.types {
      let firsts = [path(type), .constant(.null)]
      for first in firsts {
        world.difference(Expression.function(function.rawValue, [first])).map { differences.append($0) }
        checks += 1
        for other in AgreementWorld.types {
          for second in [path(other)] where first != .constant(.null) {
            world.difference(Expression.function(function.rawValue, [first, second])).map { differences.append($0) }
            checks += 1
          }
        }
      }
      world.difference(Expression.function(function.rawValue, [path(type, "children.")])).map { differences.append($0) }
    }
    expectNone(differences, checks)
  }

  @Test(arguments: CollectionOperator.allCases)
  func everyCollectionOperatorAgrees(_ function: CollectionOperator) {
    var differences: [String] = []
    let sources =
      AgreementWorld.types.map { path($0, "children.") }
      + [
        "parts.number", "parts.weight", "parts.price",
        "parts.mark.label", "marks.label", "aTransformable", "aTransformable.list", "parent.children.parent.aDouble",
      ].map { .path(PropertyPath(dotted: $0)) }
    for source in sources {
      let one = Expression.collection(function, of: source, key: nil)
      let unique = Expression.collection(
        function, of: .collection(.distinctUnionOfObjects, of: source, key: nil), key: nil)
      for expression in [one, unique] {
        if function != .distinctUnionOfObjects, function != .unionOfObjects {
          world.difference(expression).map { differences.append($0) }
        }
        for value: Value in [.int(5), .string("chile"), .double(0.1), .null] {
          let isMember = Comparison(.constant(value), .in, expression)
          world.difference(.comparison(isMember)).map { differences.append($0) }
        }
      }
    }
    expectNone(differences, 1000)
  }
}
