import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

private typealias Expression = Queries.Expression

/// Every operator with every type, nil, option, quantifier and shape of operand has the same answer in the store and in
/// memory. The lists are the languages' own, so that what is added to them joins by itself.
///
/// Values and patterns take turns: each stands beside each class of operands, but not in every combination with all the
/// rest. PERILUNE_LONG_TESTS=1 takes them all.
@Suite(.seeded) struct GeneratedAgreementTests {
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

  /// Those of some values whose turn it is.
  private func turn<Element>(_ values: [Element], _ number: Int) -> [Element] {
    Effort.isLong ? values : [values[number % values.count]]
  }

  @Test(arguments: Comparator.allCases)
  func everyPairOfTypesAgrees(_ comparator: Comparator) {
    var (differences, checks): ([String], Int) = ([], 0)
    func check(_ left: Expression, _ operands: [Expression]) {
      world.difference(.comparison(Comparison(left, comparator, right(comparator, operands).inlined)))
        .map { differences.append($0) }
      checks += 1
    }
    for (number, left) in AgreementWorld.types.enumerated() {
      check(path(left), [.constant(.null), path(left)])
      check(.constant(.null), [path(left), .constant(.null)])
      for (other, type) in AgreementWorld.types.enumerated() {
        check(path(left), [path(type), path(type)])
        for value in turn(Array(AgreementWorld.values(type).prefix(3)), number + other) {
          let constant = Expression.constant(value)
          check(path(left), [constant, constant])
          check(constant, [path(left), constant])
          if [.in, .between].contains(comparator) { check(path(left), [constant, path(type)]) }
        }
      }
    }
    expectNone(differences, checks)
  }

  @Test(arguments: Comparator.allCases)
  func everySubsetOfOptionsAgrees(_ comparator: Comparator) {
    var (differences, checks): ([String], Int) = ([], 0)
    let patterns = ["chile", "É", "e\u{301}", "k", "fin", "ss", "*i*", "C.*", "m", ""].filter {
      comparator != .matches || $0 != "*i*"
    }
    func check(_ left: Expression, _ pattern: String, _ options: ComparisonOptions) {
      let constant = Expression.constant(.string(pattern))
      let operands = left == constant ? [path(.string), constant] : [constant, path(.string)]
      world.difference(.comparison(Comparison(left, comparator, right(comparator, operands), options: options)))
        .map { differences.append($0) }
      checks += 1
    }
    for bits in UInt8(0)..<16 {
      let options = ComparisonOptions(rawValue: bits)
      for half in 0..<2 {
        let some = patterns.indices.filter { Effort.isLong || $0 % 2 == half }.map { patterns[$0] }
        for pattern in turn(some, Int(bits) / 2) { check(.path(PropertyPath(["record", "text"])), pattern, options) }
        for pattern in turn(some, Int(bits) / 2 + 1) { check(.constant(.string(pattern)), pattern, options) }
      }
      for (number, pattern) in patterns.enumerated() where Effort.isLong || (number + Int(bits)) % 2 == 0 {
        check(path(.string), pattern, options)
      }
    }
    expectNone(differences, checks)
  }

  @Test(arguments: Comparator.allCases)
  func everyQuantifierAgrees(_ comparator: Comparator) {
    var (differences, checks): ([String], Int) = ([], 0)
    for modifier in ComparisonModifier.allCases {
      func check(_ left: Expression, _ operands: [Expression], _ options: ComparisonOptions = []) {
        let comparison = Comparison(
          left, comparator, right(comparator, operands), options: options, modifier: modifier)
        world.difference(.comparison(comparison)).map { differences.append($0) }
        checks += 1
      }
      for (number, type) in AgreementWorld.types.enumerated() {
        let constant = Expression.constant(AgreementWorld.values(type)[1])
        for value in [constant, .constant(.null), path(type)] {
          check(path(type, "children."), [value])
          if type == .string || type == .decimal { check(path(type, "parent.children."), [value, path(type)]) }
        }
        for value in turn([constant, path(type), .constant(.null)], number) {
          check(.aggregate([constant, path(type)]), [value])
          check(.collection(.distinctUnionOfObjects, of: path(type, "children."), key: nil), [value])
        }
      }
      for text in ["parts.label", "parts.mark.label", "marks.label", "aTransformable", "aTransformable.list"] {
        let many = Expression.path(PropertyPath(dotted: text))
        for value: Value in [.string("chile"), .string("é"), .int(5), .null] {
          check(many, [.constant(value)])
          if value != .string("chile") { check(.constant(value), [many]) }
        }
        check(many, [.constant(.string("é"))], [.caseInsensitive, .localeSensitive])
      }
    }
    expectNone(differences, checks)
  }

