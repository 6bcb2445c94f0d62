import Modeling
import Queries
import Testing

import struct Foundation.Decimal

/// Predicates of the proof's model that are printed and read back: each form of clause, with arguments, bound names and
/// variables.
struct RoundTripCorpus {
  /// A predicate with the values of the variables that it still has.
  struct Sample: CustomTestStringConvertible, Sendable {
    var format: String
    var arguments: [Value] = []
    var bound: [String: Value] = [:]
    var free: [String: Value] = [:]

    init(
      _ format: String, _ arguments: Value..., bound: [String: Value] = [:], free: [String: Value] = [:]
    ) {
      (self.format, self.arguments, self.bound, self.free) = (format, arguments, bound, free)
    }

    var testDescription: String { format }

    func predicate() throws -> Queries.Predicate {
      let predicate = try Queries.Predicate.parse(format, arguments: arguments.map { .value($0) })
      return bound.isEmpty ? predicate : try predicate.bind(bound)
    }
  }

  private static let date = Value.date(Timestamp(1_704_067_200.5))
  private static let uuid = Value.uuid(ProofObject.uuid(1))
  private static let station = Value.object(ObjectID(entity: ProofModel.entity("Station"), key: 2))

  /// What both forms can say.
  static let common: [Sample] = [
    Sample("magnitude >= 5"), Sample("magnitude > %@", .int(5)), Sample("magnitude > %@", .double(5.5)),
    Sample("magnitude < -0.5"), Sample("5 < magnitude"), Sample("count == 7"), Sample("felt != 12"),
    Sample("felt != nil AND NOT felt == 12"), Sample("NOT felt > 0"),
    Sample("magnitude < %@", .double(.infinity)), Sample("depth > %@", .double(-.infinity)),
    Sample("NOT (felt > 0 OR depth < 10)"),
    Sample("depth >= $least", bound: ["least": .double(5.5)]), Sample("depth >= $least", free: ["least": .double(5.5)]),
    Sample("count BETWEEN {1, 7}"), Sample("depth BETWEEN {%@, %@}", .int(0), .double(10.5)),
    Sample("time BETWEEN {%@, %@}", .date(Timestamp(0)), date), Sample("count IN {0, 1, -3}"),
    Sample("felt IN %@", .list([.int(1), .int(-5)])), Sample("code IN {'us1', 'us2', 'a \"b\"'}"),
    Sample("code IN $codes", bound: ["codes": .list([.string("us1"), .string("ci3")])]),
    Sample("place IN %@", .list([.string("Chile"), .string("東京")])),
    Sample("code == 'us1'"), Sample("place == %@", .string("10% \"near\" \\x")), Sample("place CONTAINS 'Chile'"),
    Sample("place CONTAINS[cd] 'CHILE'"), Sample("place BEGINSWITH %@", .string("Off")),
    Sample("place CONTAINS code"), Sample("code LIKE 'us*'"), Sample("place LIKE '*Chile*'"),
    Sample("code LIKE 'c??'"), Sample("code MATCHES 'us[0-9]'"), Sample("place MATCHES '(Chile|.*b)'"),
    Sample("code ==[c] 'US1'"), Sample("place ==[c] %@", .string("chile")), Sample("code !=[c] 'US1'"),
    Sample("length(place) > 4"), Sample("place == nil"), Sample("place != nil"), Sample("place == ''"),
    Sample("confirmed == YES"), Sample("tsunami == NO"), Sample("tsunami != YES"),
    Sample("tsunami != 1"), Sample("tsunami != 0"), Sample("tsunami == 1"), Sample("tsunami != 5"),
    Sample("tsunami == nil"),
    Sample("time > %@", date), Sample("time > $since", bound: ["since": date]),
    Sample("time > $since AND time < $end", free: ["since": .date(Timestamp(0)), "end": date]),
    Sample("year(time) == 2024"), Sample("month(updated) != '2024-01'"), Sample("day(time) >= '2024-01-01'"),
    Sample("uuid == %@", uuid), Sample("uuid IN {%@, %@}", uuid, .uuid(ProofObject.uuid(2))),
    Sample("link == %@", .url("https://example.org/1")), Sample("bytes == %@", .data([1, 2])),
    Sample("price >= %@", .decimal(1.5)), Sample("price == $price", bound: ["price": .decimal(Decimal(-25))]),
    Sample("price + 1 > 2"), Sample("count + felt > 2"), Sample("felt * 2 < count - 3"), Sample("-felt > 0"),
    Sample("modulus:by:(felt, 3) == 1"), Sample("magnitude - depth > 0"), Sample("depth < magnitude"),
    Sample("station == nil"), Sample("station != nil AND count > 0"), Sample("station.name == 'Base'"),
    Sample("station.town == nil"), Sample("station.height > 0"), Sample("NOT station.height > 0"),
    Sample("station == $station", free: ["station": station]), Sample("#in == 2"), Sample("ratio == 0.5"),
    Sample("small > 100000"), Sample("medium < %@", .int(-1)), Sample("ANY reports.score > 3"),
    Sample("ALL reports.score > 3"), Sample("NONE reports.text == nil"), Sample("NOT ANY reports.rating > 2"),
    Sample("ANY reports.author.name == 'Ann'"), Sample("ALL reports.author.age > 18"),
    Sample("ANY reports.score > count"),
    Sample("reports.@count > 2"), Sample("reports.@count == 0"), Sample("reports.@max.score >= 7"),
    Sample("reports.@min.score >= 2"), Sample("SUBQUERY(reports, $r, $r.score > 3).@count > 0"),
    Sample("SUBQUERY(reports, $r, $r.score > 3 AND $r.text != nil).@count == 2"),
    Sample("SUBQUERY(reports, $r, $r.score > count OR $r.author.age == %@).@count != 0", .int(40)),
    Sample("TERNARY(confirmed == YES, count, felt) > 0 OR magnitude > 5 OR (felt == 1 AND NOT code == 'x')"),
    Sample("magnitude > 1 AND (count > 0 OR felt > 0) AND code != 'x' AND place != nil AND depth > 0"),
    Sample("TRUEPREDICATE"), Sample("FALSEPREDICATE"),
  ]

  /// What `NSPredicate` alone can say.
  static let formatOnly: [Sample] = [
    Sample("place ENDSWITH 'Chile'"), Sample("place CONTAINS[c] %@", .string("50%")),
    Sample("place BEGINSWITH[cd] 'off'"), Sample("place LIKE[c] '*CHILE?'"), Sample("place MATCHES[c] 'off.*'"),
    Sample("lowercase(code) == 'us1'"), Sample("reports.@sum.score > 3"), Sample("reports.@avg.rating > 1.5"),
    Sample("felt IN {1, nil, 12}"), Sample("count & 1 == 1"), Sample("abs(felt) > 2"), Sample("felt ** 2 > 3"),
    Sample("TERNARY(felt > 0, felt, 3) == 3"), Sample("CAST(felt, 'NSString') == '12'"),
    Sample("time < now()"), Sample("%@ IN reports.text", .string("us1")), Sample("depth == %@", .null),
    Sample("place CONTAINS \"it's\""), Sample("place == \"line\\nbreak \\\\ tab\\t\""),
    Sample("ANY reports.@distinctUnionOfObjects.score > 3"), Sample("reports[SIZE] > 1"),
    Sample("station.name IN $names", free: ["names": .list([.string("Base")])]),
  ]
}
