internal import HTTP
internal import Queries
internal import Session

/// The line for a predicate, with the mistakes of what was typed below it.
struct PredicateForm {
  private let asked: AskedRows

  init(_ asked: AskedRows) { self.asked = asked }

  var html: HTML {
    let address = asked.address
    let hidden = address.fields.filter { $0.name != "where" && $0.name != "row" }.map { HTML.hidden($0.name, $0.value) }
    let input = HTML.tag(
      "input",
      [
        "type": "text", "name": "where", "id": "where", "value": address.predicate, "autocomplete": "off",
        "spellcheck": "false", "autocapitalize": "off", "placeholder": "magnitude > 5 AND place CONTAINS 'Japan'",
        "aria-label": "Predicate", "aria-describedby": "mistakes", "data-entity": address.entity, "maxlength": "4000",
      ])
    return .tag(
      "form", ["action": "/" + URLText.encoded(address.entity), "class": "ask", "role": "search"],
      hidden + [
        .tag("label", ["for": "where"], "where"), input, .tag("button", [:], "Show"),
        .tag("div", ["id": "mistakes", "aria-live": "polite"], [Self.mistakes(asked.mistakes, in: address.predicate)]),
      ])
  }

  /// The mistakes of a text, each with its place underlined.
  static func mistakes(_ mistakes: [PredicateReading.Mistake], in text: String) -> HTML {
    .group(
      mistakes.map { mistake in
        .tag(
          "p", ["class": "mistake"],
          [place(mistake.range, in: text), .tag("span", [:], mistake.sentence)])
      })
  }

  private static func place(_ range: Range<Int>?, in text: String) -> HTML {
    let bytes = Array(text.utf8)
    guard let range, range.lowerBound <= bytes.count else { return .nothing }
    let end = min(max(range.upperBound, range.lowerBound), bytes.count)
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let marked = range.lowerBound == end ? " " : part(range.lowerBound..<end)
    return .tag(
      "code", ["class": "typed"],
      [.text(part(0..<range.lowerBound)), .tag("mark", [:], marked), .text(part(end..<bytes.count))])
  }
}