  /// The same value written in many ways.
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
      .call(.noindex, own), .cast(own, to: .string), .cast(own, to: .number),
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
    for (number, comparator) in Comparator.allCases.enumerated() where comparator != .matches {
      for (index, left) in shapes.enumerated() {
        for step in turn(Array(0..<Comparator.allCases.count), number) {
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
        world.difference(Expression.function(function, [first])).map { differences.append($0) }
        checks += 1
        for other in AgreementWorld.types {
          for second in [path(other)] where first != .constant(.null) {
            world.difference(Expression.function(function, [first, second])).map { differences.append($0) }
            checks += 1
          }
        }
      }
      world.difference(Expression.function(function, [path(type, "children.")])).map { differences.append($0) }
    }
    expectNone(differences, checks)
  }

  @Test func theEntityOfAnObjectAgreesWhereverItStands() throws {
    let objects = ["SELF", "parent", "parent.parent", "parent.parent.parent"]
    let names = ["== 'Gadget'", "!= 'Gadget'", "IN {'Thing', 'Gadget'}", "== nil", "!= nil", "BEGINSWITH 'G'"]
    var texts = objects.flatMap { object in names.map { "entityName(\(object)) \($0)" } }
    texts += names.flatMap { test in
      [
        "SUBQUERY(children, $c, entityName($c) \(test)).@count > 0",
        "SUBQUERY(children, $c, NOT entityName($c.parent) \(test)).@count == 0",
        "SUBQUERY(parts, $p, entityName($p.mark) \(test)).@count > 0", "entityName(SELF) == entityName(parent)",
      ]
    }
    var differences: [String] = []
    for text in texts {
      for whole in [text, "NOT (\(text))"] {
        world.difference(try Predicate.parse(whole)).map { differences.append($0) }
      }
    }
    for test in ["== 'Mark'", "== 'Gadget'", "== nil"] {
      for object in ["mark", "thing", "SELF"] {
        world.difference(try Predicate.parse("entityName(\(object)) \(test)"), "Part").map { differences.append($0) }
      }
    }
    expectNone(differences, texts.count * 2 + 9)
  }

  @Test func whatOnlyASubentityHasAgreesWhereverItStands() throws {
    let values = [
      "CAST(SELF, 'Gadget').extra", "CAST(parent, 'Gadget').extra", "CAST(parent.parent, 'Gadget').extra",
      "CAST(CAST(parent, 'Gadget').parent, 'Gadget').extra", "CAST(SELF, 'Gadget').aInteger64",
      "CAST(SELF, 'Gadget').parent.aInteger64", "CAST(parent, 'Gadget').parts.@count",
      "CAST(children, 'Gadget').@max.extra", "CAST(children, 'Gadget').@sum.extra",
      "CAST(SELF, 'Gadget').children.@count",
      "SUBQUERY(children, $c, CAST($c, 'Gadget').extra > 0).@count", "CAST(SELF, 'Gadget').parts.@sum.number",
      "CAST(SELF, 'Gadget').record.number", "TERNARY(CAST(SELF, 'Gadget').extra > 0, 1, 5)",
    ]
    let elements = [
      "CAST(children, 'Gadget').extra", "children.aInteger64", "CAST(parts.thing, 'Gadget').extra",
      "CAST(CAST(children, 'Gadget').parts.thing, 'Gadget').extra", "CAST(SELF, 'Gadget').parts.number",
    ]
    let tests = ["== 5", "!= 5", "> 0", "== nil", "!= nil", "IN {0, 1, 5}", "BETWEEN {-10, 4}"]
    var texts = values.flatMap { value in tests.map { "\(value) \($0)" } }
    texts += ["ANY", "ALL", "NONE"].flatMap { modifier in
      elements.flatMap { element in tests.map { "\(modifier) \(element) \($0)" } }
    }
    texts += ["CAST(SELF, 'Gadget').extra == CAST(parent, 'Gadget').extra", "5 IN CAST(children, 'Gadget').extra"]
    var differences: [String] = []
    for text in texts {
      for whole in [text, "NOT (\(text))"] {
        world.difference(try Predicate.parse(whole)).map { differences.append($0) }
      }
    }
    for value in values { world.difference(try Expression.parse(value)).map { differences.append($0) } }
    for value in ["CAST(thing, 'Gadget').extra", "CAST(thing, 'Gadget').children.@count"] {
      for test in tests {
        world.difference(try Predicate.parse("\(value) \(test)"), "Part").map { differences.append($0) }
      }
    }
    expectNone(differences, texts.count * 2)
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
