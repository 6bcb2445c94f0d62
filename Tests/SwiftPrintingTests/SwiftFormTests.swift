import Testing

@testable import SwiftPrinting

@Suite struct SwiftFormTests {
  @Test func aFormIsNamedAsScriptsNameIt() {
    #expect(SwiftForm.allCases.map(\.rawValue).contains("sectionedFetchRequest"))
  }
}
