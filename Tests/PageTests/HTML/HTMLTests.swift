import Testing

@testable import Page

/// Data never becomes markup.
@Suite struct HTMLTests {
  @Test func textsAndAttributesAreEscaped() {
    let text = #"<script>alert("1")</script>&'"#
    let escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;"
    #expect(HTML.tag("p", ["title": text], text).text == "<p title=\"\(escaped)\">\(escaped)</p>")
  }

  @Test func controlsAndTurnedDirectionsAreShownAsUnknown() {
    #expect(HTML.text("a\u{0}\u{1B}\u{202E}b\n").text == "a\u{FFFD}\u{FFFD}\u{FFFD}b\n")
  }

  @Test func anAttributeWithoutAValueIsLeftOut() {
    #expect(HTML.tag("input", ["name": nil, "hidden": ""]).text == "<input hidden>")
  }
}
