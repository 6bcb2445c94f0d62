import Modeling
import Queries
import TestSupport
import Testing

@Suite(.seeded)
struct RefusedRequestTests {
  /// The rules that are about more than the predicate.
  static let ids: Set<String> = [
    "localized-sort-scan", "sort-by-transient", "sort-by-to-many", "sort-by-expression", "section-without-order",
    "section-order", "limit-without-order", "object-id-order", "dictionaries-and-pending-changes", "group-by-self",
    "column-outside-of-group", "count-of-to-one-with-subentities", "group-count-of-many-to-many",
  ]

  private func ids(_ change: (inout FetchRequest) throws -> Void) rethrows -> [String] {
    var request = FetchRequest(Shop.article)
    try change(&request)
    return request.refusals().map(\.rule.id)
  }

  private func sort(_ text: String) throws -> SortDescriptor { SortDescriptor(try Expression.parse(text)) }

  @Test func sortKeysAreStoredAttributesOnPathsOfToOnes() throws {
    #expect(try ids { $0.sortDescriptors = [try sort("note")] } == ["sort-by-transient"])
    #expect(try ids { $0.sortDescriptors = [try sort("ratings.score")] } == ["sort-by-to-many"])
    #expect(try ids { $0.sortDescriptors = [try sort("ratings.@count")] } == ["sort-by-to-many"])
    #expect(try ids { $0.sortDescriptors = [try sort("price * 2")] } == ["sort-by-expression"])
    #expect(try ids { $0.sortDescriptors = [try sort("tags")] } == ["transformable-content"])
    #expect(try ids { $0.sortDescriptors = [try sort("maker.name"), try sort("price")] }.isEmpty)
  }

  @Test func anOrderForPeopleOfALocaleIsSlowOneByBytesOrCaseIsNotTold() throws {
    for comparator in SortDescriptor.StringComparator.allCases {
      let found = ids { $0.sortDescriptors = [SortDescriptor(.path(PropertyPath(["name"])), comparator: comparator)] }
      #expect(found == ([.localized, .standard].contains(comparator) ? ["localized-sort-scan"] : []))
    }
  }

  @Test func sectionsGoWithTheFirstSortDescriptor() throws {
    let name = Expression.path(PropertyPath(["name"]))
    #expect(ids { $0.sectionIdentifier = name } == ["section-without-order"])
    let other = try sort("price")
    #expect(ids { ($0.sectionIdentifier, $0.sortDescriptors) = (name, [other]) } == ["section-order"])
    #expect(ids { ($0.sectionIdentifier, $0.sortDescriptors) = (name, [SortDescriptor(name)]) }.isEmpty)
  }

  @Test func aLimitNeedsAnOrder() throws {
    #expect(ids { $0.fetchLimit = 5 } == ["limit-without-order"])
    #expect(ids { $0.fetchOffset = 5 } == ["limit-without-order"])
    #expect(ids { $0.fetchLimit = 0 }.isEmpty)
    let price = try sort("price")
    #expect(ids { ($0.fetchLimit, $0.sortDescriptors) = (5, [price]) }.isEmpty)
  }

  @Test func objectIDsWithoutValuesHaveNoCertainOrder() throws {
    let price = try sort("price")
    func found(_ readsValues: Bool) -> [String] {
      ids { request in
        request.resultType = .objectIDs
        request.sortDescriptors = [price]
        request.includesPropertyValues = readsValues
      }
    }
    #expect(found(false) == ["object-id-order"])
    #expect(found(true).isEmpty)
  }

  private func grouped(
    by keys: [String], _ columns: [FetchedColumn], includesPendingChanges: Bool = false
  ) -> [String] {
    ids { request in
      request.resultType = .dictionaries
      request.includesPendingChanges = includesPendingChanges
      request.propertiesToGroupBy = keys.map { .path(PropertyPath(dotted: $0)) }
      request.propertiesToFetch = columns
    }
  }

  @Test func dictionariesLeaveUnsavedChangesOut() {
    let name = FetchedColumn("name", .path(PropertyPath(["name"])))
    #expect(grouped(by: [], [name], includesPendingChanges: true) == ["dictionaries-and-pending-changes"])
    #expect(grouped(by: [], [name]).isEmpty)
  }

  @Test func groupsAreByKeyPathsAndTheirColumnsAreAmongTheseOrAggregates() throws {
    let count = try FetchedColumn("n", parsing: "count")
    #expect(grouped(by: ["self"], [count]) == ["group-by-self"])
    #expect(
      grouped(by: ["name"], [FetchedColumn("price", .path(PropertyPath(["price"])))]) == ["column-outside-of-group"])
    #expect(try grouped(by: ["name"], [FetchedColumn("top", parsing: "max(price)"), count]).isEmpty)
  }

  @Test func whatIsCountedHasOneColumnAndNoTableBetween() throws {
    #expect(
      try grouped(by: ["name"], [FetchedColumn("n", parsing: "count(maker)")]) == ["count-of-to-one-with-subentities"])
    #expect(
      try grouped(by: ["name"], [FetchedColumn("n", parsing: "count(shelves)")]).contains("group-count-of-many-to-many")
    )
    #expect(try grouped(by: ["name"], [FetchedColumn("n", parsing: "count(code)")]).isEmpty)
  }

  @Test func functionsOfThisLanguageAreFoundInColumnsToo() throws {
    #expect(try grouped(by: ["name"], [FetchedColumn("n", parsing: "median(price)")]) == ["statistics-function"])
    #expect(try grouped(by: ["name"], [FetchedColumn("n", parsing: "max(year(added))")]) == ["own-function"])
  }
}
