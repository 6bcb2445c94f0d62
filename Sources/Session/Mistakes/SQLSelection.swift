internal import Modeling
internal import SQLite

/// The columns of a SELECT, with its groups, order and limit.
struct SQLSelection {
  /// One expression of the list.
  private struct Item {
    /// The function with its name here; nil for a column alone.
    var function: String?
    /// The column; nil for `*`.
    var column: String?
    var alias: String?
  }

  private var items: [Item] = []

  /// Reads the list behind SELECT; nil if it has more than columns and aggregates.
  init?(_ reader: inout SQLReader) {
    repeat {
      guard var item = Self.item(&reader) else { return nil }
      if reader.takes("AS") {
        item.alias = reader.name()
        if item.alias == nil { return nil }
      }
      items.append(item)
    } while reader.takes(sign: ",")
  }

  private static let functions = ["count": "count", "min": "min", "max": "max", "sum": "sum", "avg": "average"]

  private static func item(_ reader: inout SQLReader) -> Item? {
    if reader.takes(sign: "*") { return Item() }
    guard let name = reader.name() else { return nil }
    guard reader.takes(sign: "(") else { return Item(column: name) }
    guard let function = functions[name.lowercased()] else { return nil }
    if function == "count", reader.takes(sign: "*") { return reader.takes(sign: ")") ? Item(function: function) : nil }
    guard let column = reader.name(), reader.takes(sign: ")") else { return nil }
    return Item(function: function, column: column)
  }

  /// The request for the rest of a statement.
  func translated(_ reader: inout SQLReader, _ words: SQLConditionReader) -> SQLTranslation? {
    guard let rows = SQLTranslation.rows(&reader, words) else { return nil }
    if reader.takes("GROUP", "BY") { return groups(&reader, words, rows) }
    if items.contains(where: { $0.function != nil }) { return items.count == 1 ? value(words, rows) : nil }
    return objects(&reader, words, rows)
  }

  /// `SELECT max(magnitude) FROM quake`
  private func value(_ words: SQLConditionReader, _ rows: SQLTranslation.Rows) -> SQLTranslation? {
    guard let function = items[0].function else { return nil }
    guard let column = items[0].column else { return SQLTranslation(rows.count.lua, check: rows.count) }
    guard let attribute = words.attribute(column) else { return nil }
    var line = "\(rows.request):\(function)(\(attribute.name.quotedForLua))"
    if function == "count" {
      let condition = [rows.condition.map { $0.contains(" OR ") ? "(\($0))" : $0 }, "\(attribute.name) != nil"]
      line = "\(words.entity.name):count(\(condition.compactMap(\.self).joined(separator: " AND ").quotedForLua))"
    } else if !attribute.type.isNumeric, function != "min", function != "max" {
      return nil
    }
    let sql = "SELECT \(Self.sqlName(function))(\(words.columnName(attribute.name))) AS n \(rows.sql)"
    return SQLTranslation(line, check: SQLTranslation.Check(sql: sql, lua: line, names: ["n"]))
  }

  /// `SELECT status, count(*) FROM quake GROUP BY status ORDER BY 2 DESC LIMIT 3`
  private func groups(
    _ reader: inout SQLReader, _ words: SQLConditionReader, _ rows: SQLTranslation.Rows
  ) -> SQLTranslation? {
    var keys: [String] = []
    repeat {
      guard let key = column(&reader).flatMap(words.attribute)?.name, !keys.contains(key) else { return nil }
      keys.append(key)
    } while reader.takes(sign: ",")
    var (names, fields, shown): ([String], [String], [String]) = ([], [], [])
    for item in items {
      guard let function = item.function else {
        guard let key = item.column.flatMap(words.attribute)?.name, keys.contains(key), item.alias == nil else {
          return nil
        }
        names.append(key)
        shown.append("\(words.columnName(key)) AS \(quotedName(key))")
        continue
      }
      let attribute = item.column.flatMap(words.attribute)
      if item.column != nil, attribute == nil { return nil }
      let name = item.alias ?? (attribute == nil ? "n" : function)
      guard !names.contains(name), !keys.contains(name) else { return nil }
      names.append(name)
      fields.append("\(name) = \((function + (attribute.map { "(\($0.name))" } ?? "")).quotedForLua)")
      shown.append(
        "\(Self.sqlName(function))(\(attribute.map { words.columnName($0.name) } ?? "*")) AS \(quotedName(name))")
    }
    guard !fields.isEmpty, keys.allSatisfy(names.contains) else { return nil }
    guard let order = order(&reader, names: names), let ends = ends(&reader) else { return nil }
    var options = order.isEmpty ? [] : ["sort = \(Self.list(order))"]
    options += ends.map { "\($0.name) = \($0.number)" }
    let line =
      "\(rows.request):groupBy(\(Self.list(keys)), { \(fields.joined(separator: ", ")) }"
      + (options.isEmpty ? ")" : ", { \(options.joined(separator: ", ")) })")
    let grouping = keys.map { key in "\(names.firstIndex(of: key).map { $0 + 1 } ?? 0)" }.joined(separator: ", ")
    let sql = "SELECT \(shown.joined(separator: ", ")) \(rows.sql) GROUP BY \(grouping)\(Self.sql(order, ends))"
    var check: SQLTranslation.Check? = SQLTranslation.Check(sql: sql, lua: line, names: names)
    if !ends.isEmpty {
      // Groups that are alike stand in any order, so that others may be within the limit.
      check?.names = order.map { String($0.drop { $0 == "-" }) }
      check?.isOrdered = true
      if order.isEmpty { check = nil }
    }
    return SQLTranslation(line, check: check)
  }

