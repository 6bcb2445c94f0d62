import Modeling
import Queries
import SwiftParsing
import Testing

/// Whole declarations, as they are pasted from an app.
@Suite struct RequestReadingTests {
  /// A request in one line: entity, predicate, order, section, limits.
  private func summary(_ text: String) -> String {
    do {
      let request = try FetchRequest(swift: text, in: ReadingSample.model)
      var parts = [request.entity.name]
      if let predicate = request.predicate { parts.append("where \(predicate.format)") }
      for descriptor in request.sortDescriptors {
        let comparator = descriptor.comparator == .binary ? "" : " \(descriptor.comparator.rawValue)"
        parts.append("\(descriptor.isAscending ? "+" : "-")\(descriptor.expression.format)\(comparator)")
      }
      if let section = request.sectionIdentifier { parts.append("by \(section.format)") }
      if let limit = request.fetchLimit { parts.append("limit \(limit)") }
      if request.fetchOffset > 0 { parts.append("offset \(request.fetchOffset)") }
      return parts.joined(separator: " ")
    } catch {
      return "\(ReadingSample.mistakes(error))"
    }
  }

  @Test(arguments: [
    ("@FetchRequest(sortDescriptors: [], animation: .default) var quakes: FetchedResults<Quake>", "default"),
    ("@FetchRequest(sortDescriptors: [], animation: Animation.easeIn) var quakes: FetchedResults<Quake>", "easeIn"),
    ("@Query(animation: .spring(duration: 1)) var quakes: [Quake]", "spring(duration: 1)"),
    ("@Query(sort: \\Quake.time, animation: .none) var quakes: [Quake]", nil),
    (
      "@SectionedFetchRequest(sectionIdentifier: \\.place, sortDescriptors: [], animation: .snappy) var quakes: SectionedFetchResults<String, Quake>",
      "snappy"
    ),
  ])
  func theAnimationIsRead(text: String, animation: String?) throws {
    #expect(try FetchRequest(swift: text, in: ReadingSample.model).animation == animation)
  }

