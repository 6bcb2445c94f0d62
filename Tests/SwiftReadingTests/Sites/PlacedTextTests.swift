import SwiftReading
import TestSupport
import Testing

/// The places of a text are those of its letters in the source.
@Suite struct PlacedTextTests {
  /// The format of the only predicate of a source.
  private func format(_ source: String) throws -> PlacedText {
    let site = try #require(SourceSites(source).all.first)
    guard case .format(let format) = site.subject else { throw NoFormat() }
    return format.format
  }

  private struct NoFormat: Error {}

  static let sources = [
    #"NSPredicate(format: "name == 'x'")"#, #"NSPredicate(format: "name\t== \u{1F600}\"x\"")"#,
    ##"NSPredicate(format: #"name == "x\#n""#)"##, "NSPredicate(format: \"\"\"\n  name ==\n    'x'\n  \"\"\")",
    "NSPredicate(format: \"\"\"\n  name \\\n  == 'é'\n  \"\"\")", #"NSPredicate(format: "name == " + "'x'")"#,
  ]

  @Test(arguments: sources) func eachNameOfTheTextStandsWhereItsPlaceSays(_ source: String) throws {
    let text = try format(source)
    let bytes = Array(text.text.utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "name".utf8) })
    let range = text.source(place..<place + 4)
    #expect(String(decoding: Array(source.utf8)[range], as: UTF8.self) == "name")
    let end = try #require(bytes.lastIndex { $0 == UInt8(ascii: "=") })
    #expect(Array(source.utf8)[text.source(end..<end + 1).lowerBound] == UInt8(ascii: "="))
  }

  @Test func theTextIsThatOfTheProgram() throws {
    #expect(try format(Self.sources[1]).text == "name\t== \u{1F600}\"x\"")
    #expect(try format(Self.sources[2]).text == "name == \"x\n\"")
    #expect(try format(Self.sources[3]).text == "name ==\n  'x'")
  }

  @Test func thePlacesOfTheWholeAreThoseOfTheContent() throws {
    let source = #"NSPredicate(format: "abc")"#
    #expect(String(decoding: Array(source.utf8)[try format(source).whole], as: UTF8.self) == "abc")
  }
}