  /// `SELECT code, place FROM quake ORDER BY magnitude DESC LIMIT 3`
  private func objects(
    _ reader: inout SQLReader, _ words: SQLConditionReader, _ rows: SQLTranslation.Rows
  ) -> SQLTranslation? {
    var columns: [String] = []
    let isWhole = items.count == 1 && items[0].column == nil
    for item in items where !isWhole {
      guard item.alias == nil, let name = item.column.flatMap(words.attribute)?.name, !columns.contains(name) else {
        return nil
      }
      columns.append(name)
    }
    guard let order = order(&reader, words), let ends = ends(&reader) else { return nil }
    var request = rows.request
    if !order.isEmpty { request += ":sorted(\(order.map(\.quotedForLua).joined(separator: ", ")))" }
    for end in ends { request += ":\(end.name)(\(end.number))" }
    let keys = order.map { String($0.drop { $0 == "-" }) }
    var check = rows.count
    if !keys.isEmpty {
      let shown = keys.map { "\(words.columnName($0)) AS \(quotedName($0))" }
      let sql = "SELECT \(shown.joined(separator: ", ")) \(rows.sql)\(Self.sql(order, ends))"
      check = SQLTranslation.Check(sql: sql, lua: request, names: keys, isOrdered: true)
    }
    let line =
      isWhole ? request : "show(\(request), { columns = { \(columns.map(\.quotedForLua).joined(separator: ", ")) } })"
    return SQLTranslation(line, request: request, check: check)
  }

  // MARK: Parts

  /// A column by its name, or by its position in the list.
  private func column(_ reader: inout SQLReader) -> String? {
    if let name = reader.name() { return name }
    guard case .number(let text)? = reader.literal(), let number = Int(text), items.indices.contains(number - 1),
      items[number - 1].function == nil
    else { return nil }
    return items[number - 1].column
  }

  /// The keys that objects are sorted by, `-` before those that descend; nil for one that is not an attribute.
  private func order(_ reader: inout SQLReader, _ words: SQLConditionReader) -> [String]? {
    keys(&reader) { reader in column(&reader).flatMap(words.attribute)?.name }
  }

  /// The columns by which groups are sorted: names or positions in the list.
  private func order(_ reader: inout SQLReader, names: [String]) -> [String]? {
    keys(&reader) { reader in
      if let name = reader.name() { return names.first { $0.lowercased() == name.lowercased() } }
      guard case .number(let text)? = reader.literal(), let number = Int(text), names.indices.contains(number - 1)
      else {
        return nil
      }
      return names[number - 1]
    }
  }

  private func keys(_ reader: inout SQLReader, _ key: (inout SQLReader) -> String?) -> [String]? {
    guard reader.takes("ORDER", "BY") else { return [] }
    var keys: [String] = []
    repeat {
      guard let name = key(&reader) else { return nil }
      let isDescending = reader.takes("DESC")
      if !isDescending { _ = reader.takes("ASC") }
      keys.append((isDescending ? "-" : "") + name)
    } while reader.takes(sign: ",")
    return keys
  }

  /// LIMIT and OFFSET, as they are called here.
  private func ends(_ reader: inout SQLReader) -> [(name: String, number: Int)]? {
    var ends: [(name: String, number: Int)] = []
    for (word, name) in [("LIMIT", "limit"), ("OFFSET", "offset")] where reader.takes(word) {
      guard case .number(let text)? = reader.literal(), let number = Int(text), number >= 0 else { return nil }
      ends.append((name, number))
    }
    return ends
  }

  private static func sqlName(_ function: String) -> String { function == "average" ? "avg" : function }

  private static func sql(_ order: [String], _ ends: [(name: String, number: Int)]) -> String {
    let keys = order.map { $0.hasPrefix("-") ? quotedName(String($0.dropFirst())) + " DESC" : quotedName($0) }
    return (keys.isEmpty ? "" : " ORDER BY " + keys.joined(separator: ", "))
      + ends.map { " \($0.name) \($0.number)" }.joined()
  }

  private static func list(_ names: [String]) -> String {
    let quoted = names.map(\.quotedForLua)
    return quoted.count == 1 ? quoted[0] : "{ \(quoted.joined(separator: ", ")) }"
  }
}
