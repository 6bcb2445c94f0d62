import Modeling
import Queries
import TestSupport

/// Random predicates and expressions that are well-typed in `AgreementWorld`; the same number makes the same ones.
struct RandomPredicates {
  private var random: SplitMix
  /// The variables of the SUBQUERYs around, with the entity of their elements.
  private var scope: [(name: String, entity: String)] = []

  init(number: Int) { random = SplitMix(seed: UInt64(number) &* 0x9E37_79B9 &+ 17) }

  /// What an expression is, as far as comparing and computing go.
  enum Kind: CaseIterable { case number, text, date, bool, uuid, data, json }

  private mutating func chance(_ percent: Int) -> Bool { random.below(100) < percent }
  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[random.below(elements.count)] }

  // MARK: Conditions

  mutating func predicate(_ depth: Int) -> Queries.Predicate {
    if depth > 0, chance(45) {
      switch random.below(3) {
      case 0: return .and((0..<2 + random.below(2)).map { _ in predicate(depth - 1) })
      case 1: return .or((0..<2 + random.below(2)).map { _ in predicate(depth - 1) })
      default: return .not(predicate(depth - 1))
      }
    }
    switch random.below(20) {
    case 0: return .constant(chance(50))
    case 1: return .expression(expression(.bool, depth))
    case 2, 3: return .comparison(object(depth))
    default: return .comparison(comparison(depth))
    }
  }

  private mutating func comparison(_ depth: Int) -> Comparison {
    let kind = pick(Kind.allCases + [.number, .text, .number, .text])
    let left = operand(kind, depth)
    if kind == .text, chance(60) {
      let comparator = pick(
        Comparator.allCases.filter { $0.isStringOperator && $0 != .matches } + [.equal, .less, .in])
      return Comparison(left.expression, comparator, expression(.text, 0), options: options(), modifier: left.modifier)
    }
    if kind == .json {
      if chance(50) {
        return Comparison(left.expression, pick([.equal, .notEqual]), .constant(.null), modifier: left.modifier)
      }
      return Comparison(
        .path(path(["aTransformable", "aTransformable.list"])), pick([.contains, .equal, .less, .notEqual]),
        .constant(pick([.string("chile"), .int(5), .bool(true)])),
        modifier: pick(ComparisonModifier.allCases.filter { $0 != .direct }))
    }
    let comparator = pick([Comparator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between])
    let right: Queries.Expression
    switch comparator {
    case .in:
      if chance(30), let many = collection(kind) {
        right = many
      } else {
        right = .aggregate(
          (0..<1 + random.below(3)).map { _ in chance(15) ? .constant(.null) : expression(kind, depth - 1) })
      }
    case .between: right = .aggregate([expression(kind, depth - 1), expression(kind, depth - 1)])
    default: right = chance(10) ? .constant(.null) : expression(kind, depth - 1)
    }
    return Comparison(
      left.expression, comparator, right, options: kind == .text ? options() : [], modifier: left.modifier)
  }

  /// The left side of a comparison: one value, or many under a quantifier.
  private mutating func operand(_ kind: Kind, _ depth: Int) -> (
    modifier: ComparisonModifier, expression: Queries.Expression
  ) {
    if chance(25), let many = collection(kind) { return (pick([.any, .all, .none]), many) }
    return (.direct, expression(kind, depth))
  }

  /// Objects compared with one another.
  private mutating func object(_ depth: Int) -> Comparison {
    switch random.below(4) {
    case 0:
      return Comparison(
        .path(path(["parent"])), pick([.equal, .notEqual]),
        pick([.object, .constant(.null), .path(path(["parent.parent"]))]))
    case 1: return Comparison(.object, .in, .path(path(["children", "parent.children"])))
    case 2:
      return Comparison(
        .path(path(["children"])), pick([.equal, .notEqual]), pick([.object, .path(path(["parent"]))]),
        modifier: pick([.any, .all, .none]))
    default: return Comparison(.path(path(["children"])), .contains, pick([.object, .path(path(["parent"]))]))
    }
  }

  private mutating func options() -> ComparisonOptions {
    chance(60) ? [] : ComparisonOptions(rawValue: UInt8(random.below(16)))
  }

  // MARK: Values

  private mutating func path(_ candidates: [String]) -> PropertyPath { PropertyPath(dotted: pick(candidates)) }

  private static func names(_ kind: Kind) -> [String] {
    switch kind {
    case .number: ["aInteger16", "aInteger32", "aInteger64", "aDecimal", "aDouble", "aFloat", "record.number"]
    case .text: ["aString", "aURL", "record.text"]
    case .date: ["aDate", "record.date"]
    case .bool: ["aBool"]
    case .uuid: ["aUUID"]
    case .data: ["aData"]
    case .json: ["aTransformable"]
    }
  }

  private static func ofPart(_ kind: Kind) -> [String] {
    switch kind {
    case .number: ["number", "weight", "price"]
    case .text: ["label", "mark.label"]
    default: []
    }
  }

  /// Many values of a kind.
  private mutating func collection(_ kind: Kind) -> Queries.Expression? {
    var names = Self.names(kind).flatMap { ["children.\($0)", "parent.children.\($0)", "children.parent.\($0)"] }
    names += Self.ofPart(kind).map { "parts.\($0)" }
    if kind == .text { names.append("marks.label") }
    let path = Queries.Expression.path(PropertyPath(dotted: pick(names)))
    return chance(15) ? .collection(.distinctUnionOfObjects, of: path, key: nil) : path
  }

  private mutating func attribute(_ kind: Kind) -> Queries.Expression {
    if let variable = scope.last, chance(60) {
      let names = variable.entity == "Part" ? Self.ofPart(kind) : Self.names(kind)
      if !names.isEmpty { return .variablePath(variable.name, PropertyPath(dotted: pick(names))) }
    }
    let prefix = pick(["", "", "", "parent.", "parent.parent."])
    return .path(PropertyPath(dotted: prefix + pick(Self.names(kind))))
  }

  private mutating func constant(_ kind: Kind) -> Value {
    let types: [AttributeType] =
      switch kind {
      case .number: [.integer64, .integer16, .decimal, .double, .float]
      case .text: [.string]
      case .date: [.date]
      case .bool: [.boolean]
      case .uuid: [.uuid]
      case .data: [.data]
      case .json: [.transformable]
      }
    return pick(AgreementWorld.values(pick(types)))
  }

  mutating func expression(_ kind: Kind, _ depth: Int) -> Queries.Expression {
    guard depth > 0, chance(45) else {
      return chance(35) ? (chance(50) ? .constant(constant(kind)) : .argument(constant(kind))) : attribute(kind)
    }
    let inner = depth - 1
    if chance(20) { return .ternary(predicate(inner), expression(kind, inner), expression(kind, inner)) }
    if chance(12) {
      let places: [Subscript] = [.first, .last, .index(.constant(.int(1))), .index(attribute(.number))]
      if let many = collection(kind), case .path = many { return .subscripted(many, pick(places)) }
    }
    switch kind {
    case .number: return number(inner)
    case .text:
      let function = pick([ExpressionFunction.lowercase, .uppercase, .canonical, .trim])
      return chance(30)
        ? .call(pick([.month, .day]), expression(.date, inner)) : .call(function, expression(.text, inner))
    case .date:
      return .call(pick([.add, .subtract]), expression(.date, inner), .constant(.int(Int64(random.below(100_000)))))
    default: return .call(.noindex, attribute(kind))
    }
  }

  private mutating func number(_ depth: Int) -> Queries.Expression {
    switch random.below(7) {
    case 0, 1:
      return .call(
        pick([.add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .leftShift]),
        expression(.number, depth), expression(.number, depth))
    case 2:
      return .call(
        pick([.negate, .abs, .floor, .ceiling, .round, .trunc, .sqrt, .onesComplement]), expression(.number, depth))
    case 3: return .call(.length, expression(.text, depth))
    case 4: return .call(pick([.year, .hour, .minute, .second, .weekday]), expression(.date, depth))
    case 5:
      let function = pick([CollectionOperator.sum, .average, .minimum, .maximum])
      return collection(.number).map { .collection(function, of: $0, key: nil) } ?? attribute(.number)
    default: return subquery(depth)
    }
  }

  private mutating func subquery(_ depth: Int) -> Queries.Expression {
    let (source, entity) = pick([
      ("children", "Thing"), ("parts", "Part"), ("parent.children", "Thing"), ("parent.parts", "Part"),
    ])
    let name = "v\(scope.count)"
    scope.append((name, entity))
    let condition = predicate(max(depth - 1, 0))
    scope.removeLast()
    let found = Queries.Expression.subquery(.path(PropertyPath(dotted: source)), variable: name, condition)
    if chance(60) { return .collection(.count, of: found, key: nil) }
    let key = pick(entity == "Part" ? Self.ofPart(.number) : Self.names(.number))
    return .collection(pick([.sum, .minimum, .maximum, .average]), of: found, key: PropertyPath(dotted: key))
  }
}
