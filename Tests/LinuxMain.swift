import Glibc
import Testing

/// Where the tests begin. Without this file, which SwiftPM knows by its name, SwiftPM looks for tests of XCTest in the index
/// for editors, whose making takes up to a fifth of the time of a build; there are no such tests here.
@main struct Tests {
  static func main() async {
    // SwiftPM asks so for tests of XCTest, as for `swift test --filter`, and prints an error if there is no answer.
    if CommandLine.arguments.contains("--dump-tests-json") {
      let text = "Run scripts/test PATTERN, or add --enable-swift-testing --disable-xctest\n"
      _ = write(STDERR_FILENO, text, text.utf8.count)
      exit(64)
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
