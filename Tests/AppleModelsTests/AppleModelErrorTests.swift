import AppleModels
import Testing

@Suite struct AppleModelErrorTests {
  @Test func anErrorKeepsTheFileThatItIsAbout() {
    #expect(AppleModelError(.notFound, path: "a.mom").path == "a.mom")
  }
}
