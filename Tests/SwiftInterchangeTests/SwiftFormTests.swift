import Testing

@testable import SwiftInterchange

@Suite("The forms of Swift source")
struct SwiftFormTests {
  @Test("a form is named as scripts name it")
  func names() {
    #expect(SwiftForm.allCases.map(\.rawValue).contains("sectionedFetchRequest"))
  }
}
