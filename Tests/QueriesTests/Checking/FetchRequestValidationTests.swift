import Modeling
import Queries
import Testing

/// Which requests fit together.
@Suite struct FetchRequestValidationTests {
  private func request(_ change: (inout FetchRequest) throws -> Void) rethrows -> FetchRequest {
    var request = FetchRequest(Sample.quake)
    try change(&request)
    return request
  }

  @Test func aWholeRequestIsAccepted() throws {
    try request {
      $0.predicate = try Predicate.parse("magnitude > 5")
      $0.sortDescriptors = [SortDescriptor("-time"), SortDescriptor("station.name"), SortDescriptor("size")]
      $0.relationshipKeyPathsForPrefetching = [PropertyPath(dotted: "reports.author")]
    }.validate()
  }

  @Test func groupsAreAccepted() throws {
    let grouped = try request {
      $0.resultType = .dictionaries
      $0.propertiesToGroupBy = [.path(PropertyPath(["place"]))]
      $0.propertiesToFetch = [
        FetchedColumn("place", .path(PropertyPath(["place"]))), try FetchedColumn("n", parsing: "count"),
        try FetchedColumn("biggest", parsing: "max(magnitude)"),
      ]
      $0.havingPredicate = try Predicate.parse("n > 5 AND $biggest > 3 AND sum(count) > 1 AND place != nil")
      $0.sortDescriptors = [SortDescriptor("-n")]
    }
    try grouped.validate()
    #expect(
      grouped.resolvedHavingPredicate?.format
        == "count(SELF) > 5 AND max(magnitude) > 3 AND sum(count) > 1 AND place != nil")
  }

  @Test func aMistakeInAKeyOfGroupsIsToldOnce() throws {
    let key = try Expression.parse("year(place)")
    let grouped = try request {
      $0.resultType = .dictionaries
      $0.propertiesToGroupBy = [key]
      $0.propertiesToFetch = [FetchedColumn("year(place)", key), try FetchedColumn("n", parsing: "count")]
      $0.sortDescriptors = [SortDescriptor(key)]
    }
    #expect(mistakes { try grouped.validate() }.count == 1)
  }

  @Test func everyMistakeIsToldAtOnce() throws {
    let wrong = try request {
      $0.predicate = try Predicate.parse("magnitud > 5")
      $0.sortDescriptors = [
        SortDescriptor("-tiem"), SortDescriptor("reports.score"), SortDescriptor("info"), SortDescriptor("station"),
      ]
      $0.fetchLimit = -1
      $0.relationshipKeyPathsForPrefetching = [PropertyPath(dotted: "place")]
      $0.havingPredicate = try Predicate.parse("count(SELF) > 1")
    }
    #expect(
      mistakes { try wrong.validate() } == [
        "unknownProperty(\"magnitud\", entity: \"Quake\", nearest: Optional(\"magnitude\")) at <magnitud>",
        "unknownProperty(\"tiem\", entity: \"Quake\", nearest: Optional(\"time\")) at <tiem>",
        "toManyWithoutQuantifier(\"reports.score\") at <reports.score>",
        "wrongOperand(function: \"sort\", expected: \"an attribute with an order\", found: \"info (Transformable)\", instead: nil) at <info>",
        "wrongOperand(function: \"sort\", expected: \"an attribute with an order\", found: \"station (Station)\", instead: nil) at <station>",
        "negativeCount(property: \"fetchLimit\", -1)",
        "havingWithoutGroups",
        "notARelationship(\"place\", entity: \"Quake\", type: Modeling.AttributeType.string, instead: nil)",
      ])
  }

  @Test func columnsAreGroupedOrAggregated() throws {
    let wrong = try request {
      $0.resultType = .dictionaries
      $0.propertiesToGroupBy = [.path(PropertyPath(["place"]))]
      $0.propertiesToFetch = [
        try FetchedColumn("m", parsing: "magnitude"), try FetchedColumn("m", parsing: "max(depth)"),
      ]
    }
    #expect(
      mistakes { try wrong.validate() } == [
        "sameColumns(\"m\")",
        "outsideGroup(\"magnitude\") at <magnitude>",
      ])
  }
}
