internal import HTTP
internal import Modeling
internal import ObjectGraph
internal import Queries

/// The field of a form for a property, as fits its type: choices, a date, a line, a long text, the name of an object.
struct PropertyControl {
  private let property: Property
  private let destination: Entity?

  init(_ entity: Entity, at index: Int) {
    property = entity.properties[index]
    destination = property.relationship == nil ? nil : entity.destination(at: index)
  }

  /// Whether an empty field is a text of its own and not nil.
  var takesEmptyText: Bool { property.attribute?.type == .string }
  /// Whether its value is the content of a file.
  var isFile: Bool { property.attribute?.type == .data }
  var isRequired: Bool { !(property.attribute?.isOptional ?? property.relationship?.isOptional ?? true) }

  /// What a person may want to know: `Double, from 0 to 10`.
  var remark: String {
    guard let attribute = property.attribute else { return "the name or key of a \(destination?.name ?? "")" }
    let names: [AttributeType: String] = [
      .date: "Date, in UTC", .data: "Data: a file of up to 2 MB, or base64", .transformable: "JSON", .composite: "JSON",
    ]
    var parts = [names[attribute.type] ?? attribute.type.rawValue]
    if isRequired { parts.append("required") }
    let bounds = [("from", attribute.minimum), ("to", attribute.maximum)].filter { !$0.1.isNull }
    if !bounds.isEmpty { parts.append(bounds.map { "\($0) \($1.displayText)" }.joined(separator: " ")) }
    if let most = attribute.maximumLength { parts.append("at most \(most) characters") }
    return parts.joined(separator: ", ")
  }

  /// The field with a text, under a name.
  func html(_ name: String, _ text: String) -> HTML {
    if let destination {
      return .tag(
        "input",
        [
          "type": "text", "name": name, "value": text, "data-search": destination.name, "autocomplete": "off",
          "aria-label": property.name,
        ])
    }
    if let choices, choices.contains(text) || text.isEmpty { return select(name, choices.map { ($0, $0) }, text) }
    switch property.attribute?.type {
    case .boolean: return select(name, [("true", "yes"), ("false", "no")], text)
    case .date where Self.isPlainDate(text): return dateField(name, text)
    case .transformable, .composite, .data: return textArea(name, text)
    case .string where text.utf8.count > 60 || text.contains(where: \.isNewline): return textArea(name, text)
    case .integer16, .integer32, .integer64: return line(name, text, mode: "numeric")
    case .decimal, .double, .float: return line(name, text, mode: "decimal")
    default: return line(name, text, mode: nil)
    }
  }

  private func line(_ name: String, _ text: String, mode: String?) -> HTML {
    .tag(
      "input",
      [
        "type": "text", "name": name, "value": text, "inputmode": mode, "autocomplete": "off",
        "aria-label": property.name,
      ])
  }

  private func textArea(_ name: String, _ text: String) -> HTML {
    let rows = min(max(text.utf8.count { $0 == UInt8(ascii: "\n") } + 1, 3), 12)
    // Browsers leave out a line break at the beginning.
    return .tag("textarea", ["name": name, "rows": String(rows), "aria-label": property.name], "\n" + text)
  }

  private func select(_ name: String, _ choices: [(value: String, text: String)], _ text: String) -> HTML {
    let none = !isRequired || text.isEmpty ? [("", "nil")] : []
    let options = (none + choices).map { value, shown in
      HTML.tag("option", ["value": value, "selected": value == text ? "" : nil], shown)
    }
    return .tag("select", ["name": name, "aria-label": property.name], options)
  }

  /// Browsers know dates to the millisecond.
  private func dateField(_ name: String, _ text: String) -> HTML {
    .tag(
      "input",
      [
        "type": "datetime-local", "name": name, "value": String(text.prefix { $0 != "Z" }),
        "step": text.contains(".") ? "0.001" : "1", "aria-label": property.name,
      ])
  }

  private static func isPlainDate(_ text: String) -> Bool {
    text.isEmpty || text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{1,3})?Z/) != nil
  }

  /// The values that a rule of the model names: `SELF IN {'draft', 'final'}`.
  private var choices: [String]? {
    property.attribute?.validationPredicates.firstResult { rule in
      guard case .comparison(let comparison)? = try? Predicate.parse(rule.predicate), comparison.left == .object,
        comparison.comparator == .in, case .aggregate(let elements) = comparison.right
      else { return nil }
      let texts = elements.compactMap { if case .constant(let value) = $0 { value.displayText } else { nil } }
      return texts.count == elements.count ? texts : nil
    }
  }
}
