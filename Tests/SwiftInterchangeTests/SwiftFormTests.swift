import Testing

@testable import SwiftInterchange

@Suite struct SwiftFormTests {
  @Test func aFormIsNamedAsScriptsNameIt() {
    #expect(SwiftForm.allCases.map(\.rawValue).contains("sectionedFetchRequest"))
  }
}
