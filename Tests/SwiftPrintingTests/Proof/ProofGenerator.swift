import Modeling
import Queries
import TestSupport

import struct Foundation.Decimal

/// Random predicates of the proof's model, with their arguments and variables.
struct ProofGenerator {
  /// A predicate and the values of the variables that it still has.
  struct Sample {
    var predicate: Queries.Predicate
    var variables: [String: Value]
  }

  private var random: SplitMix
  private var arguments: [PredicateArgument] = []
  private var bound: [String: Value] = [:]
  private var free: [String: Value] = [:]
  /// Variables stand for constants outside of SUBQUERY alone.
  private var depth = 0

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func next(depth: Int) throws -> Sample {
    (arguments, bound, free, self.depth) = ([], [:], [:], 0)
    let format = condition(depth)
    var predicate = try Queries.Predicate.parse(format, arguments: arguments)
    if !bound.isEmpty { predicate = try predicate.bind(bound) }
    return Sample(predicate: predicate, variables: free)
  }

  // MARK: Conditions

  private mutating func condition(_ depth: Int) -> String {
    guard depth > 0, chance(60) else { return clause() }
    switch number(0..<3) {
    case 0: return "(\(condition(depth - 1)) AND \(condition(depth - 1)))"
    case 1: return "(\(condition(depth - 1)) OR \(condition(depth - 1)))"
    default: return "NOT (\(condition(depth - 1)))"
    }
  }

  private mutating func clause() -> String {
    switch number(0..<19) {
    case 0, 1, 2, 3, 4, 5: return simple("Quake", "")
    case 6: return simple("Station", "station.")
    case 7, 8: return quantified()
    case 9: return subquery()
    case 10: return "reports.@count \(pick(["==", ">", "<=", "!="])) \(number(0..<4))"
    case 11: return "reports.@\(pick(["max", "min"])).score \(pick([">", "<", ">=", "<="])) \(number(0..<11))"
    case 12: return arithmetic()
    case 13: return choice()
    case 14: return date()
    case 15: return entity()
    case 16, 17: return cast()
    default:
      return pick([
        "confirmed == YES", "tsunami == NO", "station == nil", "station != nil", "#in == 2", "confirmed != YES",
      ])
    }
  }

