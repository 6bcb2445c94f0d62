import Foundation
import TestSupport
import Testing

@testable import Presentation
@testable import Session
@testable import Shell

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

  @Test func namesContinueWhatIsTyped() throws {
    let names = { FileCompleter().completions(folder.url.path + $0).candidates.map(\.text) }
    #expect(names("/q") == ["quakes.csv", "quakes.sqlite"])
    #expect(names("/") == ["my reports.csv", "quakes.csv", "quakes.sqlite", "sub/"])
    #expect(names("/.h") == [".hidden"])
    #expect(names("/sub/") == ["deep.csv"])
    #expect(names("/nosuch/") == [])
    try "".write(toFile: folder.file("bell\u{7}.csv"), atomically: true, encoding: .utf8)
    #expect(names("/b") == [])
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

  @Test func quotedFilesAndTabsAreWordsLikeOthers() {
    let offered = [Completions.Candidate("Quake")]
    var command = Command.read
    command.parameters = [
      .file,
      .rest { text, cursor, files in
        Completions(start: cursor, candidates: text == "Qua" && files.count == 1 ? offered : [])
      },
    ]
    let registry = CommandRegistry(commands: [command])
    for words in [".read a.csv ", ".read \"my file.csv\" ", ".read  'a  b.csv'\t", ".read\ta.csv  "] {
      let found = registry.completions(words + "Qua", at: words.utf8.count + 3)
      #expect(found == Completions(start: words.utf8.count + 3, candidates: offered), "\(words)")
    }
    // A cursor behind the line is at its end.
    #expect(registry.completions(".read a.csv Qua", at: 99) == Completions(start: 15, candidates: offered))
  }
}
