/// What stands around the content of each page.
struct PageFrame {
  var title: String
  /// The way to the page from the entities, the page itself last.
  var path: [(text: String, address: PageAddress?)] = []
  var storeName: String
  /// What the store permits: "read-only".
  var state: String?
  /// The line of Lua that says the same.
  var line: String?
  /// The same content in other forms, by name.
  var forms: [(name: String, address: String)] = []
  var content: [HTML]
  /// What is unsaved; nil where nothing can be changed.
  var changes: HTML?

  var html: String {
    let head: [HTML] = [
      .tag("meta", ["charset": "utf-8"]),
      .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      .tag("meta", ["name": "color-scheme", "content": "light dark"]),
      .tag("title", [:], title == storeName ? title : "\(title) · \(storeName)"),
      .tag("link", ["rel": "stylesheet", "href": "/-/page.css"]),
      .tag("link", ["rel": "icon", "href": "/-/icon.svg"]),
      .tag("script", ["type": "module", "src": "/-/page.js"]),
    ]
    let body: [HTML] = [header, .tag("main", [:], content), footer]
    return "<!doctype html>\n"
      + HTML.tag("html", ["lang": "en"], [.tag("head", [:], head), .tag("body", [:], body)]).text
  }

  private var header: HTML {
    var parts: [HTML] = [.tag("a", ["href": "/", "class": "store"], storeName)]
    for step in path {
      parts.append(.tag("span", ["class": "step"], " › "))
      parts.append(step.address.map { .link($0, step.text) } ?? .tag("span", ["aria-current": "page"], step.text))
    }
    if let state { parts.append(.tag("span", ["class": "state"], state)) }
    if let changes { parts.append(.tag("span", ["id": "changes"], [changes])) }
    parts.append(.tag("span", ["id": "link", "class": "state", "role": "status"], ""))
    return .tag("header", [:], [.tag("nav", ["aria-label": "Path"], parts), JumpView.form()])
  }

  private var footer: HTML {
    var parts: [HTML] = []
    if let line { parts.append(.tag("code", ["class": "line", "title": "The same at the prompt"], line)) }
    if !forms.isEmpty {
      let links = forms.map { HTML.tag("a", ["href": $0.address], $0.name) }
      parts.append(.tag("span", ["class": "forms"], links.flatMap { [$0, .text(" ")] }))
    }
    return .tag("footer", [:], parts)
  }
}
