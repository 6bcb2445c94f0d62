import Spreadsheets
import Testing

@Suite struct XMLScannerTests {
  /// The tokens of a text that is read `step` bytes at a time.
  private func tokens(_ text: String, step: Int = 1) throws -> [String] {
    var rest = Array(text.utf8)[...]
    var scanner = XMLScanner {
      defer { rest = rest.dropFirst(step) }
      return rest.isEmpty ? nil : Array(rest.prefix(step))
    }
    var tokens: [String] = []
    while let token = try scanner.next() {
      switch token {
      case .start(let name, let attributes, let isEmpty):
        let list = attributes.all.sorted { $0.name < $1.name }.map { " \($0.name)=\($0.value)" }
        tokens.append("<\(name)\(list.joined())\(isEmpty ? "/" : "")>")
      case .end(let name): tokens.append("</\(name)>")
      case .text(let text): tokens.append(text)
      }
    }
    return tokens
  }

  @Test func tagsAndTextsFollowEachOther() throws {
    let text =
      "<?xml version='1.0'?><!DOCTYPE a><x:a b='1' c:d = \"x > 'y'\"><!-- <b> --><b/>t&amp;&#65;&#x42;<![CDATA[<c>]]></x:a>"
    for step in [1, 3, 1000] {
      #expect(try tokens(text, step: step) == ["<a b=1 d=x > 'y'>", "<b/>", "t&AB", "<c>", "</a>"])
    }
  }

  @Test func textsOfItsOwnAreRefused() {
    #expect(throws: DocumentError.self) { try tokens("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>") }
  }

  @Test func whatDoesNotEndIsDamaged() {
    for text in ["<a", "<a b='>", "<!-- a", "<![CDATA[ a", "<?xml"] {
      #expect(throws: DocumentError.self, "\(text)") { try tokens(text) }
    }
  }
}
