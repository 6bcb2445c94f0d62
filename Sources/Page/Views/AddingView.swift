internal import HTTP
internal import Modeling
internal import ObjectGraph
internal import Session

/// A form with the properties of a new object.
struct AddingView {
  private let entity: Entity
  private let store: PageStore
  /// What was typed, by the index of its property.
  var typed: [Int: String] = [:]
  var mistakes: [Int: String] = [:]

  init(_ entity: Entity, in store: PageStore) { (self.entity, self.store) = (entity, store) }

  /// The properties that the form has.
  var properties: [Int] {
    entity.properties.indices.filter { index in
      let property = entity.properties[index]
      return property.attribute.map { $0.isWritable && !$0.isTransient } ?? (property.relationship?.isToMany == false)
    }
  }

  static func line(_ sent: String) -> String { sent.replacing("\r\n", with: "\n") }

  /// Sets a property of a new object; an empty line leaves it nil.
  ///
  /// - Throws: what `CellField` throws.
  static func set(_ line: String, _ object: ManagedObject, at index: Int) throws {
    let field = try CellField(object, at: index)
    if !line.isEmpty { return try field.set(line) }
    // What is required is asked for by the save, as a hook may set it.
    if !field.text.isEmpty, field.property.attribute?.isOptional ?? true { try field.empty() }
  }

  var frame: PageFrame {
    let rows = properties.map { index -> HTML in
      let property = entity.properties[index]
      let control = PropertyControl(entity, at: index)
      let text =
        typed[index] ?? property.attribute.flatMap { $0.defaultValue.isNull ? nil : $0.defaultValue.displayText }
      let mistake = mistakes[index].map { HTML.tag("p", ["class": "mistake", "role": "alert"], $0) }
      return .tag(
        "tr", [:],
        [
          .tag("th", ["scope": "row"], property.name),
          .tag("td", [:], [control.html("value." + property.name, text ?? ""), mistake ?? .nothing]),
          .tag("td", ["class": "state"], control.remark),
        ])
    }
    let form = store.form(
      .add, [.init("entity", entity.name)],
      [
        .tag("div", ["class": "table"], [.tag("table", ["class": "object"], [.tag("tbody", [:], rows)])]),
        .tag("div", ["class": "buttons"], [.tag("button", [:], "Add")]),
      ], class: "add")
    let path: [(String, PageAddress?)] = [(entity.name, .rows(RowsAddress(entity.name))), ("new", nil)]
    return store.frame("New \(entity.name)", path, .group([.tag("h1", [:], "New \(entity.name)"), form]))
  }
}
