import PeriluneConsoleTesting
import Synchronization
import Testing

/// A failing test shows its store.
@Suite struct ShowsStoreTests {
  /// The comments of the issues that `body` records with the trait.
  private func comments(_ body: @escaping @Sendable () async throws -> Void) async throws -> [String] {
    let (test, trait): (Test, ShowsStore) = (try #require(Test.current), .showsStore)
    let seen = Mutex<[String]>([])
    let keeping = IssueHandlingTrait.compactMapIssues { issue in
      seen.withLock { $0 += issue.comments.map(\.rawValue) }
      return nil
    }
    try await keeping.provideScope(for: test, testCase: nil) {
      try await trait.provideScope(for: test, testCase: nil, performing: body)
    }
    return seen.withLock { $0 }
  }

  @Test func anIssueHasWhatTheStoreHolds() async throws {
    let comments = try await comments {
      let workshop = try Workshop()
      try workshop.orders[0].total = 77
      Issue.record("wrong")
      withExtendedLifetime(workshop) {}
    }
    #expect(comments.count == 2 && comments[0] == "wrong")
    let shown = comments.last ?? ""
    #expect(shown.contains("Customer: 1\n") && shown.contains("Order: 3\n"), "\(shown)")
    #expect(shown.contains("unsaved:") && shown.contains("total 10.0 → 77.0"), "\(shown)")
  }

  @Test func aTestWithoutAConsoleIsAsItWas() async throws {
    #expect(try await comments { Issue.record("wrong") } == ["wrong"])
  }

  @Test(.showsStore) func aTestThatPassesShowsNothing() throws {
    let workshop = try Workshop()
    #expect(try workshop.orders.count == 3)
  }
}
