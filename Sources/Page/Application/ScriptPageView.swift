internal import HTTP
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

/// The page that a script makes, as HTML: inputs and buttons are forms.
struct ScriptPageView {
  private let page: ScriptPage
  private let store: PageStore

  init(_ page: ScriptPage, in store: PageStore) { (self.page, self.store) = (page, store) }

  /// Runs the script if it has to, and shows what it has made, and its error behind that.
  func frame() -> PageFrame {
    let failure = mistake { try page.update() }
    var content = page.elements.enumerated().map { place, element in
      var shown = HTML.nothing
      return mistake { shown = try html(element, place) } ?? shown
    }
    if let failure { content.append(failure) }
    let title = page.title.isEmpty ? page.file ?? store.session.parts.title.name : page.title
    let heading = page.title.isEmpty ? HTML.nothing : .tag("h1", [:], page.title)
    let path = page.file.map { [($0, PageAddress?.none)] } ?? []
    var frame = store.frame(title, path, .tag("div", ["data-reload": page.list], [heading] + content))
    if page.file == nil { frame.forms = [("the store", "/-/store")] }
    return frame
  }

  private func mistake(_ body: () throws -> Void) -> HTML? {
    do { try body() } catch {
      let sentence = (error as? PageProblem)?.sentence ?? store.sentence(of: error)
      return .tag("pre", ["class": "mistake", "role": "alert"], sentence)
    }
    return nil
  }

  /// The plot at a place as SVG; nil if there is none.
  func chart(_ place: Int) -> String? {
    guard page.elements.indices.contains(place), case .chart(let svg) = page.elements[place] else { return nil }
    return svg
  }

  private func html(_ element: PageElement, _ place: Int) throws -> HTML {
    switch element {
    case .text(let text): return .tag("p", ["class": "whole"], text)
    case .section(let text): return .tag("h2", [:], text)
    case .printed(let text): return .tag("pre", ["class": "printed"], text)
    case .table(let request, let context, let columns, let limit): return try table(request, context, columns, limit)
    case .chart(let svg):
      // Another picture has another address.
      let address =
        "/-/chart?" + URLText.query(fields + [.init("place", String(place)), .init("at", String(svg.hashValue))])
      return .tag("figure", [:], [.tag("img", ["src": address, "alt": "Plot"])])
    case .input(let name, let label, let input, _):
      return form(name, [.tag("label", [:], [.text(label + " ")] + control(input))], isButton: false)
    case .button(let name, let label, _): return form(name, [.tag("button", [:], label)], isButton: true)
    }
  }

  private func form(_ name: String, _ content: [HTML], isButton: Bool) -> HTML {
    let set = isButton ? HTML.nothing : .tag("button", ["class": "set"], "Set")
    return .tag(
      "div", ["class": "control", "data-input": name],
      [store.form(.input, fields + [.init("name", name)], content + [set], class: "input")])
  }

  /// Which page it is, in forms and addresses of its parts.
  private var fields: [HTTPRequest.Field] { page.file.map { [.init("page", $0)] } ?? [] }

  private func control(_ input: PageInput) -> [HTML] {
    func line(_ type: String, _ value: String) -> [HTML] {
      [.tag("input", ["type": type, "name": "value", "value": value, "autocomplete": "off"])]
    }
    switch input {
    case .textField(let text): return line("text", text)
    case .number(let number, let isInteger): return line("text", isInteger ? String(Int64(number)) : String(number))
    case .toggle(let isOn):
      return [.tag("input", ["type": "checkbox", "name": "value", "value": "1", "checked": isOn ? "" : nil])]
    case .slider(let value, let from, let to, let step):
      return [
        .tag(
          "input",
          [
            "type": "range", "name": "value", "value": String(value), "min": String(from), "max": String(to),
            "step": String(step),
          ]), .tag("output", [:], Value.double(value).displayText),
      ]
    case .picker(let chosen, let choices):
      let options = choices.enumerated().map { place, choice in
        HTML.tag("option", ["value": String(place), "selected": place == chosen ? "" : nil], choice.text)
      }
      return [.tag("select", ["name": "value"], options)]
    }
  }

  private func table(
    _ request: FetchRequest, _ context: ObjectContext, _ columns: EntityColumns, _ limit: Int
  ) throws -> HTML {
    let view = CellView(columns, in: store)
    var first = request
    first.fetchLimit = min(limit, request.fetchLimit.flatMap { $0 > 0 ? $0 : nil } ?? limit)
    let (count, rows) = try store.reading {
      let rows = try context.fetch(first).objectList().map { object in
        HTML.tag("tr", ["data-key": object.objectID.description], try view.row(object))
      }
      return (rows.count < limit ? rows.count : try context.count(request), rows)
    }
    let heads = columns.columns.map { column in
      HTML.tag("th", ["scope": "col", "class": column.alignment == .trailing ? "number" : nil], column.name)
    }
    let rest = count - rows.count
    return .group([
      .tag(
        "div", ["class": "table"],
        [.tag("table", [:], [.tag("thead", [:], [.tag("tr", [:], heads)]), .tag("tbody", [:], rows)])]),
      rest > 0 ? .tag("p", ["class": "note"], "and \(Quantity.grouped(rest)) more") : .nothing,
    ])
  }
}