  @Test(arguments: [
    (
      """
      @FetchRequest(
          entity: Quake.entity(),
          sortDescriptors: [NSSortDescriptor(keyPath: \\Quake.time, ascending: false), SortDescriptor(\\.place, order: .reverse)],
          predicate: NSPredicate(format: "magnitude > %@", 5 as NSNumber),
          animation: .default)
      private var quakes: FetchedResults<Quake>
      """, "Quake where magnitude > 5 -time -place standard"
    ),
    ("@FetchRequest(sortDescriptors: []) var quakes: FetchedResults<Quake>", "Quake"),
    (
      "@FetchRequest(sortDescriptors: [SortDescriptor(\\.place, comparator: .lexical)]) private var quakes: FetchedResults<Quake>",
      "Quake +place"
    ),
    (
      "@FetchRequest(sortDescriptors: [NSSortDescriptor(key: \"place\", ascending: true, selector: #selector(NSString.localizedStandardCompare(_:)))]) var q: FetchedResults<Quake>",
      "Quake +place standard"
    ),
    (
      """
      @SectionedFetchRequest<String, Quake>(sectionIdentifier: \\.day, sortDescriptors: [SortDescriptor(\\.day), SortDescriptor(\\.time)],
          predicate: NSPredicate(value: true))
      private var quakes: SectionedFetchResults<String, Quake>
      """, "Quake where TRUEPREDICATE +day standard +time by day"
    ),
    (
      "@Query(filter: #Predicate<Quake> { $0.magnitude > 5 }, sort: \\Quake.time, order: .reverse, animation: .default) var quakes: [Quake]",
      "Quake where magnitude > 5 -time"
    ),
    ("@Query var quakes: [Quake]", "Quake"), ("@Query private var quakes: [Quake]", "Quake"),
    ("@Query(sort: [SortDescriptor(\\Quake.time)], sectionBy: \\.day) var quakes: [Quake]", "Quake +time by day"),
    ("@Query(sort: \\Quake.station?.name) var quakes: [Quake]", "Quake +station.name"),
    (
      "@Query(FetchDescriptor<Quake>(predicate: #Predicate { $0.felt > 1 }, sortBy: [.init(\\.time, order: .reverse)])) var quakes: [Quake]",
      "Quake where felt > 1 -time"
    ),
    (
      """
      var descriptor = FetchDescriptor<Quake>(predicate: #Predicate { $0.felt > minimum }, sortBy: [SortDescriptor(\\.time)])
      descriptor.fetchLimit = 10
      descriptor.fetchOffset = 5
      descriptor.includePendingChanges = false
      """, "Quake where felt > $minimum +time limit 10 offset 5"
    ),
    ("FetchDescriptor<Quake>()", "Quake"), ("#Predicate<Quake> { $0.felt > 1 }", "Quake where felt > 1"),
    (
      """
      let request = NSFetchRequest<Quake>(entityName: "Quake")
      request.predicate = NSPredicate(format: "felt > %d", 1)
      request.sortDescriptors = [NSSortDescriptor(key: "time", ascending: false)]
      request.fetchLimit = 3
      """, "Quake where felt > 1 -time limit 3"
    ),
    ("let request: NSFetchRequest<Quake> = Quake.fetchRequest()\nrequest.fetchLimit = 2", "Quake limit 2"),
    ("let request = NSFetchRequest<NSFetchRequestResult>(entityName: \"Report\")", "Report"),
    (
      """
      struct QuakeList: View {
          static let request: NSFetchRequest<Quake> = {
              let request = NSFetchRequest<Quake>(entityName: "Quake")
              request.fetchLimit = 20
              return request
          }()
          @Environment(\\.managedObjectContext) private var context
          @FetchRequest(fetchRequest: Self.request, animation: .default) private var quakes: FetchedResults<Quake>
          @State private var count = 0

          var body: some View {
              List(quakes) { quake in Text("\\(quake.place ?? "?")") }
                  .toolbar { Button("Add") { count += 1 / 2 } }
          }
      }
      """, "Quake limit 20"
    ),
    (
      """
      struct QuakeList: View {
          @FetchRequest private var quakes: FetchedResults<Quake>
          init(minimum: Double) {
              _quakes = FetchRequest(sortDescriptors: [SortDescriptor(\\.time)], predicate: NSPredicate(format: "magnitude > %@", minimum as NSNumber))
          }
      }
      """, "Quake where magnitude > $minimum +time"
    ),
    (
      """
      @Query private var quakes: [Quake]
      init(minimum: Double) {
          _quakes = Query(filter: #Predicate<Quake> { $0.magnitude > minimum }, sort: \\.time)
      }
      """, "Quake where magnitude > $minimum +time"
    ),
    (
      """
      func strong(minimum: Double) -> FetchDescriptor<Quake> {
          let predicate = #Predicate<Quake> { $0.magnitude > minimum }
          var descriptor = FetchDescriptor(predicate: predicate)
          descriptor.sortBy = [SortDescriptor(\\.time)]
          return descriptor
      }
      """, "Quake where magnitude > $minimum +time"
    ),
  ])
  func aDeclarationIsRead(_ text: String, _ expected: String) {
    #expect(summary(text) == expected)
  }

  @Test func everyPropertyIsSet() throws {
    let request = try FetchRequest(
      swift: """
        let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["place", \\Quake.day]
        request.propertiesToGroupBy = ["place"]
        request.havingPredicate = NSPredicate(format: "place != nil")
        request.returnsDistinctResults = true
        request.includesSubentities = false
        request.includesPendingChanges = false
        request.includesPropertyValues = false
        request.returnsObjectsAsFaults = false
        request.fetchBatchSize = 50
        request.relationshipKeyPathsForPrefetching = ["reports"]
        """, in: ReadingSample.model)
    #expect(request.resultType == .dictionaries)
    #expect(request.propertiesToFetch.map(\.name) == ["place", "day"])
    #expect(request.propertiesToGroupBy.map(\.description) == ["place"])
    #expect(request.havingPredicate?.format == "place != nil")
    #expect(request.returnsDistinctResults && !request.includesSubentities && !request.includesPendingChanges)
    #expect(!request.includesPropertyValues && !request.returnsObjectsAsFaults && request.fetchBatchSize == 50)
    #expect(request.relationshipKeyPathsForPrefetching.map(\.text) == ["reports"])
  }

