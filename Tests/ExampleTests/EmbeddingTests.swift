import Foundation
import TestSupport
import Testing

/// Programs below Examples that embed the engine print what stands beside them.
struct EmbeddingTests {
  @Test(arguments: ["LiveBoard"])
  func printsWhatIsExpected(program: String) throws {
    let folder = try TemporaryFolder()
    let executable = Perilune.executable.deletingLastPathComponent().appending(path: program)
    let output = try Perilune.runCommand([executable.path], in: folder)
    let expected = try String(
      contentsOf: TopicTests.examples.appending(path: program).appending(path: "expected.txt"), encoding: .utf8)
    #expect(output.status == 0, "\(output.errors)")
    #expect(visibleLines(output.text) == visibleLines(expected))
  }
}
