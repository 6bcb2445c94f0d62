import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// The store and the evaluation in memory agree over paths through several to-many relationships, unions and lists.
@Suite(.seeded) struct CollectionAgreementTests {
  let twins: Twins

  init() throws {
    var twins = try Twins()
    let networks = try ["us", "jp", "nz"].map { try twins.insert("Network", ["name": $0.value]) }
    let tags = try ["a", "B", "ä"].map { try twins.insert("Tag", ["label": $0.value]) }
    var random = SplitMix(seed: 5)
    for index in 0..<24 {
      // The last network has no quake, and every third quake no network.
      let toOnes = index % 3 == 0 ? [:] : ["network": networks[index % 3 - 1]]
      let quake = try twins.insert(
        "Quake",
        [
          "code": "c\(index)".value, "magnitude": random.below(4) == 0 ? .null : .double(Double(index % 7)),
          "count": .int(Int64(random.below(6))), "isFelt": .bool(index % 2 == 0),
          "place": random.below(4) == 0 ? .null : ["Chile", "Ōsaka", "chile"][index % 3].value,
          "depth": .decimal(Decimal(index) / 4),
        ], toOnes: toOnes)
      for report in 0..<random.below(4) {
        try twins.insert(
          "Report",
          [
            "text": random.below(3) == 0 ? .null : ["felt", "Felt", "strong"][report % 3].value,
            "score": random.below(3) == 0 ? .null : .int(Int64(report)),
          ], toOnes: random.below(5) == 0 ? [:] : ["quake": quake])
      }
      for tag in tags where random.below(3) == 0 { try twins.link("Quake", "tags", quake, tag) }
    }
    self.twins = twins
  }

  private func check(_ entity: String, _ format: String) throws {
    let predicate = try Predicate.parse(format)
    let (memory, stored) = (try twins.memory(entity, predicate), try twins.stored(entity, predicate))
    #expect(memory.yes == stored.yes, "\(format)")
    #expect(memory.no == stored.no, "NOT \(format)")
  }

  @Test(arguments: [
    ("Network", "ANY quakes.reports.score > 1"), ("Network", "ALL quakes.reports.score >= 0"),
    ("Network", "NONE quakes.reports.score == 2"), ("Network", "ANY quakes.tags.label ==[c] 'b'"),
    ("Network", "ANY quakes.reports.text == nil"), ("Network", "ANY quakes.reports.text IN {'felt', 'x'}"),
    ("Network", "ANY quakes.reports.score BETWEEN {1, 2}"),
    ("Network", "NOT ANY quakes.reports.text CONTAINS[c] 'FELT'"),
    ("Network", "quakes.reports.@count > 5"), ("Network", "quakes.reports.@sum.score > 8"),
    ("Network", "quakes.@max.reports.score == 2"), ("Network", "quakes.tags.@count > 6"),
    ("Network", "quakes.reports.@avg.score > 0.8"), ("Network", "'strong' IN quakes.reports.text"),
    ("Network", "quakes.reports.text CONTAINS 'strong'"), ("Network", "quakes.reports[SIZE] > 5"),
    ("Network", "SUBQUERY(quakes.reports, $r, $r.score > 0).@count > 3"),
    ("Network", "SUBQUERY(quakes.reports, $r, $r.quake.network == SELF).@count == quakes.reports.@count"),
    ("Network", "SUBQUERY(quakes, $q, ANY $q.tags.quakes.magnitude > 5).@count > 1"),
    ("Network", "quakes.reports.@distinctUnionOfObjects.text.@count == 3"),
    ("Network", "ANY quakes.tags.quakes.reports.score > 1"), ("Network", "quakes.tags.quakes.@count > 20"),
    // A to-one that leads nowhere between two to-manys.
    ("Tag", "ANY quakes.network.quakes.magnitude > 5"), ("Tag", "quakes.network.quakes.@count > 60"),
    ("Tag", "ANY quakes.network.name == nil"), ("Tag", "ALL quakes.network.name != nil"),
    ("Tag", "quakes.network.quakes.reports.@count > 80"), ("Tag", "ALL quakes.network.quakes.count < 5"),
    // A to-one before the first.
    ("Report", "ANY quake.network.quakes.tags.label == 'B'"), ("Report", "quake.network.quakes.reports.@count > 9"),
    ("Report", "NONE quake.tags.quakes.place == 'Chile'"),
    ("Quake", "ANY tags.quakes.network.name == 'us'"), ("Quake", "ALL tags.quakes.magnitude != nil"),
  ])
  func pathsThroughSeveralToManysAreFlat(_ entity: String, _ format: String) throws { try check(entity, format) }

