import Foundation
import TestSupport
import Testing

@testable import Shell
@testable import Terminal

/// What Tab offers for the names of files.
@Suite struct FileCompleterTests {
  private let folder: TemporaryFolder
  private let registry: CommandRegistry

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("sub"), withIntermediateDirectories: true)
    for name in ["quakes.csv", "quakes.sqlite", "my reports.csv", ".hidden", "sub/deep.csv"] {
      try "".write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    }
    registry = CommandRegistry(commands: [.read])
  }

  private func completed(_ line: String) -> [String] {
    let found = registry.completions(line, at: line.utf8.count)
    return found.candidates.map { String(decoding: line.utf8.prefix(found.start), as: UTF8.self) + $0.text }
  }

  @Test func namesContinueWhatIsTyped() {
    let names = { FileCompleter().completions(folder.url.path + $0).candidates.map(\.text) }
    #expect(names("/q") == ["quakes.csv", "quakes.sqlite"])
    #expect(names("/") == ["my reports.csv", "quakes.csv", "quakes.sqlite", "sub/"])
    #expect(names("/.h") == [".hidden"])
    #expect(names("/sub/") == ["deep.csv"])
    #expect(names("/nosuch/") == [])
  }

  @Test func theHomeFolderIsWrittenOut() {
    let found = FileCompleter(home: folder.url.path).completions("~/quakes.c")
    #expect(found == Completions(start: 0, candidates: [Completions.Candidate(folder.url.path + "/quakes.csv")]))
  }

  @Test func namesWithSpacesArePutInQuotes() {
    #expect(completed(".read \(folder.url.path)/quakes.c") == [".read \(folder.url.path)/quakes.csv"])
    #expect(completed(".read \(folder.url.path)/my") == [".read \"\(folder.url.path)/my reports.csv\""])
    #expect(completed(".read '\(folder.url.path)/my") == [".read '\(folder.url.path)/my reports.csv'"])
    #expect(completed(".read \"\(folder.url.path)/my rep") == [".read \"\(folder.url.path)/my reports.csv\""])
    #expect(completed(".read \"\(folder.url.path)/su") == [".read \"\(folder.url.path)/sub/"])
  }
}
