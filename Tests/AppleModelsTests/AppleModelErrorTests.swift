import AppleModels
import Testing

@Suite("Errors of Apple's models") struct AppleModelErrorTests {
  @Test("an error keeps the file that it is about") func path() {
    #expect(AppleModelError(.notFound, path: "a.mom").path == "a.mom")
  }
}
