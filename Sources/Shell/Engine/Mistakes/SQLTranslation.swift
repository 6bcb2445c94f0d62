internal import Modeling

/// Simple SQL in the words of requests.
///
/// Only the forms that people type by habit: one table, no joins, no subqueries.
struct SQLTranslation {
  /// The Lua; nil for what has no counterpart, or is more than this reads.
  private(set) var lua: String?

  private let model: Model?
  private let text: String

  init(_ text: String, _ model: Model?) {
    self.model = model
    self.text = text.hasSuffix(";") ? String(text.dropLast()).trimmingSpace : text
    lua = translated
  }

  private var translated: String? {
    switch text.prefix(while: { !$0.isWhitespace }).lowercased() {
    case "select": selection
    case "delete": deletion
    case "update": update
    case "insert": insertion
    case "show": ".entities"
    case "describe", "desc": entity(text.split(separator: " ").last.map(String.init) ?? "").map { ".describe \($0)" }
    case "begin": "context:transaction(function() … end)"
    case "commit": "save()"
    case "explain": match(#/(?is)^explain\s+(?:query\s+plan\s+)?(select\b.*)$/#).flatMap { explained($0[0]) }
    default: nil
    }
  }

  private func explained(_ query: String) -> String? {
    SQLTranslation(query, model).lua.map { $0.hasPrefix("show") ? $0 : $0 + ":explain()" }
  }

  // MARK: Statements

  private var selection: String? {
    guard
      let parts = match(
        #/(?is)^select\s+(.*?)\s+from\s+(["\w]+)(?:\s+where\s+(.*?))?(?:\s+group\s+by\s+(.*?))?(?:\s+order\s+by\s+(.*?))?(?:\s+limit\s+(\d+))?$/#
      ), let name = entity(parts[1])
    else { return nil }
    let columns = parts[0].split(separator: ",").map { String($0).trimmingSpace }
    let condition = parts[2].isEmpty ? nil : Self.predicate(parts[2])
    if !parts[3].isEmpty {
      // A number is the position of a column.
      let names = parts[3].split(separator: ",").map { String($0).trimmingSpace }
      let keys = names.map { name in
        Int(name).flatMap { columns.indices.contains($0 - 1) ? columns[$0 - 1] : nil } ?? name
      }.map(\.quotedForLua)
      let by = keys.count == 1 ? keys[0] : "{ \(keys.joined(separator: ", ")) }"
      return "\(request(name, condition)):groupBy(\(by), { n = \"count\" })"
    }
    if columns.count == 1, let call = columns[0].firstMatch(of: #/(?i)^(count|min|max|sum|avg)\((.*)\)$/#) {
      let function = call.1.lowercased() == "avg" ? "average" : call.1.lowercased()
      if function == "count" { return "\(name):count(\(condition?.quotedForLua ?? ""))" }
      return "\(request(name, condition)):\(function)(\(String(call.2).quotedForLua))"
    }
    var line =
      parts[4].isEmpty && parts[5].isEmpty && condition == nil && columns != ["*"]
      ? "\(name):all()" : request(name, condition)
    if !parts[4].isEmpty { line += ":sorted(\(Self.order(parts[4])))" }
    if !parts[5].isEmpty { line += ":limit(\(parts[5]))" }
    if columns == ["*"] { return line }
    return "show(\(line), { columns = { \(columns.map(\.quotedForLua).joined(separator: ", ")) } })"
  }

  private var deletion: String? {
    guard let parts = match(#/(?is)^delete\s+from\s+(["\w]+)(?:\s+where\s+(.*))?$/#), let name = entity(parts[0]) else {
      return nil
    }
    return request(name, parts[1].isEmpty ? nil : Self.predicate(parts[1])) + ":delete()"
  }

  private var update: String? {
    guard let parts = match(#/(?is)^update\s+(["\w]+)\s+set\s+(.*?)(?:\s+where\s+(.*))?$/#), let name = entity(parts[0])
    else { return nil }
    let changes = Self.list(parts[1]).map { change in
      let sides = change.split(separator: "=", maxSplits: 1).map { String($0).trimmingSpace }
      return sides.count == 2 ? "\(sides[0]) = \(Self.value(sides[1]))" : change
    }
    return request(name, parts[2].isEmpty ? nil : Self.predicate(parts[2]))
      + ":update({ \(changes.joined(separator: ", ")) })"
  }

  private var insertion: String? {
    guard let parts = match(#/(?is)^insert\s+into\s+(["\w]+)\s*\((.*?)\)\s*values\s*\((.*)\)$/#),
      let name = entity(parts[0])
    else { return nil }
    let (columns, values) = (Self.list(parts[1]), Self.list(parts[2]))
    guard columns.count == values.count else { return nil }
    let fields = zip(columns, values).map { "\($0.filter { $0 != "\"" }) = \(Self.value($1))" }
    return "\(name) { \(fields.joined(separator: ", ")) }"
  }

  // MARK: Parts

  /// The groups of a pattern that fills the text; "" for those that took no part.
  private func match<Output>(_ pattern: Regex<Output>) -> [String]? {
    guard let found = text.wholeMatch(of: Regex<AnyRegexOutput>(pattern)) else { return nil }
    return found.output.dropFirst().map { $0.substring.map(String.init) ?? "" }
  }

  private func entity(_ table: String) -> String? {
    let wanted = table.lowercased().filter { $0 != "_" && $0 != "\"" }
    let names = model?.entities.map(\.name) ?? []
    return names.first { $0.lowercased() == wanted } ?? names.first { Naming.plural($0.lowercased()) == wanted }
  }

  private func request(_ name: String, _ condition: String?) -> String {
    condition.map { "\(name):where(\($0.quotedForLua))" } ?? "\(name):all()"
  }

  private static func order(_ text: String) -> String {
    list(text).map { key in
      let words = key.split(separator: " ")
      let isDescending = words.last?.lowercased() == "desc"
      return ((isDescending ? "-" : "") + (words.first ?? "")).quotedForLua
    }.joined(separator: ", ")
  }

  /// A condition of SQL as a predicate.
  private static func predicate(_ condition: String) -> String {
    var text = condition.replacing("\"", with: "'")
    text.replace(#/(?i)\bis\s+not\s+null\b/#, with: "!= nil")
    text.replace(#/(?i)\bis\s+null\b/#, with: "== nil")
    text.replace(#/(?i)\blike\s+'%([^%_']*)%'/#) { "CONTAINS[cd] '\($0.1)'" }
    text.replace(#/(?i)\blike\s+'([^%_']*)%'/#) { "BEGINSWITH[cd] '\($0.1)'" }
    text.replace(#/(?i)\blike\s+'%([^%_']*)'/#) { "ENDSWITH[cd] '\($0.1)'" }
    text.replace(#/(?i)\bin\s*\(([^()]*)\)/#) { "IN { \($0.1) }" }
    text.replace(#/(?i)\bbetween\s+(\S+)\s+and\s+(\S+)/#) { "BETWEEN { \($0.1), \($0.2) }" }
    return text
  }

  private static func value(_ sql: String) -> String {
    if sql.count >= 2, sql.hasPrefix("'"), sql.hasSuffix("'") {
      return String(sql.dropFirst().dropLast()).replacing("''", with: "'").quotedForLua
    }
    return sql.lowercased() == "null" ? "null" : sql
  }

  /// What commas outside of quotes and brackets separate.
  private static func list(_ text: String) -> [String] {
    var parts = [""]
    var (depth, isQuoted) = (0, false)
    for character in text {
      if character == "'" { isQuoted.toggle() }
      if !isQuoted, character == "(" { depth += 1 }
      if !isQuoted, character == ")" { depth -= 1 }
      if character == ",", depth == 0, !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts.map(\.trimmingSpace)
  }
}
