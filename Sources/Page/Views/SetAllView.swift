internal import HTTP
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Session

/// A form that gives a property of all objects of a request one value, with the first of them before and after.
struct SetAllView {
  private let asked: AskedRows
  private let store: PageStore
  private let found: FetchResult
  private var property: Int?
  private var typed = ""
  private var isNil = false
  private var isRead = false
  var problem: String?

  /// The objects that are shown.
  private static let shown = 10
  /// The objects that are changed at once: each is a step of undo.
  private static let most = 100_000

  init(_ asked: AskedRows, in store: PageStore) throws {
    (self.asked, self.store) = (asked, store)
    let context = try store.context()
    found = try store.reading { try context.fetch(asked.request) }
  }

  private var entity: Entity { asked.entity }
  private var properties: [Int] { AddingView(entity, in: store).properties }

  // MARK: What was sent

  /// Reads the property and its value, and tries both on the first objects.
  ///
  /// - Throws: PageProblem, what `CellField` throws.
  mutating func read(_ form: SentForm) throws {
    guard let name = form["property"], !name.isEmpty else { return }
    property = properties.first { entity.properties[$0].name == name }
    guard property != nil else { throw PageProblem.noProperty(name, entity: entity.name, nearest: nil) }
    (typed, isNil) = (AddingView.line(form["value"] ?? ""), form.has("empty"))
    guard found.count <= Self.most else { throw PageProblem.tooMany(entity.name, found.count, most: Self.most) }
    isRead = true
  }

  /// Changes all objects, or none.
  ///
  /// - Throws: what `CellField` throws.
  func apply(in context: ObjectContext) throws {
    guard isRead else { return }
    try context.undoingFailure { for object in try found.objectList() { try set(object) } }
  }

  private func set(_ object: ManagedObject) throws {
    guard let property else { return }
    let field = try CellField(object, at: property)
    if isNil { try field.empty() } else { try field.set(typed) }
  }

  /// The first objects with the text of the property before and after, as a trial that is dropped finds them.
  ///
  /// - Throws: what `CellField` throws.
  private func examples() throws -> [(object: ManagedObject, before: String, after: String)] {
    guard isRead, let property else { return [] }
    struct Dropped: Error {}
    var lines: [(object: ManagedObject, before: String, after: String)] = []
    let context = try store.context()
    do {
      try context.undoingFailure {
        for index in 0..<min(found.count, Self.shown) {
          let object = try found[index]
          let before = try CellField(object, at: property).text
          try set(object)
          lines.append((object, before, try CellField(object, at: property).text))
        }
        throw Dropped()
      }
    } catch is Dropped {}
    return lines
  }

  // MARK: The page

  var frame: PageFrame {
    var (view, lines) = (self, [(object: ManagedObject, before: String, after: String)]())
    do { lines = try store.making { try examples() } } catch {
      view.problem = view.problem ?? (error as? PageProblem)?.sentence
    }
    let path: [(String, PageAddress?)] = [(entity.name, .rows(asked.address)), ("set all", nil)]
    return store.frame("Set all \(entity.name)", path, view.content(lines))
  }

  private func content(_ lines: [(object: ManagedObject, before: String, after: String)]) -> HTML {
    let count = Quantity.grouped(found.count)
    let names = properties.map { entity.properties[$0].name }
    let chosen = property.map { entity.properties[$0].name }
    let options = names.map { HTML.tag("option", ["value": $0, "selected": $0 == chosen ? "" : nil], $0) }
    let control = property.map { PropertyControl(entity, at: $0).html("value", typed) }
    let condition = asked.address.predicate.isEmpty ? "" : " where \(asked.address.predicate)"
    let canApply = problem == nil && !lines.isEmpty
    let fields = [HTTPRequest.Field("entity", entity.name)] + asked.address.fields.filter { $0.name != "row" }
    let form = store.form(
      .setall, fields,
      [
        .tag("label", [:], [.text("property "), .tag("select", ["name": "property"], options)]),
        .tag("label", [:], [.text("value "), control ?? .tag("input", ["type": "text", "name": "value"])]),
        .tag(
          "label", [:],
          [
            .tag("input", ["type": "checkbox", "name": "empty", "value": "1", "checked": isNil ? "" : nil]),
            .text(" make nil"),
          ]),
        problem.map { .tag("p", ["class": "mistake", "role": "alert"], $0) } ?? .nothing,
        .tag(
          "div", ["class": "buttons"],
          [
            .tag("button", [:], "Preview"),
            canApply ? .tag("button", ["name": "apply", "value": "1"], "Set \(count) \(entity.name)") : .nothing,
          ]),
      ], class: "edit")
    return .group([
      .tag("h1", [:], "Set a property of \(count) \(entity.name)"), .tag("p", [:], "All \(entity.name)\(condition)."),
      form,
      lines.isEmpty ? .nothing : table(lines),
    ])
  }

  private func table(_ lines: [(object: ManagedObject, before: String, after: String)]) -> HTML {
    let heads = [entity.name, "before", "after"].map { HTML.tag("th", ["scope": "col"], $0) }
    let rows = lines.map { line -> HTML in
      .tag(
        "tr", [:],
        [
          .tag("td", [:], [.link(.object(store.address(of: line.object)), ObjectText.title(of: line.object))]),
          .tag("td", ["class": line.before.isEmpty ? "nil" : nil], line.before.isEmpty ? "nil" : line.before),
          .tag("td", ["class": line.after.isEmpty ? "nil" : nil], line.after.isEmpty ? "nil" : line.after),
        ])
    }
    let rest = found.count - lines.count
    return .group([
      .tag("table", [:], [.tag("thead", [:], [.tag("tr", [:], heads)]), .tag("tbody", [:], rows)]),
      rest > 0 ? .tag("p", ["class": "note"], "and \(Quantity.grouped(rest)) more") : .nothing,
    ])
  }
}
