import Foundation
import Modeling
import Queries
import TestSupport

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Objects with every attribute type, nasty values, nil, and every kind of relationship, in a store and in memory.
///
/// `Thing` has an attribute of each type, called after it; `parent` and `children` among things, `parts` in an order,
/// `marks` through a table of pairs. A `Gadget` is a thing with a number more.
struct AgreementWorld {
  private(set) var twins: Twins

  /// The types that an own store keeps in columns.
  static let types = AttributeType.allCases.filter { $0 != .any && $0 != .composite }

  static func name(_ type: AttributeType) -> String { "a\(type.rawValue)" }

  static func model() throws -> Model {
    func ordered(_ relationship: Relationship) -> Property {
      var relationship = relationship
      relationship.isOrdered = true
      return .relationship(relationship)
    }
    var thing = EntityDescription("Thing", properties: types.map { .attribute(Attribute(name($0), $0)) })
    var record = Attribute("record", .composite)
    record.elements = [Attribute("text", .string), Attribute("number", .integer64), Attribute("date", .date)]
    thing.properties += [
      .attribute(record), .relationship(Relationship(toOne: "parent", "Thing", inverse: "children")),
      .relationship(Relationship(toMany: "children", "Thing", inverse: "parent")),
      ordered(Relationship(toMany: "parts", "Part", inverse: "thing")),
      ordered(Relationship(toMany: "marks", "Mark", inverse: "things")),
    ]
    let gadget = EntityDescription("Gadget", parent: "Thing", properties: [.attribute(Attribute("extra", .integer64))])
    let part = EntityDescription(
      "Part",
      properties: [
        .attribute(Attribute("label", .string)), .attribute(Attribute("number", .integer64)),
        .attribute(Attribute("weight", .double)), .attribute(Attribute("price", .decimal)),
        .relationship(Relationship(toOne: "thing", "Thing", inverse: "parts")),
        .relationship(Relationship(toOne: "mark", "Mark", inverse: "parts")),
      ])
    let mark = EntityDescription(
      "Mark",
      properties: [
        .attribute(Attribute("label", .string)),
        .relationship(Relationship(toMany: "things", "Thing", inverse: "marks")),
        .relationship(Relationship(toMany: "parts", "Part", inverse: "mark")),
      ])
    return try Model([thing, gadget, part, mark])
  }

  init(seed: UInt64, count: Int = 14) throws {
    twins = try Twins(Self.model())
    var random = SplitMix(seed: seed)
    func maybe(_ values: [Value], _ random: inout SplitMix) -> Value {
      random.below(5) == 0 ? .null : values[random.below(values.count)]
    }
    var marks: [MemoryObject] = []
    for _ in 0..<3 { marks.append(try twins.insert("Mark", ["label": maybe(Self.values(.string), &random)])) }
    var things: [MemoryObject] = []
    for index in 0..<count {
      var values: [String: Value] = [:]
      for type in Self.types { values[Self.name(type)] = maybe(Self.values(type), &random) }
      values["record"] = maybe(Self.records, &random)
      let isGadget = index % 4 == 3
      if isGadget { values["extra"] = maybe(Self.values(.integer64), &random) }
      let parent = random.below(3) == 0 || things.isEmpty ? [:] : ["parent": things[random.below(things.count)]]
      things.append(try twins.insert(isGadget ? "Gadget" : "Thing", values, toOnes: parent))
    }
    for thing in things {
      var parts: [MemoryObject] = []
      for _ in 0..<random.below(4) {
        let toOnes = random.below(3) == 0 ? [:] : ["mark": marks[random.below(marks.count)]]
        parts.append(
          try twins.insert(
            "Part",
            [
              "label": maybe(Self.values(.string), &random), "number": maybe(Self.values(.integer64), &random),
              "weight": maybe(Self.values(.double), &random), "price": maybe(Self.values(.decimal), &random),
            ], toOnes: toOnes.merging(["thing": thing]) { $1 }))
      }
      parts.sort { _, _ in random.below(2) == 0 }
      try twins.order("parts", of: thing, parts)
      for mark in marks where random.below(3) == 0 { try twins.link("Thing", "marks", thing, mark) }
    }
  }

  // MARK: Values

