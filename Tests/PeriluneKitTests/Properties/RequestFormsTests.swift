import Foundation
import PeriluneKit
import Testing

extension Part {
  /// Computed in Swift: no property of the model.
  fileprivate var parity: String { (number ?? 0).isMultiple(of: 2) ? "even" : "odd" }
  fileprivate var half: Int { (number ?? 0) / 2 }
}

/// The forms in which SwiftUI and Core Data write requests.
@Suite struct RequestFormsTests {
  private static func three() -> NSFetchRequest<Part> {
    let request = NSFetchRequest<Part>(entityName: "Part")
    request.predicate = NSPredicate(format: "number > %@", 1)
    request.sortDescriptors = [.init(keyPath: \Part.number, ascending: false)]
    request.fetchLimit = 3
    return request
  }

  private struct View {
    @FetchRequest var all: FetchedResults<Part>
    @FetchRequest(
      entity: Part.entity(), sortDescriptors: [.init(key: "number", ascending: false)],
      predicate: NSPredicate(format: "number IN %@", [1, 2, 3]), animation: .default)
    var entity: FetchedResults<Part>
    @FetchRequest(
      sortDescriptors: [NSSortDescriptor(keyPath: \Part.number, ascending: true)], predicate: nil, animation: .easeIn)
    var untyped: FetchedResults<Part>
    @FetchRequest(fetchRequest: RequestFormsTests.three(), transaction: Transaction(animation: .linear))
    var request: FetchedResults<Part>
    @FetchRequest(sortDescriptors: []) var unordered: FetchedResults<Part>
    @SectionedFetchRequest<String, Part>(
      sectionIdentifier: \.parity, sortDescriptors: [SortDescriptor(\.number, order: .reverse)])
    var parities: SectionedFetchResults<String, Part>
    @SectionedFetchRequest(
      entity: Part.entity(), sectionIdentifier: \.number,
      sortDescriptors: [.init(keyPath: \Part.number, ascending: true)])
    var numbers: SectionedFetchResults<Int?, Part>
    @SectionedFetchRequest(fetchRequest: RequestFormsTests.three(), sectionIdentifier: \.half)
    var halves: SectionedFetchResults<Int, Part>
    @Query var items: [Part]
    @Query(sort: \Part.number, sectionBy: \.parity, animation: .default) var grouped: [Part]
    @Query(FetchDescriptor(predicate: \.number == 4)) var four: [Part]

    var groups: [String] { _grouped.sections.map { "\($0.id.displayText) \($0.count)" } }
    var queryContext: ManagedObjectContext? { _items.modelContext }
    var queryError: (any Error)? { _items.fetchError }
  }

  private let container: PersistentContainer
  private var context: ManagedObjectContext { container.viewContext }

  init() throws {
    container = try PersistentContainer(":memory:", for: EverythingSchema.self)
    for number in 1...6 { Part(context: context).number = number }
    try context.save()
  }

  private func show(_ body: (View) throws -> Void) rethrows {
    try withEnvironment(\.managedObjectContext, context) { try body(View()) }
  }

  @Test func everyFormSelectsAndOrders() {
    show { view in
      #expect(view.all.count == 6 && view.unordered.count == 6 && view.items.count == 6)
      #expect(view.entity.map(\.number) == [3, 2, 1] && view.untyped.map(\.number) == [1, 2, 3, 4, 5, 6])
      #expect(view.request.map(\.number) == [6, 5, 4] && view.four.map(\.number) == [4])
      #expect(view.queryContext === context && view.queryError == nil)
    }
    #expect(View().queryContext == nil && View().queryError != nil)
  }

