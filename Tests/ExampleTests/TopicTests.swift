import Foundation
import TestSupport
import Testing

/// Examples/NN-name.lua prints what Examples/NN-name.expected holds.
struct TopicTests {
  static let examples = Perilune.root.appending(path: "Examples")

  static let topics: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: examples.path)) ?? []
    return names.filter { $0.contains(/^\d\d-.*\.lua$/) }.map { String($0.dropLast(4)) }.sorted()
  }()

  @Test func thereAreTopics() {
    #expect(Self.topics.count >= 6)
  }

  @Test(arguments: topics)
  func printsWhatIsExpected(topic: String) throws {
    let folder = try TemporaryFolder()
    let output = try Perilune.run([Self.examples.appending(path: topic + ".lua").path], in: folder)
    let expected = try String(contentsOf: Self.examples.appending(path: topic + ".expected"), encoding: .utf8)
    #expect(output.status == 0, "\(output.errors)")
    #expect(visibleLines(output.text) == visibleLines(expected))
  }

  @Test func theSampleStoreIsTheSameEachTime() throws {
    let folder = try TemporaryFolder()
    let script = Self.examples.appending(path: "quakes.lua").path
    let first = try Perilune.run([script, "quakes.sqlite"], in: folder)
    #expect(first.status == 0, "\(first.errors)")
    let dump = ["sqlite3", "quakes.sqlite", "SELECT * FROM quake ORDER BY code; SELECT count(*) FROM report"]
    let before = try Perilune.runCommand(dump, in: folder).text
    let second = try Perilune.run([script, "quakes.sqlite"], in: folder)
    #expect(second.status == 0, "\(second.errors)")
    #expect(visibleLines(before).count == 4001)
    #expect(try Perilune.runCommand(dump, in: folder).text == before)
  }
}
