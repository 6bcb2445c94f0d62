internal import LuaBindings
internal import Modeling
internal import SQLite
internal import Stores

/// Conditions and columns of SQL as predicates and properties of an entity: nothing that is not read whole.
struct SQLConditionReader {
  let entity: Entity
  let store: any ObjectStore
  /// Whether LIKE is one of SQLite, which takes `a` for `A`.
  let ignoresCase: Bool

  /// The attribute of a column, by the name of either.
  func attribute(_ column: String) -> Attribute? {
    let layout = store.layout(of: entity)
    for (index, property) in entity.properties.enumerated() {
      guard let attribute = property.attribute, !attribute.isTransient else { continue }
      var names = [attribute.name.lowercased()]
      if case .column(let place) = layout.properties[index] { names.append(layout.columns[place].name.lowercased()) }
      if names.contains(column.lowercased()) { return attribute }
    }
    return nil
  }

  /// The column of an attribute, as SQL has it.
  func columnName(_ attribute: String) -> String {
    let layout = store.layout(of: entity)
    guard let index = entity.properties.firstIndex(where: { $0.name == attribute }),
      case .column(let place) = layout.properties[index]
    else { return quotedName(attribute) }
    return quotedName(layout.columns[place].name)
  }

  /// The predicate of a condition, up to the first token that is no part of one; nil if it has no counterpart.
  func predicate(_ reader: inout SQLReader) -> String? {
    guard var text = conjunction(&reader) else { return nil }
    while reader.takes("OR") {
      guard let next = conjunction(&reader) else { return nil }
      text += " OR " + next
    }
    return text
  }

  private func conjunction(_ reader: inout SQLReader) -> String? {
    guard var text = negation(&reader) else { return nil }
    while reader.takes("AND") {
      guard let next = negation(&reader) else { return nil }
      text += " AND " + next
    }
    return text
  }

  private func negation(_ reader: inout SQLReader) -> String? {
    if reader.takes("NOT") { return negation(&reader).map { "NOT " + $0 } }
    if reader.takes(sign: "(") {
      guard let inner = predicate(&reader), reader.takes(sign: ")") else { return nil }
      return "(\(inner))"
    }
    return test(&reader)
  }

  private func test(_ reader: inout SQLReader) -> String? {
    guard let attribute = reader.name().flatMap(attribute) else { return nil }
    if reader.takes("IS", "NOT", "NULL") { return "\(attribute.name) != nil" }
    if reader.takes("IS", "NULL") { return "\(attribute.name) == nil" }
    if let sign = reader.comparison() {
      guard let value = reader.literal().flatMap({ Self.literal($0, attribute) }) else { return nil }
      return "\(attribute.name) \(sign == "<>" ? "!=" : sign) \(value)"
    }
    let not = reader.takes("NOT") ? "NOT " : ""
    if reader.takes("LIKE") { return like(&reader, attribute, ignoresCase: ignoresCase).map { not + $0 } }
    if !ignoresCase, reader.takes("ILIKE") { return like(&reader, attribute, ignoresCase: true).map { not + $0 } }
    if reader.takes("BETWEEN") {
      guard let low = reader.literal().flatMap({ Self.literal($0, attribute) }), reader.takes("AND"),
        let high = reader.literal().flatMap({ Self.literal($0, attribute) })
      else { return nil }
      return "\(not)\(attribute.name) BETWEEN { \(low), \(high) }"
    }
    guard reader.takes("IN"), reader.takes(sign: "("), let values = literals(&reader, attribute) else { return nil }
    return "\(not)\(attribute.name) IN { \(values.joined(separator: ", ")) }"
  }

  private func literals(_ reader: inout SQLReader, _ attribute: Attribute) -> [String]? {
    var values: [String] = []
    repeat {
      guard let value = reader.literal().flatMap({ Self.literal($0, attribute) }) else { return nil }
      values.append(value)
    } while reader.takes(sign: ",")
    return reader.takes(sign: ")") ? values : nil
  }

  /// `%x%`, `x%`, `%x` and `x`; nil for other patterns.
  private func like(_ reader: inout SQLReader, _ attribute: Attribute, ignoresCase: Bool) -> String? {
    guard attribute.type == .string, case .text(var text)? = reader.literal() else { return nil }
    let (isOpenBefore, isOpenBehind) = (text.hasPrefix("%"), text.count > 1 && text.hasSuffix("%"))
    text = String(text.dropFirst(isOpenBefore ? 1 : 0).dropLast(isOpenBehind ? 1 : 0))
    // A backslash escapes in PostgreSQL, and SQLite knows the case of ASCII alone.
    guard !text.isEmpty, !text.contains(where: { "%_\\".contains($0) || !$0.isASCII && $0.isCased }) else { return nil }
    let comparison =
      switch (isOpenBefore, isOpenBehind) {
      case (true, true): "CONTAINS"
      case (false, true): "BEGINSWITH"
      case (true, false): "ENDSWITH"
      case (false, false): "=="
      }
    return "\(attribute.name) \(comparison)\(ignoresCase ? "[c]" : "") \(Self.quoted(text))"
  }

  /// A literal as a predicate has it; nil if the attribute has no such values, or other ones in SQL.
  private static func literal(_ literal: SQLReader.Literal, _ attribute: Attribute) -> String? {
    switch (literal, attribute.type) {
    case (.number(let number), let type) where type.isNumeric && type != .decimal: number
    case (.number("0"), .boolean), (.bool(false), .boolean): "false"
    case (.number("1"), .boolean), (.bool(true), .boolean): "true"
    case (.text(let text), .string): quoted(text)
    default: nil
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }

  /// A literal as Lua has it; nil if the attribute has no such values, or other ones in SQL.
  static func lua(_ literal: SQLReader.Literal, _ attribute: Attribute) -> String? {
    switch (literal, attribute.type) {
    case (.null, _): "null"
    case (.text(let text), .string): text.quotedForLua
    default: Self.literal(literal, attribute)
    }
  }
}