  @Test func sectionsAreMadeByStoredAndByComputedProperties() throws {
    try show { view in
      #expect(view.parities.map(\.id) == ["even", "odd"] && view.parities[0].map(\.number) == [6, 4, 2])
      #expect(view.numbers.map(\.id) == [1, 2, 3, 4, 5, 6] && view.halves.map(\.id) == [3, 2])
      #expect(view.groups == ["odd 3", "even 3"] && view.grouped.map(\.number) == [1, 3, 5, 2, 4, 6])
      var told: [String] = []
      let token = view.parities.onChange { told += $0.insertedSections.map(\.id.displayText) }
      view.parities[0][0].number = 7
      try context.save()
      #expect(view.parities.map(\.id) == ["odd", "even"] && view.parities[0].map(\.number) == [7, 5, 3, 1])
      view.parities.sectionIdentifier = \.parity
      #expect(view.parities.error == nil && view.parities.sectionExpression == nil)
      token.cancel()
    }
  }

  @Test func theSectionIdentifierIsSetByKeyPath() {
    show { view in
      view.halves.sectionIdentifier = \.half
      #expect(view.halves.sectionIdentifier == \Part.half && view.halves.count == 2)
      view.numbers.sectionIdentifier = \.number
      #expect(view.numbers.sectionIdentifier == \Part.number && view.numbers.sectionExpression == "number")
      view.numbers.sectionExpression = "number + 10"
      #expect(view.numbers.sectionIdentifier == nil && view.numbers.map(\.id) == [11, 12, 13, 14, 15, 16])
      var configuration = view.numbers.configuration
      configuration.sectionIdentifier = \.number
      configuration.nsPredicate = NSPredicate(format: "number < 3")
      view.$numbers.wrappedValue = configuration
      #expect(view.numbers.map(\.id) == [1, 2] && view.numbers.error == nil)
    }
  }

  @Test func theConfigurationHasFoundationsClasses() {
    show { view in
      #expect(view.all.nsPredicate == nil && view.all.nsSortDescriptors.isEmpty)
      view.$all.nsPredicate.wrappedValue = .init(value: false)
      #expect(view.all.isEmpty)
      view.$all.sortDescriptors.wrappedValue = [.init(\Part.number, order: .reverse)]
      view.all.nsPredicate = NSPredicate(format: "number BETWEEN {2, 4}")
      #expect(view.all.map(\.number) == [4, 3, 2] && view.all.nsSortDescriptors.map(\.key) == ["number"])
      view.all.nsSortDescriptors = [.init(keyPath: \Part.number, ascending: true)]
      #expect(view.all.map(\.number) == [2, 3, 4])
      #expect(view.all.sortDescriptors.map(\.keyPath) == [\Part.number])
      view.all.nsSortDescriptors = [.init(key: "number", ascending: false)]
      #expect(view.all.sortDescriptors.first?.order == .reverse && view.all.first?.number == 4)
      view.all.nsSortDescriptors = [.init(key: "whole.name", ascending: true), .init(key: "number", ascending: true)]
      #expect(view.all.error == nil && view.all.sortDescriptors.count == 1 && view.all.map(\.number) == [2, 3, 4])
      view.all.nsSortDescriptors = [.init(key: "numbr", ascending: true)]
      #expect(view.all.error != nil && view.all.map(\.number) == [2, 3, 4])
      view.all.nsPredicate = NSPredicate { _, _ in true }
      #expect((view.all.error as? PeriluneError)?.fact == .blockPredicate && view.all.count == 3)
      view.all.nsPredicate = nil
      #expect(view.all.error == nil && view.all.count == 6)
    }
  }

  @Test func anAnimationIsAPartOfTheChange() throws {
    try show { view in
      var seen: [String] = []
      func note(_ change: ResultsChange) { seen.append(change.transaction.animation?.description ?? "none") }
      let tokens = [view.entity.onChange(note), view.untyped.onChange(note), view.request.onChange(note)]
      Part(context: context).number = 2
      try context.save()
      #expect(seen == ["default", "easeIn"])
      seen = []
      Part(context: context).number = 9
      try context.save()
      #expect(seen == ["easeIn", "linear"])
      seen = []
      try withAnimation(.none) {
        Part(context: context).number = 2
        try context.save()
      }
      #expect(seen == ["none", "none"])
      seen = []
      withAnimation(.spring(duration: 1)) { Part(context: context).number = 3 }
      withTransaction(Transaction(animation: .default)) { Part(context: context).number = 3 }
      withAnimation { Part(context: context).number = 3 }
      let number = Bindable(view.entity[0]).number
      number.animation(.linear).wrappedValue = 2
      let spring = "\(Animation.spring(duration: 1))"
      #expect(seen == [spring, spring] + Array(repeating: "default", count: 4) + ["linear", "linear"])
      for token in tokens { token.cancel() }
    }
  }

