internal import PeriluneConsole
public import Testing

/// Shows the stores of a test's consoles where the test fails.
///
///     @Test(.showsStore) func anOrderIsBilled() throws {
///       let console = Console(container)
///
/// Each issue that the test's own task records has what the stores hold then: the number of objects, the first of them, the unsaved
/// changes. With a terminal, or a client that is attached, the test pauses there.
public struct ShowsStore: TestTrait, SuiteTrait, TestScoping {
  /// It is for the tests in a suite.
  public var isRecursive: Bool { true }

  /// Runs a test, and shows stores beside its issues.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let watch = ConsoleWatch()
    let showing = IssueHandlingTrait.compactMapIssues { issue in
      guard issue.isFailure else { return issue }
      var issue = issue
      let place = issue.sourceLocation
      let texts = watch.show("\(issue)", file: place?.fileID ?? test.name, line: place?.line ?? 0)
      issue.comments += texts.map { Comment(rawValue: $0) }
      return issue
    }
    try await ConsoleWatch.$current.withValue(watch) {
      try await showing.provideScope(for: test, testCase: testCase, performing: function)
    }
  }
}

extension Trait where Self == ShowsStore {
  /// Shows the stores of a test's consoles where the test fails.
  public static var showsStore: ShowsStore { ShowsStore() }
}
