import Modeling
import Queries
import TestSupport
import Testing

import struct Foundation.Decimal
import struct Foundation.UUID

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// The store and the evaluation in memory give the same answers: true, false and neither, for every operator, type,
/// nil and option.
@Suite(.seeded) struct EvaluatorAgreementTests {
  let twins: Twins

  init() throws {
    var twins = try Twins()
    let us = try twins.insert("Network", ["name": "us".value])
    let nn = try twins.insert("Network", ["name": .null])
    let tags = try ["a", "B", "ä"].map { try twins.insert("Tag", ["label": $0.value]) }
    var random = SplitMix(seed: 11)
    for index in 0..<30 {
      var values: [String: Value] = [:]
      for (name, candidates) in Self.values {
        if random.below(5) > 0 { values[name] = candidates[random.below(candidates.count)] }
      }
      values["code"] = "c\(index)".value
      let quake = try twins.insert(
        "Quake", values, toOnes: index % 3 == 0 ? [:] : ["network": index % 3 == 1 ? us : nn])
      for report in 0..<random.below(4) {
        try twins.insert(
          "Report",
          [
            "text": random.below(3) == 0 ? .null : ["felt", "Felt", "félt", ""][report].value,
            "score": random.below(3) == 0 ? .null : .int(Int64(report)),
            "price": random.below(3) == 0 ? .null : .decimal(Decimal(string: "1.\(report)0")!),
          ], toOnes: ["quake": quake])
      }
      for tag in tags where random.below(3) == 0 { try twins.link("Quake", "tags", quake, tag) }
    }
    self.twins = twins
  }

  private static func decimal(_ text: String) -> Value { .decimal(Decimal(string: text)!) }

  /// What the attributes of the sample hold, and are compared with.
  static let values: [String: [Value]] = [
    "magnitude": [.double(0), .double(-1.5), .double(5), .double(5.1), .double(1e300), .double(0.1)],
    "place": [
      "Chile", "chile", "CHILÉ", "Ōsaka", "", "a*b", "100%", "x'y", "Straße", "ﬁn", "é", "e\u{301}", "\u{10FFFF}",
    ].map(\.value),
    "time": [
      .date(Timestamp(0)), .date(Timestamp(-0.5)), .date(Timestamp(1_705_940_772.25)), .date(Timestamp(951_782_400)),
    ],
    "isFelt": [.bool(true), .bool(false)],
    "depth": ["0", "1.1", "1.10", "-3", "12345678901234567890.5", "5"].map(decimal),
    "count": [.int(0), .int(5), .int(-7), .int(.max), .int(.min), .int(1 << 53 + 1)],
    "uuid": [
      .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!),
      .uuid(UUID(uuidString: "00000000-0000-0000-0000-000000000000")!),
    ],
    "raw": [.data([]), .data([1, 2]), .data([255])],
    "address": [
      .json(.object(["city": .string("Rome"), "zip": .int(7)])), .json(.object(["city": .string("rome")])),
      .json(.object([:])),
      .json(
        .object([
          "city": .string("O'\"Higgins"), "zip": .int(-7), "geo": .object(["lat": .double(5), "lon": .double(-0.5)]),
          "since": .double(1_705_940_772.25), "fee": .string("1.1"), "open": .bool(true),
          "id": .string("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), "code": .string("AQI="),
        ])),
      .json(
        .object([
          "geo": .object(["lat": .double(1e300)]), "since": .double(-0.5), "fee": .string("12345678901234567890.5"),
          "open": .bool(false), "code": .string(""),
        ])),
    ],
    "info": [
      .json(.object(["x": .int(5), "y": .string("Chile")])), .json(.object(["x": .double(5.1)])),
      .json(.object(["x": .bool(true)])), .json(.array([.int(1)])),
    ],
  ]

  private func check(_ entity: String, _ predicate: Predicate, _ mismatches: inout [String]) {
    let (memory, stored): ((yes: [Int64], no: [Int64]), (yes: [Int64], no: [Int64]))
    do {
      memory = try twins.memory(entity, predicate)
      stored = try twins.stored(entity, predicate)
    } catch {
      mismatches.append("\(predicate): \(error)")
      return
    }
    if memory.yes != stored.yes { mismatches.append("\(predicate): memory \(memory.yes), store \(stored.yes)") }
    if memory.no != stored.no { mismatches.append("NOT \(predicate): memory \(memory.no), store \(stored.no)") }
  }