  @Test func thePublisherSendsTheWholeResults() async throws {
    let view = View()
    let publisher = withEnvironment(\.managedObjectContext, context) { view.all.publisher }
    Part(context: context).number = 7
    try context.save()
    Part(context: context).number = 8
    try context.save()
    view.all.close()
    var counts: [Int] = []
    for await results in publisher { counts.append(results.count) }
    #expect(counts == [8, 8])
  }

  @Test func aRequestFetchesAndCounts() throws {
    let request = Self.three()
    #expect(try context.fetch(request).map(\.number) == [6, 5, 4])
    #expect(try context.count(for: request) == 3)
    request.fetchOffset = 1
    request.returnsObjectsAsFaults = false
    #expect(try context.fetch(request).map(\.isFault) == [false, false, false])
    request.propertiesToFetch = ["numbr"]
    let error = #expect(throws: PeriluneError.self) { try context.fetch(request) }
    #expect(error?.fact == .unknownProperty("numbr", entity: "Part", nearest: "number"))
    #expect(throws: PeriluneError.self) { try context.fetch(NSFetchRequest<Part>(entityName: "Thing")) }
    #expect(try context.fetch(NSFetchRequest<Being>(entityName: "Person")).isEmpty)
    #expect(try context.fetch(Part.fetchRequest() as NSFetchRequest<Part>).count == 6)
  }

  @Test func liveResultsReadValuesAheadWhereFaultsAreNotWanted() throws {
    let other = container.newContext()
    let request = Self.three()
    withEnvironment(\.managedObjectContext, other) {
      let faults = View().request.filter(\.isFault).count
      request.returnsObjectsAsFaults = false
      let wrapper = FetchRequest(fetchRequest: request)
      #expect(faults == 3 && wrapper.wrappedValue.filter(\.isFault).isEmpty)
    }
  }

  @Test func refetchedObjectsAreRefreshedWhereThatIsAskedFor() throws {
    let other = container.newContext()
    other.automaticallyMergesChangesFromParent = false
    let request = Self.three()
    let parts = try other.fetch(request)
    #expect(parts.map(\.number) == [6, 5, 4])
    parts[1].number = 50
    for part in try context.fetch(Self.three()) { part.number = (part.number ?? 0) + 10 }
    try context.save()
    try other.processPendingChanges()
    _ = try other.fetch(request)
    #expect(parts.map(\.number) == [6, 50, 4])
    request.shouldRefreshRefetchedObjects = true
    _ = try other.fetch(request)
    #expect(parts.map(\.number) == [16, 50, 14])
  }

  @Test func observersNeedNoView() throws {
    let odd = ResultsObserver(
      filterBy: #Predicate<Part> { $0.number == 1 || $0.number == 3 }, sortBy: [SortDescriptor(\.number)],
      modelContext: context)
    let parities = ResultsObserver(sortBy: [SortDescriptor(\Part.number)], sectionBy: \.parity, modelContext: context)
    #expect(odd.results.map(\.number) == [1, 3] && parities.sections.map(\.id) == ["odd", "even"])
    var told = 0
    let token = odd.onChange { told += $0.deleted.count }
    odd.results[0].number = 9
    try context.save()
    #expect(told == 1 && odd.results.count == 1 && odd.fetchError == nil)
    token.cancel()
    odd.close()
    parities.close()
  }
}
