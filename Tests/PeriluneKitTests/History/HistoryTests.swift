import Foundation
import PeriluneKit
import TestSupport
import Testing

@Suite struct HistoryTests {
  private let container: PersistentContainer
  private var context: ManagedObjectContext { container.viewContext }

  init() throws {
    var options = PersistentContainer.Options()
    options.recordsHistory = true
    container = try PersistentContainer(":memory:", for: EverythingSchema.self, options: options)
  }

  private func save(_ author: String?, _ body: () -> Void) throws {
    context.transactionAuthor = author
    body()
    try context.save()
  }

  @Test func theHistoryIsReadByADescriptor() throws {
    let start = try container.currentHistoryToken
    let part = Part(context: context)
    try save("import") { part.number = 1 }
    try save("user") {
      part.number = 2
      Person(context: context).name = "Ann"
    }
    let all = try container.history()
    #expect(all.map(\.author) == ["import", "user"] && all.allSatisfy { $0.token > start })
    #expect(all[0].changes.map(\.kind) == [.insert] && all[0].changes[0].changedPersistentIdentifier == part.objectID)
    var descriptor = HistoryDescriptor(since: all[0].token)
    #expect(try container.history(descriptor).map(\.author) == ["user"])
    descriptor.types = [Part.self]
    #expect(try container.history(descriptor)[0].changes.map(\.updatedProperties) == [["number"]])
    descriptor.types = [Part.self, Being.self]
    #expect(try container.history(descriptor)[0].changes.map(\.entityName).sorted() == ["Part", "Person"])
    let wanted = "import"
    let imports = HistoryDescriptor(predicate: #Predicate { $0.author == wanted })
    #expect(try container.history(imports).map(\.token) == [all[0].token])
    var first = HistoryDescriptor()
    first.fetchLimit = 1
    #expect(try container.history(first).map(\.author) == ["import"])
    #expect(try container.deleteHistory() > 0)
    #expect(try container.history().isEmpty)
  }

  @Test func anObserverCountsWhatIsRelevant() throws {
    let observer = try HistoryObserver(for: [Part.self], authors: ["import"], in: container)
    var seen: [Int] = []
    let effect = container.effect { seen.append(observer.eventCounter) }
    try save("import") { Part(context: context).number = 1 }
    try save("user") { Part(context: context).number = 2 }
    try save("import") { Person(context: context).name = "Ann" }
    try save("import") { Part(context: context).number = 3 }
    try container.turn.run()
    #expect(seen == [0, 1, 2] && observer.eventCounter == 2)
    effect.cancel()
    observer.cancel()
  }

  @Test func aStoreWithoutAHistorySaysSo() throws {
    let other = try PersistentContainer(":memory:", for: EverythingSchema.self)
    #expect(throws: (any Error).self) { try other.history() }
    #expect(throws: (any Error).self) { try HistoryObserver(in: other) }
  }
}