  private func path(_ text: String) -> Queries.Expression { .path(PropertyPath(dotted: text)) }

  @Test func comparisonsAgree() {
    var mismatches: [String] = []
    let comparators: [Comparator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
    let numbers = Self.values["magnitude"]! + Self.values["count"]! + Self.values["depth"]! + Self.values["isFelt"]!
    for (name, candidates) in Self.values {
      let isNumber = ["magnitude", "count", "depth", "isFelt"].contains(name)
      for value in (isNumber ? numbers : candidates) + [.null] {
        for comparator in comparators {
          if ["address", "info"].contains(name), comparator != .equal, comparator != .notEqual { continue }
          check("Quake", .comparison(Comparison(path(name), comparator, .constant(value))), &mismatches)
          check("Quake", .comparison(Comparison(.constant(value), comparator, path(name))), &mismatches)
        }
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.prefix(20).joined(separator: "\n"))")
  }

  @Test func attributesAgreeWithOneAnother() {
    var mismatches: [String] = []
    let numbers = ["magnitude", "count", "depth", "isFelt"]
    for left in numbers {
      for right in numbers {
        for comparator in [Comparator.equal, .notEqual, .less, .greaterOrEqual] {
          check("Quake", .comparison(Comparison(path(left), comparator, path(right))), &mismatches)
        }
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.prefix(20).joined(separator: "\n"))")
  }

  @Test func textOperatorsAgree() {
    var mismatches: [String] = []
    let patterns =
      Self.values["place"]!
      + ["CHIL", "hil", "*", "C*", "?hile", "[c]*", #"a\*b"#, ".*", "c.*", "SS", "\u{D7FF}"].map(\.value)
    let options: [ComparisonOptions] = [
      [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
      .localeSensitive,
    ]
    for comparator in Comparator.allCases where comparator != .between && comparator != .in {
      for pattern in patterns + [.null] {
        if comparator == .matches, ["*", "?hile"].map(\.value).contains(pattern) { continue }
        for option in options {
          check(
            "Quake", .comparison(Comparison(path("place"), comparator, .constant(pattern), options: option)),
            &mismatches)
        }
      }
    }
    for option in options {
      check(
        "Quake", .comparison(Comparison(.constant("chile".value), .in, path("place"), options: option)), &mismatches)
      let list = Value.list(["CHILE".value, "osaka".value])
      check("Quake", .comparison(Comparison(path("place"), .in, .constant(list), options: option)), &mismatches)
    }
    #expect(mismatches.isEmpty, "\(mismatches.prefix(20).joined(separator: "\n"))")
  }

  @Test func listsAndRangesAgree() {
    var mismatches: [String] = []
    for (name, candidates) in Self.values {
      for list in [[], Array(candidates.prefix(2)), [candidates[0], .null], [.null]] as [[Value]] {
        check("Quake", .comparison(Comparison(path(name), .in, .constant(.list(list)))), &mismatches)
      }
      guard !["address", "info"].contains(name) else { continue }
      for (low, high) in [(candidates[0], candidates[1]), (candidates[1], candidates[0]), (candidates[0], .null)] {
        check("Quake", .comparison(Comparison(path(name), .between, .constant(.list([low, high])))), &mismatches)
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.prefix(20).joined(separator: "\n"))")
  }

  @Test(arguments: [
    "network.name == 'us'", "network.name != 'us'", "network.name == nil", "network != nil", "network == nil",
    "network.quakes.@count > 3", "ANY reports.score > 0", "ALL reports.score > 0", "NONE reports.score > 0",
    "ANY reports.text CONTAINS[cd] 'FELT'", "ALL reports.text == nil", "ANY reports.text == nil",
    "NONE reports.text == ''",
    "ANY tags.label == 'a'", "ALL tags.label IN {'a', 'B'}", "tags.@count == 2", "NONE tags.label ==[cd] 'A'",
    "reports.@count == 0", "reports.@count BETWEEN {1, 2}", "reports.@sum.score > 1", "reports.@avg.score >= 1",
    "reports.@min.score == 0", "reports.@max.score == nil", "reports.@sum.price > 2.1", "reports.@max.price == 1.2",
    "reports.@min.text == 'Felt'", "reports.@distinctUnionOfObjects.text.@count > 1", "reports.text.@count > 1",
    "'felt' IN reports.text", "reports.text CONTAINS 'félt'", "ANY network.quakes.count > 4",
    "SUBQUERY(reports, $r, $r.score > 0).@count > 1",
    "SUBQUERY(reports, $r, $r.score > 0 AND $r.text != nil).@count == 1",
    "SUBQUERY(reports, $r, $r.quake == SELF AND $r.score < count).@count > 0",
    "SUBQUERY(network.quakes, $q, SUBQUERY($q.reports, $r, $r.score > 1).@count > 0).@count > 1",
    "SUBQUERY(tags, $t, ANY $t.quakes.magnitude > 4).@count > 0", "SUBQUERY(reports, $r, $r.score > 5).@count == 0",
    "SUBQUERY(tags, $t, SUBQUERY($t.quakes, $t, $t.magnitude > 1).@count > 0 AND $t.label != nil).@count > 0",
    "ALL reports.quake.magnitude > 1",
    "reports[FIRST] == nil", "reports[SIZE] > 1",
    "magnitude + count > 5", "count * 2 < 0", "count - 1 == 4", "count / 2 == 2", "-count > 0", "magnitude / 0 == nil",
    "count + count == 10", "depth + 1 == 2.1", "depth * magnitude > 1", "depth / 2 > 1", "modulus:by:(count, 3) == 2",
    "(count & 1) == 1", "abs(count) > 3", "floor(magnitude) == 5", "round(magnitude) == -2", "sqrt(magnitude) > 2",
    "2 ** count == 32",
    "length(place) == 5", "lowercase(place) == 'chile'", "uppercase(place) CONTAINS 'HI'",
    "canonical(place) == 'chile'",
    "year(time) == 2024", "month(time) == '2024-01'", "day(time) == '1969-12-31'", "hour(time) == 23",
    "minute(time) > 0",
    "second(time) == 59", "weekday(time) == 2", "time - CAST(0, 'NSDate') > 5", "time > CAST('2000-01-01', 'NSDate')",
    "time + 86400 > now()",
    "TERNARY(magnitude > 1, count, 5) == 5", "TERNARY(isFelt == YES, depth, magnitude) > 1",
    "TERNARY(place == nil, 1, 2) == 1",
    "CAST(magnitude, 'NSString') == '5.0'", "CAST(count, 'NSDecimalNumber') > 1.5", "CAST(place, 'NSNumber') == nil",
    "max({magnitude, count, 3}) > 4", "sum({magnitude, 1}) > 2", "ANY {1, 5} == count", "ALL {1, 5} != count",
    "NONE {1, 5} == count",
    "address.city == 'Rome'", "address.city ==[c] 'ROME'", "address.zip > 5", "address.zip == nil", "info.x == 5",
    "info.x > 5",
    "address.geo.lat > 1", "address.geo.lat == 5", "address.geo == nil", "address.geo.lon < 0 OR address == nil",
    "address.city == code", "address.zip IN {7, -7}", "address.zip BETWEEN {0, 8}", "address.since < now()",
    "year(address.since) == 2024", "address.since > CAST('2000-01-01', 'NSDate')", "address.fee == 1.10",
    "address.fee > 2", "address.fee == depth", "address.fee + 1 == 2.1", "address.open == YES",
    "address.id == 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'", "address.id == uuid",
    "address.code == raw", "address.code != nil", "ANY reports.quake.address.geo.lat > 1",
    "max({address.geo.lat, address.geo.lon}) == 5", "network.quakes.@max.address.geo.lat == 5",
    "network.quakes.@sum.address.fee > 1", "address.geo.lat - address.geo.lon > 5",
    "info.y CONTAINS 'hil'", "info.x == YES", "info.nope == nil", "isFelt == YES", "isFelt == 1", "isFelt > 0",
    "uuid == 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'", "uuid IN {'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'}",
    "magnitude == depth", "count > magnitude AND (isFelt == NO OR place == nil)",
    "NOT (magnitude > 1 OR isFelt == YES)",
    "TRUEPREDICATE AND magnitude > 1", "FALSEPREDICATE OR magnitude == nil", "noindex:(magnitude) > 1", "place == code",
    "place < code",
    "raw == nil OR count == 5", "(magnitude > 1) AND NOT (place BEGINSWITH 'C')", "place IN {'Chile', code}",
  ])
  func formatsAgree(_ format: String) throws {
    var mismatches: [String] = []
    check("Quake", try Predicate.parse(format), &mismatches)
    #expect(mismatches.isEmpty, "\(mismatches.joined(separator: "\n"))")
  }

  @Test func decimalsAreComparedWithDoublesOfAnySize() throws {
    var mismatches: [String] = []
    let numbers: [Double] = [
      1e300, -1e300, 1e-300, -1e-300, 1.25e200, 1.25e-200, 3.5, -3, 1e17, 123456.789, .infinity, -.infinity, .nan,
      .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ]
    for number in numbers {
      for sign in ["<", "<=", "==", "!=", ">", ">="] {
        let argument = PredicateArgument.value(.double(number))
        check("Quake", try Predicate.parse("depth \(sign) %@", arguments: [argument]), &mismatches)
        check("Quake", try Predicate.parse("%@ \(sign) depth", arguments: [argument]), &mismatches)
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.joined(separator: "\n"))")
  }

  @Test(arguments: ["place", "uuid", "isFelt", "count", "magnitude", "depth", "time", "raw"])
  func listsOfAnyLengthAgree(_ attribute: String) throws {
    var mismatches: [String] = []
    let values = try #require(Self.values[attribute])
    for count in [1, 199, 200, 201, 500] {
      for holdsNil in [false, true] {
        var list = (0..<count).map { values[$0 % max(1, values.count - 1)] }
        if holdsNil { list[count / 2] = .null }
        let comparison = Comparison(.path(PropertyPath([attribute])), .in, .constant(.list(list)))
        check("Quake", .comparison(comparison), &mismatches)
        check("Quake", .not(.comparison(comparison)), &mismatches)
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.joined(separator: "\n"))")
  }

  @Test func objectsAgree() throws {
    var mismatches: [String] = []
    let quake = try #require(twins.objects["Quake"]?[3])
    let network = try #require(twins.objects["Network"]?[0])
    let report = try #require(twins.objects["Report"]?[2])
    for (format, object) in [
      ("SELF == %@", quake), ("SELF != %@", quake), ("network == %@", network), ("network != %@", network),
      ("network IN {%@}", network), ("ANY reports == %@", report), ("%@ IN reports", report),
      ("reports CONTAINS %@", report),
      ("NONE reports == %@", report), ("SELF IN {%@}", quake), ("ANY reports.quake == %@", quake),
      ("ANY reports.quake IN {%@}", quake), ("%@ IN reports.quake", quake),
    ] {
      check("Quake", try Predicate.parse(format, arguments: [.value(.object(object.objectID))]), &mismatches)
    }
    let temporary = ObjectID(entity: network.entity, key: ObjectID.temporaryLimit)
    check("Quake", try Predicate.parse("network == %@", arguments: [.value(.object(temporary))]), &mismatches)
    #expect(mismatches.isEmpty, "\(mismatches.joined(separator: "\n"))")
  }

  @Test(arguments: [
    "magnitude", "-magnitude", "place", "depth", "-time", "count", "network.name", "reports.@count", "uuid", "raw",
    "address.city", "-address.geo.lat", "address.since", "address.fee", "address.zip",
  ])
  func sortingAgrees(_ key: String) throws {
    for comparator in SortDescriptor.StringComparator.allCases {
      var descriptor = SortDescriptor(.path(PropertyPath([""])), ascending: !key.hasPrefix("-"), comparator: comparator)
      descriptor.expression = try Expression.parse(key.hasPrefix("-") ? String(key.dropFirst()) : key)
      var request = FetchRequest(twins.sample.entity("Quake"))
      request.sortDescriptors = [descriptor]
      let order = try SortOrder([descriptor], entity: request.entity)
      let objects = twins.objects["Quake"] ?? []
      let sorted = try objects.sorted {
        let compared = try order.compare($0, $1)
        return compared != 0 ? compared < 0 : $0.key < $1.key
      }
      #expect(try twins.sample.store.keys(request) == sorted.map(\.key))
    }
  }
}
