import Modeling
import SwiftParsing
import SwiftReading
import TestSupport
import Testing

@Suite(.seeded) struct SwiftHistoryDescriptorTests {
  private func mistakes(_ text: String) -> [SwiftReadingError.Fact] {
    do throws(SwiftReadingError) {
      _ = try SwiftHistoryDescriptor(swift: text)
      return []
    } catch {
      return error.issues.map(\.fact)
    }
  }

  @Test func theConditionsOfADescriptorAreRead() throws {
    var expected = SwiftHistoryDescriptor()
    (expected.since, expected.author) = (.name("token"), .value(.string("import")))
    (expected.beforeDate, expected.fetchLimit) = (.name("cutoff"), .value(.int(10)))
    expected.entity = .value(.string("Quake"))
    let read = try SwiftHistoryDescriptor(
      swift: """
        let who = "import"
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
          predicate: #Predicate { transaction in
            transaction.token > token && who == transaction.author && (cutoff > transaction.timestamp)
              && transaction.changes.contains { $0.changedPersistentIdentifier.entityName == "Quake" }
          }, sortBy: [SortDescriptor(\\.timestamp)])
        descriptor.fetchLimit = 10
        let transactions = try context.fetchHistory(descriptor)
        """)
    #expect(read == expected)
    #expect(try SwiftHistoryDescriptor(swift: "HistoryDescriptor<DefaultHistoryTransaction>()") == .init())
    var later = SwiftHistoryDescriptor()
    later.before = .name("end")
    #expect(
      try SwiftHistoryDescriptor(
        swift: """
          func load() { var d = HistoryDescriptor<DefaultHistoryTransaction>()
            d.predicate = #Predicate<DefaultHistoryTransaction> { $0.token < end } }
          """) == later)
  }

  @Test(arguments: [
    (
      "HistoryDescriptor<X>(predicate: #Predicate { $0.token >= token })",
      SwiftReadingError.Fact.historyCondition("$0.token >= token")
    ),
    (
      "HistoryDescriptor<X>(predicate: #Predicate { $0.author == a || $0.token > b })",
      .historyCondition("$0.author == a || $0.token > b")
    ),
    (
      "HistoryDescriptor<X>(predicate: #Predicate { $0.changes.contains { $0.x == 1 } })",
      .historyCondition("$0.changes.contains { $0.x == 1 }")
    ),
    (
      "HistoryDescriptor<X>(predicat: nil)",
      .unknownArgument("predicat", of: "HistoryDescriptor", nearest: "predicate")
    ),
    (
      "FetchDescriptor<Quake>()",
      .unexpected(
        found: "FetchDescriptor<Quake>()", expected: "HistoryDescriptor<DefaultHistoryTransaction>(...)")
    ),
    ("HistoryDescriptor<X>(predicate: #Predicate { $0.author == name() })", .notAConstant("name()")),
  ])
  func whatAHistoryIsNotAskedByIsRefused(text: String, fact: SwiftReadingError.Fact) {
    #expect(mistakes(text) == [fact])
  }

  @Test func whatIsPrintedIsReadTheSame() throws {
    var random = SplitMix(seed: 21)
    for _ in 0..<Effort.rounds(100) {
      var descriptor = SwiftHistoryDescriptor()
      if random.chance(oneIn: 2) { descriptor.since = .name("token") }
      if random.chance(oneIn: 3) { descriptor.before = .name("end") }
      if random.chance(oneIn: 3) {
        descriptor.beforeDate =
          random.chance(oneIn: 2) ? .name("cutoff") : .value(.date(Timestamp(Double(random.below(1 << 30)))))
      }
      if random.chance(oneIn: 2) { descriptor.author = random.pick([.value(.string("a \"b\"")), .name("who")]) }
      if random.chance(oneIn: 3) { descriptor.entity = .value(.string("Quake")) }
      if random.chance(oneIn: 3) { descriptor.fetchLimit = random.pick([.value(.int(5)), .name("most")]) }
      #expect(try SwiftHistoryDescriptor(swift: descriptor.source) == descriptor, "\(descriptor.source)")
    }
  }
}
