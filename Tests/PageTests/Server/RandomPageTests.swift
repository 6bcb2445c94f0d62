import HTTP
import LuaBindings
import TestSupport
import Testing

/// A walk through pages that follows links and sends forms at random, with texts of all kinds.
@Suite(.seeded) struct RandomPageTests {
  private static let texts = [
    "", "0", "-1", "1e999", "4.5", "99999999999999999999", "us1", "us4", "Lata", "true", "2024-05-01T00:00", "<b>&\"'",
    "a\r\nb\n", "\u{202E}x", "{\"a\":", "{}", "東京", String(repeating: "x", count: 5000), "t1", "1", "%00",
    "' OR 1=1 --",
  ]

  @Test func noWalkThroughFormsBreaksTheStoreOrThePage() throws {
    var random = SplitMix(seed: 45)
    let served = try ServedStore(permitsChanges: true)
    let homes = ["/", "/-/changes", "/Quake", "/Report", "/-/add?entity=Quake", "/-/add?entity=Report"]
    var (links, forms): ([String], [ShownForm]) = ([], [])
    for _ in 0..<Effort.rounds(200) {
      var text: String
      if !forms.isEmpty, random.below(3) > 0 {
        let form = forms[random.below(forms.count)]
        var values: [(String, String)] = []
        for match in form.text.matches(of: /name="([^"]*)"/) where random.below(2) == 0 {
          if match.1 != "token" || random.below(20) == 0 {
            values.append((String(match.1), Self.texts[random.below(Self.texts.count)]))
          }
        }
        let response = form.send(values)
        #expect([200, 303, 403, 404, 409, 422].contains(response.status.rawValue))
        text = response.text
      } else {
        let known = links + homes
        let page = try served.open(known[random.below(known.count)])
        #expect([200, 404, 409, 422].contains(page.status))
        text = page.text
      }
      // What is data and not a page has texts as they are.
      if text.hasPrefix("<") { #expect(!text.contains("<b>") && !text.contains("<script>alert")) }
      for match in text.matches(of: /href="(\/[^"]*)"/) where random.below(4) == 0 {
        links.append(String(match.1).replacing("&amp;", with: "&"))
      }
      (forms, links) = (Array((forms + served.forms(in: text)).suffix(60)), Array(links.suffix(100)))
    }
    #expect(try served.session.engine.stores.brokenInvariants() == [])
  }
}
