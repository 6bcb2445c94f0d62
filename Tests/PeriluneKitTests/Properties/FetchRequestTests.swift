import Foundation
import PeriluneKit
import TestSupport
import Testing

@Suite struct FetchRequestTests {
  private final class Board {
    @FetchRequest(where: \.number > 2, sortDescriptors: [SortDescriptor(\.number, order: .reverse)])
    var parts: FetchedResults<Part>
    @FetchRequest(sortDescriptors: [SortDescriptor(\.number)], predicate: NSPredicate(format: "number < %@", 5))
    var few: FetchedResults<Part>
    @FetchRequest(where: FetchPredicate(#Predicate { $0.number == nil })) var without: FetchedResults<Part>
    @SectionedFetchRequest(sectionIdentifier: \.name, sortDescriptors: [SortDescriptor(\.name)])
    var names: SectionedFetchResults<String?, Being>
    @Query(filter: #Predicate { $0.number != 3 }, sort: \Part.number, order: .reverse) var others: [Part]
    @Environment(\.managedObjectContext) var context
  }

  private let container: PersistentContainer
  private var context: ManagedObjectContext { container.viewContext }

  init() throws {
    container = try PersistentContainer(":memory:", for: EverythingSchema.self)
    for number in 1...6 { Part(context: context).number = number }
    try context.save()
  }

  @Test func resultsAreTypedAndKeptTrue() throws {
    let board = Board()
    try withEnvironment(\.managedObjectContext, context) {
      #expect(board.parts.map(\.number) == [6, 5, 4, 3] && board.parts[0].number == 6 && board.context === context)
      var told: [Int] = []
      let token = board.parts.onChange { told.append($0.inserted.count - $0.deleted.count) }
      let part = Part(context: context)
      part.number = 9
      try context.processPendingChanges()
      #expect(board.parts[0] === part && board.parts.firstIndex(of: part) == 0 && told == [1])
      try context.delete(part)
      try context.save()
      #expect(board.parts.count == 4 && told == [1, -1] && board.without.isEmpty)
      #expect(board.others.map(\.number) == [6, 5, 4, 2, 1])
      token.cancel()
    }
  }

  @Test func aLoopThatDeletesEndsWithTheObjects() throws {
    let board = Board()
    try withEnvironment(\.managedObjectContext, context) {
      for part in board.few {
        try context.delete(part)
        try context.save()
      }
      #expect(board.few.map(\.number) == [2, 4])
      for part in Array(board.few) { try context.delete(part) }
      try context.save()
      #expect(board.few.isEmpty)
    }
  }

  @Test func withoutAContextThereIsNothingButAnError() {
    let board = Board()
    #expect(board.parts.isEmpty && board.parts.error != nil && board.names.isEmpty && !board.context.hasStore)
    let part = Part(context: board.context)
    part.number = 1
    #expect(part.isDeleted && part.number == nil)
    for body in [board.context.save, { _ = try board.context.fetch(Part.self) }] {
      #expect(#expect(throws: PeriluneError.self) { try body() }?.fact == .noContext)
    }
    try? board.context.save()
    withEnvironment(\.managedObjectContext, context) { #expect(board.context.hasStore && board.parts.count == 4) }
  }

  @Test func theConfigurationIsABinding() throws {
    let board = Board()
    withEnvironment(\.managedObjectContext, context) {
      let order = board.$parts.sortDescriptors
      order.wrappedValue = [SortDescriptor(\.number)]
      #expect(board.parts.map(\.number) == [3, 4, 5, 6] && board.parts.sortDescriptors.first?.order == .forward)
      board.$parts.predicate.wrappedValue = \.number < 3
      #expect(board.parts.map(\.number) == [1, 2])
      board.$parts.fetchLimit.wrappedValue = 1
      #expect(board.parts.map(\.number) == [1] && board.parts.configuration.fetchLimit == 1)
      board.parts.predicate = "nmber > 3"
      #expect(board.parts.error != nil && board.parts.map(\.number) == [1])
      #expect(board.parts.predicate?.predicateFormat == "number < 3")
      board.parts.predicate = nil
      #expect(board.parts.error == nil && board.parts.count == 1)
    }
  }

  @Test func aConfigurationBeforeTheFirstFetchCounts() {
    let board = Board()
    board.parts.predicate = \.number == 1
    withEnvironment(\.managedObjectContext, context) { #expect(board.parts.map(\.number) == [1]) }
  }

  @Test func resultsFollowTheContextOfTheEnvironment() throws {
    let board = Board()
    withEnvironment(\.managedObjectContext, context) { #expect(board.few.count == 4) }
    let sheet = ManagedObjectContext(parent: context)
    try withEnvironment(\.managedObjectContext, sheet) {
      Part(context: sheet).number = 0
      try sheet.processPendingChanges()
      #expect(board.few.count == 5 && board.few[0].managedObjectContext === sheet)
      try sheet.save()
    }
    withEnvironment(\.managedObjectContext, context) {
      #expect(board.few.count == 5 && board.few[0].managedObjectContext === context && context.hasChanges)
    }
  }

  @Test func sectionsAreTyped() throws {
    let board = Board()
    for name in ["Ann", "Bob", "Ann", nil] { Person(context: context).name = name }
    try context.save()
    withEnvironment(\.managedObjectContext, context) {
      #expect(board.names.map(\.id) == [nil, "Ann", "Bob"] && board.names[1].map(\.name) == ["Ann", "Ann"])
      board.names.predicate = \.name != "Ann"
      #expect(board.names.map(\.id) == ["Bob"])
      board.names.sectionExpression = "nam"
      #expect(board.names.error != nil)
      board.$names.sectionExpression.wrappedValue = "length(name)"
      #expect(board.names.error == nil && board.names.count == 1)
      var configuration = board.names.configuration
      configuration.sortDescriptors = [SortDescriptor(\.name, order: .reverse)]
      board.names.configuration = configuration
      #expect(board.names.error == nil)
    }
  }

  @Test func whatAnEffectReadsOfObjectsRunsItAgain() throws {
    let part = try #require(try context.fetch(Part.self, where: \.number == 3).first)
    var seen: [Int?] = []
    let effect = container.effect { seen.append(part.number) }
    let number = Bindable(part).number
    number.wrappedValue = 7
    number.wrappedValue = 8
    try context.processPendingChanges()
    #expect(seen == [3, 8])
    try context.undo()
    #expect(seen == [3, 8, 3] && number.wrappedValue == 3)
    let other = container.newContext()
    try #require(try other.fetch(Part.self, where: \.number == 3).first).number = 4
    try other.save()
    #expect(seen == [3, 8, 3, 4])
    effect.cancel()
    part.number = 5
    try context.save()
    #expect(seen == [3, 8, 3, 4])
  }
}