  private mutating func quantified() -> String {
    let modifier = pick(["ANY", "ALL", "NONE"])
    if chance(25) { return "\(modifier) reports.\(simple("Person", "author.", isPlain: true))" }
    if chance(25) { return "\(modifier) reports.score \(order()) \(pick(["count", "felt", "#in"]))" }
    return "\(modifier) reports.\(simple("Report", "", isPlain: true))"
  }

  private mutating func subquery() -> String {
    depth += 1
    defer { depth -= 1 }
    let given = arguments.count
    var inner = simple("Report", "$r.")
    switch number(0..<4) {
    case 0: inner += " AND " + simple("Report", "$r.")
    case 1: inner += " OR " + simple("Person", "$r.author.")
    case 2:
      arguments.removeSubrange(given...)
      inner = "$r.score \(order()) \(pick(["count", "felt"]))"
    default: break
    }
    return "SUBQUERY(reports, $r, \(inner)).@count \(pick(["> 0", "== 0", "!= 0", ">= 2", "== 1"]))"
  }

  /// Asks for the entity of an object: one with all that inherits from it.
  private mutating func entity() -> String {
    let buoys = "{'Buoy', 'Drifter'}"
    let clause = pick([
      "entityName(SELF) == 'Aftershock'", "entityName(SELF) != 'Aftershock'",
      "entityName(SELF) IN {'Quake', 'Aftershock'}", "entityName(station) IN \(buoys)",
      "entityName(station) == 'Drifter'", "entityName(station) != 'Drifter'",
      "entityName(station) IN {'Station', 'Buoy', 'Drifter'}",
      "SUBQUERY(reports, $r, entityName($r.author) == 'Expert').@count > 0",
      "SUBQUERY(reports, $r, entityName($r.author) != 'Expert').@count == 1",
      "SUBQUERY(reports, $r, entityName($r.quake.station) IN \(buoys)).@count == 0",
    ])
    return chance(30) ? "NOT \(clause)" : clause
  }

  /// Asks for what the objects of a subentity alone have.
  private mutating func cast() -> String {
    let clause = pick([
      "CAST(SELF, 'Aftershock').delay \(order()) 2.5", "CAST(SELF, 'Aftershock').cause == 'us1'",
      "CAST(SELF, 'Aftershock').cause \(pick(["==", "!="])) nil", "CAST(SELF, 'Aftershock').cause CONTAINS 'us'",
      "CAST(SELF, 'Aftershock').delay * 2 \(order()) magnitude", "CAST(station, 'Buoy').drift \(order()) 4",
      "CAST(station, 'Buoy').anchored == YES", "CAST(station, 'Drifter').name BEGINSWITH 'B'",
      "CAST(station, 'Buoy').keeper.name == 'Ann'", "CAST(CAST(station, 'Buoy').keeper, 'Expert').rank \(order()) 3",
      "CAST(station, 'Buoy').keeper \(pick(["==", "!="])) nil", "ANY CAST(reports.author, 'Expert').rank \(order()) 3",
      "SUBQUERY(reports, $r, CAST($r.author, 'Expert').rank \(order()) 3).@count \(pick(["> 0", "== 1"]))",
      "length(CAST(SELF, 'Aftershock').cause) > 2",
    ])
    return chance(30) ? "NOT \(clause)" : clause
  }

  private mutating func arithmetic() -> String {
    let left = pick([
      "count + felt", "felt * 2", "count - 3", "-felt", "magnitude * 2", "magnitude - depth", "depth / 2", "count / 2",
      "modulus:by:(felt, 3)", "(count + 1) * 2", "price + 1", "price * price", "length(place)",
      "length(station.name) + 1",
    ])
    return "\(left) \(order()) \(pick(["0", "2", "7", "-4", "12"]))"
  }

  private mutating func choice() -> String {
    let condition = simple("Quake", "")
    return
      "TERNARY(\(condition), \(pick(["felt", "count", "3"])), \(pick(["#in", "felt", "0"]))) \(order()) \(number(0..<8))"
  }

  private mutating func date() -> String {
    let key = pick(["time", "updated"])
    switch number(0..<4) {
    case 0: return "year(\(key)) \(order()) \(pick(["2023", "2024"]))"
    case 1: return "month(\(key)) \(order()) '\(pick(["2023-12", "2024-01", "2024-02"]))'"
    case 2: return "day(\(key)) \(order()) '\(pick(["2024-01-01", "2024-01-05", "2023-12-12"]))'"
    default: return "year(\(key)) BETWEEN {2023, 2024}"
    }
  }

  // MARK: Clauses of one attribute

  private mutating func simple(_ entity: String, _ prefix: String, isPlain: Bool = false) -> String {
    let attribute = pick(ProofModel.entity(entity).attributes)
    let key = prefix + (attribute.name == "in" ? "#in" : attribute.name)
    if chance(12) { return "\(key) \(pick(["==", "!="])) nil" }
    let comparable = ProofModel.entity(entity).attributes.filter { $0.type == attribute.type }
    if !isPlain, chance(15), attribute.type != .data, attribute.type != .url {
      let other = prefix + pick(comparable).name.replacing("in", with: "#in", when: { $0 == "in" })
      return "\(key) \(attribute.type == .boolean ? pick(["==", "!="]) : order()) \(other)"
    }
    let isOrdered = ![AttributeType.boolean, .url, .data].contains(attribute.type)
    switch (attribute.type, number(0..<10)) {
    case (.string, 0..<5): return text(key)
    case (_, 5) where isOrdered:
      return "\(key) IN {\((0..<3).map { _ in literal(attribute.type) }.joined(separator: ", "))}"
    case (_, 6) where isOrdered: return "\(key) BETWEEN {\(literal(attribute.type)), \(literal(attribute.type))}"
    case (_, 7) where isOrdered && depth == 0:
      return
        "\(key) IN \(given(.list((0..<2).map { _ in value(attribute.type) }), attribute.name + "s", isBound: true))"
    default:
      return "\(key) \(isOrdered ? order() : pick(["==", "!="])) \(constant(attribute))"
    }
  }

  /// A part of a text: an empty one has no form as a macro.
  private mutating func part() -> Value {
    .string(pick(["us1", "Chile", "h", "東京", "Sã", "\"near\" \\", "10%", "felt"]))
  }

  private mutating func text(_ key: String) -> String {
    switch number(0..<5) {
    case 0: return "\(key) CONTAINS \(given(part(), "part"))"
    case 1: return "\(key) BEGINSWITH \(given(part(), "start"))"
    case 2: return "\(key) LIKE '\(pick(["us*", "*Chile*", "?s1", "*", "Chile", "c??", "*e", "a\\\\*b"]))'"
    case 3: return "\(key) MATCHES '\(pick(["us[0-9]", ".*Chile", "[A-Z].*", "", "(a|b|us1)"]))'"
    // Not CONTAINS code: an object has an empty one, which Swift finds in every text and NSPredicate in none.
    default: return "\(key) CONTAINS 'h'"
    }
  }

  private mutating func constant(_ attribute: Attribute) -> String {
    switch (attribute.type, number(0..<6)) {
    case (.integer64, 0): return pick(["2.5", "-0.5", "1e30", "7.0"])
    case (.integer16, 0), (.integer32, 0): return pick(["100000", "-3000000000", "4.5"])
    case (.float, 0): return pick(["0.1", "0.3", "3"])
    case (.decimal, 0): return pick(["1.5", "10", "-25.0"])
    case (.boolean, 0): return pick(["1", "0", "5"])
    default: return given(value(attribute.type), attribute.name)
    }
  }

  /// A constant as an argument, as a bound or free variable, or in the text where it has a literal there.
  private mutating func given(_ value: Value, _ name: String, isBound: Bool = false) -> String {
    switch number(0..<6) {
    case 0 where depth == 0 && bound[name + "Bound"] == nil:
      bound[name + "Bound"] = value
      return "$\(name)Bound"
    case 1 where depth == 0 && free[name + "Free"] == nil && !isBound:
      free[name + "Free"] = value
      return "$\(name)Free"
    case 2, 3:
      arguments.append(.value(value))
      return "%@"
    default: return text(of: value)
    }
  }

  private mutating func literal(_ type: AttributeType) -> String { text(of: value(type)) }

  private func text(of value: Value) -> String { Queries.Expression.constant(value).format }

  private mutating func value(_ type: AttributeType) -> Value {
    switch type {
    case .string: .string(pick(["us1", "Chile", "", "h", "東京", "Sã", "\"near\" \\", "10%", "Ann", "Base", "felt"]))
    case .double: .double(pick([5.5, 4, 0.1, 33.25, -1, 0.5]))
    case .float: .double(pick([0.5, 3, 1.25]))
    case .integer64: .int(pick([0, 1, 7, -3, 12, 40]))
    case .integer16, .integer32: .int(pick([0, 5, -5, -200]))
    case .decimal: .decimal(pick([1.5, 10, Decimal(-25), Decimal(2)]))
    case .boolean: .bool(chance(50))
    case .date: .date(Timestamp(1_704_067_200 + Double(number(-80..<140)) * 43_200 + 0.5))
    case .uuid: .uuid(ProofObject.uuid(number(0..<4)))
    case .url: .url("https://example.org/\(number(0..<2))")
    case .data: .data([1, UInt8(number(0..<3))])
    default: .null
    }
  }

  // MARK: Chance

  private mutating func order() -> String { pick(["==", "!=", "<", "<=", ">", ">="]) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0..<elements.count)] }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }
}

extension String {
  fileprivate func replacing(_ text: String, with other: String, when isWanted: (String) -> Bool) -> String {
    isWanted(self) ? other : self
  }
}
