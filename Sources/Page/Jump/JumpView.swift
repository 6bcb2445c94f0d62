/// The line that leads to anything of the store by its name, and what it finds.
struct JumpView {
  private let text: String
  private let store: PageStore

  init(_ text: String, in store: PageStore) { (self.text, self.store) = (text, store) }

  /// The line, which stands on every page; without a script it leads to a page of what it finds.
  static func form(_ text: String = "") -> HTML {
    .tag(
      "form", ["action": "/-/jump", "role": "search", "class": "jump"],
      [
        .tag(
          "input",
          [
            "type": "search", "name": "find", "id": "find", "value": text, "placeholder": "/ find",
            "autocomplete": "off",
            "aria-label": "Find entities, objects, help", "maxlength": "200",
          ])
      ])
  }

  /// The list of what is found.
  func list() throws -> HTML {
    let results = try JumpResults(text, in: store)
    let items = results.items.map { item in
      HTML.tag("li", [:], [.link(item.address, item.text), .text(" "), .tag("small", [:], item.remark)])
    }
    let rest = results.unsearched
    let note =
      rest.isEmpty
      ? (items.isEmpty ? "nothing is called that" : nil)
      : "not searched in time: \(rest.joined(separator: ", ")); a longer text takes less"
    return .group([
      .tag("ul", ["class": "found"], items), note.map { .tag("p", ["class": "note"], $0) } ?? .nothing,
    ])
  }

  func frame() throws -> PageFrame { store.frame("Find \(text)", [("find", nil)], try list()) }
}
