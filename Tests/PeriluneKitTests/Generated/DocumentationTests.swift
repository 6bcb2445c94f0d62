import Foundation
import TestSupport
import Testing

/// The Swift of a page is one program, and prints what the page says.
@Suite struct DocumentationTests {
  /// A page, the types that its program is compiled with, and the store that it opens.
  struct Page: CustomTestStringConvertible {
    var path: String
    var types: String?
    var testDescription: String { path }
  }

  static let pages = [
    Page(path: "docs/swift-programs.md"),
    Page(path: "Examples/LiveBoard/README.md", types: "Examples/LiveBoard/Types.swift"),
  ]

  @Test(
    .enabled(if: OutsideProgram.canBeCompiled, "there are no modules beside the tests to compile against"),
    arguments: pages)
  func whatIsShownIsCompiledAndPrintsWhatIsShown(page: Page) throws {
    let folder = try TemporaryFolder()
    let text = try String(contentsOf: OutsideProgram.root.appending(path: page.path), encoding: .utf8)
    let blocks = blocks(of: text)
    let program = blocks.filter { $0.mark == "swift" }.map(\.body)
    try #require(!program.isEmpty)
    var types = page.types.map { OutsideProgram.root.appending(path: $0).path }
    if types == nil {
      let sample = OutsideProgram.root.appending(path: "Examples/quakes.lua").path
      try OutsideProgram.run([BuiltProduct.perilune.path, "--no-init", sample, folder.file("quakes.sqlite")])
      let source = try OutsideProgram.run([
        BuiltProduct.perilune.path, "types", "--swift", folder.file("quakes.sqlite"),
      ])
      try Data(source.utf8).write(to: folder.url.appending(path: "Types.swift"))
      types = folder.file("Types.swift")
    }
    // What is imported further down is needed from the beginning.
    let source = "import Foundation\nimport PeriluneKit\n" + program.joined(separator: "\n")
    try Data(source.utf8).write(to: folder.url.appending(path: "main.swift"))
    try OutsideProgram.compile([try #require(types), folder.file("main.swift")], to: folder.file("program"))
    let output = try OutsideProgram.run([folder.file("program")], in: folder)
    #expect(lines(output) == blocks.filter { $0.mark == "text" }.flatMap { lines($0.body) })
  }

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  private func blocks(of page: String) -> [(mark: String, body: String)] {
    var blocks: [(mark: String, body: String)] = []
    var open: (mark: String, body: [Substring])?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```"), let block = open {
        blocks.append((block.mark, block.body.joined(separator: "\n")))
        open = nil
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), [])
      } else {
        open?.body.append(line)
      }
    }
    return blocks
  }
}