  /// What attributes of a type hold and are compared with.
  static func values(_ type: AttributeType) -> [Value] {
    switch type {
    case .integer16: [0, 1, -3, 7].map(Value.int)
    case .integer32: [0, 2, -100_000].map(Value.int)
    case .integer64: [0, 1, 5, -7, .max, .min, 1 << 53 + 1].map(Value.int)
    case .decimal: ["0", "1", "1.1", "-3", "12345678901234567890.5"].map { .decimal(Decimal(string: $0)!) }
    case .double: [0, 1, 5, -1.5, 0.1, 0.2, 0.30000000000000004, 1e30, 5.5].map(Value.double)
    case .float: [0, 0.5, -2.25].map(Value.double)
    case .string, .url: texts.map { type == .url ? .url($0) : .string($0) }
    case .boolean: [.bool(true), .bool(false)]
    case .date: [0, -0.5, 1_705_940_772.25, 951_782_400, 1_704_067_200, 1_735_689_599.999].map { .date(Timestamp($0)) }
    case .uuid:
      ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "00000000-0000-0000-0000-000000000000"].map {
        .uuid(UUID(uuidString: $0)!)
      }
    case .data: [.data([]), .data([1, 2]), .data([97]), .data([255])]
    case .transformable: json.map(Value.json)
    case .composite: records
    case .any: []
    }
  }

  static let texts = [
    "", "Chile", "chile", "CHILÉ", "Ōsaka", "a*b", "100%", "x'y", "Straße", "STRASSE", "ﬁn", "é", "e\u{301}", "5", "K",
    "\u{212A}", "\u{10FFFF}", "zebra", "Äpfel",
  ]

  private static let json: [JSON] = [
    .array([]), .array([.string("chile"), .string("é")]), .array([.int(5), .double(5.5), .null, .bool(true)]),
    .object(["x": .int(5), "y": .string("Chile"), "list": .array([.int(1), .string("a"), .array([.int(5)])])]),
    .object(["x": .string("5"), "y": .string("[1]"), "list": .string("abc")]), .object([:]), .string("chile"), .int(5),
  ]

  private static let records: [Value] = [
    .json(.object(["text": .string("chile"), "number": .int(5), "date": .double(0)])),
    .json(.object(["text": .string("é")])), .json(.object(["number": .int(-7), "date": .double(1_705_940_772.25)])),
  ]

  // MARK: Answers

  /// In what the store and the evaluation in memory differ; nil where they agree.
  ///
  /// A predicate that the check refuses has no answers to differ in.
  func difference(_ predicate: Queries.Predicate, _ entity: String = "Thing") -> String? {
    do { try predicate.check(in: twins.sample.entity(entity), for: .evaluation) } catch { return nil }
    do {
      let (memory, stored) = (try twins.memory(entity, predicate), try twins.stored(entity, predicate))
      if memory.yes != stored.yes { return "\(predicate): memory \(memory.yes), store \(stored.yes)" }
      if memory.no != stored.no { return "NOT \(predicate): memory \(memory.no), store \(stored.no)" }
      return nil
    } catch let error as Queries.PredicateError where error.issues.allSatisfy({ Self.isRefused($0.fact) }) {
      return nil
    } catch { return "\(predicate): \(error)" }
  }

  /// The same for the value of an expression, object by object.
  func difference(_ expression: Queries.Expression, _ entity: String = "Thing") -> String? {
    do { try expression.check(in: twins.sample.entity(entity), for: .evaluation) } catch { return nil }
    do {
      let compiled = try CompiledExpression(expression, entity: twins.sample.entity(entity))
      var request = FetchRequest(twins.sample.entity(entity))
      // As something to sort by, which has a value for each object; a column could be an aggregate of all.
      request.sortDescriptors = [Queries.SortDescriptor(expression)]
      var stored: [Int64: Value] = [:]
      try twins.sample.store.placements(of: request).readAll(restart: { stored = [:] }) {
        stored[$0.key] = $0.value(0)
      }
      for object in twins.family(entity) {
        let (memory, store) = (try compiled.value(of: object), stored[object.key] ?? .null)
        if memory.isNull != store.isNull || !memory.isNull && memory.order(store) != 0 {
          return "\(expression) of \(object.key): memory \(memory), store \(store)"
        }
      }
      return nil
    } catch let error as Queries.PredicateError where error.issues.allSatisfy({ Self.isRefused($0.fact) }) {
      return nil
    } catch { return "\(expression): \(error)" }
  }

  /// What the store refuses rather than answer otherwise than memory; nothing else may be refused.
  private static func isRefused(_ fact: Queries.PredicateError.Fact) -> Bool {
    switch fact {
    case .unsupported(.mixedDecimals), .unsupported(.aggregateOfObjects): true
    default: false
    }
  }
}
