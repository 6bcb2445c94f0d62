import Testing

/// Where the tests begin. Without this file, which SwiftPM knows by its name, SwiftPM looks for tests of XCTest in the index
/// for editors, whose making takes up to a fifth of the time of a build; there are no such tests here.
@main struct Tests {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