  @Test(arguments: [
    ("Network", "quakes.@unionOfArrays.reports.@count > 5"), ("Network", "quakes.@unionOfSets.tags.@count > 6"),
    ("Network", "quakes.@distinctUnionOfArrays.tags.label.@count == 3"),
    ("Network", "quakes.@distinctUnionOfSets.reports.text.@count < 3"),
    ("Network", "'felt' IN quakes.@unionOfArrays.reports.text"),
    ("Network", "'felt' IN quakes.@distinctUnionOfArrays.reports.text"),
    ("Network", "quakes.@unionOfArrays.reports.score CONTAINS 2"),
    ("Network", "SUBQUERY(quakes, $q, $q.count > 2).@unionOfArrays.reports.@count > 3"),
    ("Tag", "quakes.network.@unionOfArrays.quakes.@count > 60"),
  ])
  func unionsOfCollectionsAgree(_ entity: String, _ format: String) throws { try check(entity, format) }

  @Test(arguments: [
    "{1, count, 3}.@max.self > 3", "{magnitude, 5}.@avg.self > 4", "{magnitude, count}.@sum.self > 4",
    "{magnitude, count}.@min.self == 0", "{magnitude, nil}.@count == 2", "{}.@count == 0", "{}.@sum.self == 0",
    "{}.@max.self == nil", "max({}) == nil", "count({}) == 0", "{count}.@max.self == count",
    "{1, 2, 3}[1] == 2", "{1, count}[LAST] == 5", "{place, code}[FIRST] == 'Chile'", "{1, 2}[SIZE] == 2",
    "{1, 2}[5] == nil", "{}[0] == nil", "{10, 20, 30}[count] > 15", "{10, 20, 30}[count / 2.0] == 20",
    "{10, 20}[count - 3] == nil", "{place, 'x'}[reports.@count] == 'x'",
    "count IN {{1, 2}, {3}}.@unionOfArrays.self", "count IN {5, 5, nil}.@distinctUnionOfObjects.self",
    "{{1}, {1, 2}}.@distinctUnionOfArrays.self.@count == 2", "{5, 5}.@unionOfObjects.self CONTAINS count",
    "{{1, 2}, {3}}.@unionOfArrays.self.@max.self > count", "ANY {{1, 2}, {count}}.@unionOfArrays.self > 1",
    "TERNARY(isFelt == YES, network, nil).name == 'us'", "{network, nil}.name CONTAINS 'us'",
    "noindex:(network).name == 'jp'", "FUNCTION(place, 'hasPrefix:', 'C') == YES",
    "FUNCTION(tags, 'containsObject:', tags[FIRST]) == YES", "kind UTI-EQUALS 'x' OR TRUEPREDICATE",
    "FUNCTION(reports, 'valueForKeyPath:', '@max.score') > 1", "CAST(place, 'NSNumber') == nil",
  ])
  func listsAgree(_ format: String) throws {
    try check("Quake", format.replacingOccurrences(of: "kind", with: "place"))
  }

  @Test func elementsOfFlatPathsComeInTheOrderOfTheirOwners() throws {
    for (format, isLast) in [("quakes.reports[FIRST] == %@", false), ("quakes.reports[LAST] == %@", true)] {
      for network in twins.objects["Network"] ?? [] {
        let reports = (network.toManys["quakes"] ?? []).flatMap { $0.toManys["reports"] ?? [] }
        guard let report = isLast ? reports.last : reports.first else { continue }
        let argument = PredicateArgument.value(.object(report.objectID))
        let predicate = try Predicate.parse(format, arguments: [argument])
        #expect(try twins.memory("Network", predicate).yes == [network.key])
        #expect(try twins.stored("Network", predicate).yes == [network.key])
      }
    }
  }
}