  @Test func columnsThatAreComputedAreRead() throws {
    let request = try FetchRequest(
      swift: """
        let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
        let greatest = NSExpression(forKeyPath: #keyPath(Quake.magnitude))
        let column = NSExpressionDescription()
        column.name = "greatest"
        column.expression = NSExpression(forFunction: "max:", arguments: [greatest])
        column.expressionResultType = .doubleAttributeType
        let number = NSExpressionDescription()
        number.name = "n"
        number.expression = .init(forFunction: "count:", arguments: [NSExpression.expressionForEvaluatedObject()])
        request.propertiesToFetch = ["place", column, number]
        request.propertiesToGroupBy = ["place"]
        request.resultType = .dictionaryResultType
        """, in: ReadingSample.model)
    #expect(request.propertiesToFetch.map(\.name) == ["place", "greatest", "n"])
    #expect(request.propertiesToFetch.map(\.expression.description) == ["place", "max(magnitude)", "count(SELF)"])
    #expect(throws: SwiftReadingError.self) {
      try FetchRequest(
        swift:
          "let c = NSExpressionDescription()\nlet r = NSFetchRequest<NSDictionary>(entityName: \"Quake\")\nr.propertiesToFetch = [c]",
        in: ReadingSample.model)
    }
  }

  @Test func oneOfSeveralRequestsIsReadByItsName() throws {
    let text = """
      extension Quake {
          static func recent() -> NSFetchRequest<Quake> {
              let request = NSFetchRequest<Quake>(entityName: "Quake")
              request.fetchLimit = 7
              return request
          }
      }
      @Query(sort: \\Quake.time) var quakes: [Quake]
      @Query(sort: \\Report.score) var reports: [Report]
      """
    #expect(try FetchRequest(swift: text, in: ReadingSample.model, named: "reports").entity.name == "Report")
    #expect(try FetchRequest(swift: text, in: ReadingSample.model, named: "recent").fetchLimit == 7)
    do {
      _ = try FetchRequest(swift: text, in: ReadingSample.model, named: "report")
    } catch {
      #expect(error.issues.map(\.fact) == [.unknownRequest("report", nearest: "reports")])
    }
  }

  @Test(arguments: [
    ("@Query var quakes: [Quak]", #"["unknownEntity(\"Quak\", nearest: Optional(\"Quake\")) at <[Quak]>"]"#),
    (
      "let request = NSFetchRequest<Quake>(entityName: \"Quak\")",
      #"["unknownEntity(\"Quak\", nearest: Optional(\"Quake\")) at <\"Quak\">"]"#
    ),
    (
      "@Query(sort: \\Report.score) var quakes: [Quake]",
      #"["wrongEntity(\"Report\", expected: \"Quake\") at <Report>"]"#
    ),
    (
      "@Query var a: [Quake]\n@Query var b: [Report]",
      #"["severalRequests([\"a\", \"b\"]) at <@Query var a: [Quake]>"]"#
    ),
    (
      "let request = NSFetchRequest<Quake>(entityName: \"Quake\")\nrequest.fetchLimt = 3",
      #"["unknownRequestProperty(\"fetchLimt\", nearest: Optional(\"fetchLimit\")) at <request.fetchLimt>"]"#
    ),
    ("NSPredicate(format: \"a == 1\")", #"["noRequest at <NSPredicate(format: \"a == 1\")>"]"#),
    (
      "@FetchRequest(sortDescriptors: sorting) var quakes: FetchedResults<Quake>",
      #"["notAConstant(\"sorting\") at <sorting>"]"#
    ),
    ("FetchDescriptor()", #"["missingEntity at <FetchDescriptor()>"]"#),
  ])
  func whatIsWrongIsToldWithItsPlace(_ text: String, _ expected: String) {
    #expect(summary(text) == expected)
  }

  @Test func aWrongKeyPathIsToldWithItsPlace() {
    let mistake = summary("@Query(sort: \\Quake.tiem) var quakes: [Quake]")
    #expect(mistake.contains("unknownProperty") && mistake.hasSuffix("at <tiem>\"]"))
  }
}
