import Foundation
import Modeling
import TestSupport
import Testing

/// What a terminal obeys is no part of what documents and JSON show.
@Suite struct ActingScalarsTests {
  @Test func whatATerminalObeysIsKnown() {
    for scalar in TerminalControls.all { #expect(scalar.actsOnTerminals, "\(String(scalar.value, radix: 16))") }
    for scalar in "aé雪€\u{200D}\u{301}\u{A0}\u{2027}\u{202F}".unicodeScalars { #expect(!scalar.actsOnTerminals) }
  }

  @Test func aPartOfALineHasBlanksInstead() {
    #expect("a\u{1B}[2Jb\u{9B}31m\u{202E}c\né".inOneLine == "a [2Jb 31m c é")
  }

  @Test func jsonForReadersEscapesThemAndReadsBackAsItWas() throws {
    for scalar in TerminalControls.all {
      let text = JSON.object(["a\(scalar)": .string("b\(scalar)é\"\\")]).outputText
      let acts = text.unicodeScalars.contains { $0.actsOnTerminals }
      #expect(!acts)
      let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String]
      #expect(read == ["a\(scalar)": "b\(scalar)é\"\\"], "\(String(scalar.value, radix: 16))")
    }
  }
}
