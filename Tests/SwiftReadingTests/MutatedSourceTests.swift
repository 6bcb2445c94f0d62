import Foundation
import Modeling
import Queries
import SwiftParsing
import Testing

/// All that a text says of a request is read or refused: a label or a property that is misspelled or left out is noticed.
@Suite struct MutatedSourceTests {
  private static let samples = [
    #"""
    @FetchRequest(
        entity: Quake.entity(),
        sortDescriptors: [NSSortDescriptor(keyPath: \Quake.time, ascending: false)],
        predicate: NSPredicate(format: "magnitude > %@", minimum as NSNumber),
        animation: .easeIn)
    private var quakes: FetchedResults<Quake>
    """#,
    #"""
    @FetchRequest(sortDescriptors: [SortDescriptor(\.place, comparator: .lexical, order: .reverse)], transaction: Transaction(animation: .easeIn))
    private var quakes: FetchedResults<Quake>
    """#,
    #"""
    @SectionedFetchRequest<String, Quake>(
        sectionIdentifier: \.day,
        sortDescriptors: [SortDescriptor(\.day), SortDescriptor(\.time, order: .reverse)],
        predicate: .init(format: "felt IN %@", argumentArray: [[1, 2]]),
        animation: .default)
    private var quakes: SectionedFetchResults<String, Quake>
    """#,
    #"""
    @Query private var quakes: [Quake]
    init(minimum: Double) {
        _quakes = .init(filter: #Predicate<Quake> { $0.magnitude > minimum }, sort: \.time, order: .reverse, animation: .bouncy)
    }
    """#,
    #"""
    extension Quake {
        static let strong: NSFetchRequest<Quake> = {
            let request = NSFetchRequest<Quake>(entityName: "Quake")
            request.predicate = NSPredicate(format: "magnitude > 5")
            request.sortDescriptors = [NSSortDescriptor(key: "place", ascending: false, selector: #selector(NSString.localizedStandardCompare(_:)))]
            request.fetchLimit = 10
            request.fetchOffset = 5
            request.fetchBatchSize = 20
            request.includesSubentities = false
            request.includesPendingChanges = false
            request.includesPropertyValues = false
            request.returnsObjectsAsFaults = false
            request.shouldRefreshRefetchedObjects = true
            request.relationshipKeyPathsForPrefetching = ["reports"]
            return request
        }()
    }
    @FetchRequest(fetchRequest: Quake.strong, animation: .snappy)
    private var quakes: FetchedResults<Quake>
    """#,
    #"""
    let request = NSFetchRequest<NSDictionary>(entityName: "Quake")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["place"]
    request.propertiesToGroupBy = ["place"]
    request.havingPredicate = NSPredicate(format: "place != nil")
    request.returnsDistinctResults = true
    """#,
    #"""
    var descriptor = FetchDescriptor<Quake>(predicate: #Predicate { $0.felt > minimum }, sortBy: [SortDescriptor(\.time)])
    descriptor.fetchLimit = 10
    descriptor.includePendingChanges = false
    """#,
    #"""
    let request: NSFetchRequest<Quake> = Quake.fetchRequest()
    var predicates: [NSPredicate] = [NSPredicate(format: "felt > 1")]
    if !search.isEmpty {
        predicates.append(NSPredicate(format: "place CONTAINS %@", search))
    }
    predicates.append(NSPredicate(format: "isReviewed == YES"))
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
    request.sortDescriptors = [NSSortDescriptor(key: "day", ascending: false)]
    let controller = NSFetchedResultsController(fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "day", cacheName: nil)
    """#,
    #"""
    let request = NSFetchRequest<NSFetchRequestResult>()
    request.entity = NSEntityDescription.entity(forEntityName: "Quake", in: context)
    request.predicate = search.isEmpty ? nil : NSPredicate(format: "place CONTAINS %@", search)
    """#,
    #"""
    @FetchRequest(sortDescriptors: [SortDescriptor(\.time)])
    private var quakes: FetchedResults<Quake>
    quakes.nsPredicate = NSCompoundPredicate(type: .or, subpredicates: [NSPredicate(value: false), NSPredicate(format: "felt > 1")])
    $quakes.sortDescriptors.wrappedValue = [.init(\Quake.time, order: .reverse)]
    """#,
  ]

  /// What a text is read as; nil for an error.
  private func request(_ text: String, _ model: Model) -> FetchRequest? { try? FetchRequest(swift: text, in: model) }

  private func expectSeen(_ mutations: [SourceMutation], of text: String, _ model: Model) throws {
    let original = try FetchRequest(swift: text, in: model)
    #expect(!mutations.isEmpty)
    for mutation in mutations where mutation.text != text {
      #expect(request(mutation.text, model) != original, "\(mutation) is not seen:\n\(mutation.text)")
    }
  }

  @Test(arguments: samples)
  func aLabelThatIsMisspelledOrLeftOutIsSeen(text: String) throws {
    let mutations = SourceMutation.ofLabels(text)
    try expectSeen(mutations, of: text, ReadingSample.model)
  }

  @Test(arguments: samples.filter { $0.contains("\n    request.") || $0.contains("\nrequest.") || $0.contains(" = ") })
  func aStatementThatIsMisspelledOrLeftOutIsSeen(text: String) throws {
    let mutations = SourceMutation.ofTargets(text) + SourceMutation.ofStatements(text)
    guard !mutations.isEmpty else { return }
    try expectSeen(mutations, of: text, ReadingSample.model)
  }

  @Test(.enabled(if: SeedSource.areThere, "needs ../shared/seeds"))
  func whatDocumentsSayOfARequestIsSeen() throws {
    let pieces = try SeedSource.pieces()
    #expect(pieces.count >= 9)
    for piece in pieces {
      let labels = SourceMutation.ofLabels(piece)
      // A predicate of nil is what a request has without one.
      let targets = SourceMutation.ofTargets(piece).filter { !$0.description.contains("let ") }
      try expectSeen(labels + targets, of: piece, SeedSource.model)
    }
  }

  @Test(arguments: [
    ("configure(&request)", #"notRead("&request") at <&request>"#),
    ("configure(request)", #"notRead("configure(request)") at <configure(request)>"#),
    (
      "request.setValue(5, forKey: \"fetchLimit\")",
      #"notRead("request.setValue(5, forKey: \"fetchLimit\")") at <request.setValue(5, forKey: "fetchLimit")>"#
    ),
    ("request.affectedStores = [store]", #"notRead("request.affectedStores") at <request.affectedStores>"#),
    (
      "request.sortDescriptors?.append(other)",
      #"notRead("request.sortDescriptors?.append(other)") at <request.sortDescriptors?.append(other)>"#
    ),
    ("context.perform { request.fetchLimit = 3 }", #"notRead("request.fetchLimit = 3") at <request.fetchLimit = 3>"#),
    (
      "for place in places { request.predicate = nil }",
      #"notRead("for") at <for place in places { request.predicate = nil }>"#
    ),
    (
      "switch scope { default: request.fetchLimit = 3 }",
      #"notRead("switch") at <switch scope { default: request.fetchLimit = 3 }>"#
    ),
    (
      "if isShort { request.fetchLimit = 3 }",
      #"dependsOnCondition("request") at <if isShort { request.fetchLimit = 3 }>"#
    ),
    ("request.fetchLimit = limit", #"notAConstant("limit") at <limit>"#),
    ("request.sortDescriptors = sorting", #"notAConstant("sorting") at <sorting>"#),
    ("request.predicate = make()", #"notAConstant("make()") at <make()>"#),
    ("request = other", #"notAConstant("other") at <other>"#),
  ])
  func aStatementThatMayChangeARequestIsRefused(statement: String, mistake: String) {
    let text = "var request = NSFetchRequest<Quake>(entityName: \"Quake\")\n" + statement
    do {
      let request = try FetchRequest(swift: text, in: ReadingSample.model)
      Issue.record("\(statement) is read: \(request)")
    } catch {
      #expect(ReadingSample.mistakes(error) == [mistake])
    }
  }

  @Test(arguments: [
    "let found = try context.fetch(request)", "print(request)", "try request.execute()",
    "guard let first = try context.fetch(request).first else { return }",
    "do { try context.fetch(request) } catch { print(error) }", "import CoreData",
    "for place in places { print(place) }",
    "let count = try context.count(for: request)",
  ])
  func aStatementThatOnlyReadsARequestIsNotInTheWay(statement: String) throws {
    let text = "let request = NSFetchRequest<Quake>(entityName: \"Quake\")\nrequest.fetchLimit = 3\n" + statement
    #expect(try FetchRequest(swift: text, in: ReadingSample.model).fetchLimit == 3)
  }

  @Test(arguments: [
    ("@FetchRequest(fetchRequest: Quake.strong) var quakes: FetchedResults<Quake>", "Quake.strong"),
    (
      "@SectionedFetchRequest(fetchRequest: Quake.all, sectionIdentifier: \\.day) var quakes: SectionedFetchResults<String, Quake>",
      "Quake.all"
    ),
    ("@Query(Self.descriptor) var quakes: [Quake]", "Self.descriptor"),
    ("quakes.nsPredicate = nil", "quakes"),
  ])
  func aRequestThatIsNotDeclaredIsNamed(text: String, name: String) {
    #expect(throws: SwiftReadingError.self) { try FetchRequest(swift: text, in: ReadingSample.model) }
    do { _ = try FetchRequest(swift: text, in: ReadingSample.model) } catch {
      #expect(error.issues.map(\.fact) == [.undeclaredRequest(name)])
    }
  }
}
