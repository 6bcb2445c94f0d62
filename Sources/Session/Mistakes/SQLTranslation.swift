package import LuaBindings
internal import Modeling
internal import SQLite
internal import Stores

/// Simple SQL in the words of requests.
///
///     SELECT status, max(magnitude) FROM quake GROUP BY 1     Quake:all():groupBy("status", { max = "max(magnitude)" })
///
/// Only what people type by habit and what is read whole: one table, no joins, no subqueries, no functions.
package struct SQLTranslation {
  /// The line of Lua.
  package var lua: String
  /// The request that the line is about; nil if it is about none.
  var request: String?
  /// The two requests that can be run to compare both forms.
  package var check: Check?

  /// A query and a line of Lua that have to have the same values in some columns.
  package struct Check {
    package var sql: String
    package var lua: String
    package var names: [String]
    package var isOrdered = false
  }

  /// Translates a statement; nil if it has no counterpart, or is more than this reads.
  package init?(_ statement: String, _ engine: Engine) {
    let text = statement.hasSuffix(";") ? String(statement.dropLast()).trimmingSpace : statement
    guard var reader = SQLReader(text) else { return nil }
    let found: SQLTranslation?
    if reader.takes("EXPLAIN") {
      if reader.takes("QUERY") { guard reader.takes("PLAN") else { return nil } }
      guard reader.takes("SELECT"), let request = Self.selection(&reader, engine)?.request else { return nil }
      found = SQLTranslation(request + ":explain()")
    } else if reader.takes("SELECT") {
      found = Self.selection(&reader, engine)
    } else if reader.takes("DELETE", "FROM") {
      found = Self.deletion(&reader, engine)
    } else if reader.takes("UPDATE") {
      found = Self.update(&reader, engine)
    } else if reader.takes("INSERT", "INTO") {
      found = Self.insertion(&reader, engine)
    } else if reader.takes("DESCRIBE") || reader.takes("DESC") {
      found = Self.table(&reader, engine).map { SQLTranslation(".describe \($0.entity.name)") }
    } else {
      self.init(Self.fixed[text.uppercased()])
      return
    }
    guard let found, reader.isAtEnd else { return nil }
    self = found
  }

  private static let fixed = [
    "SHOW TABLES": ".entities", "BEGIN TRANSACTION": "context:transaction(function() … end)", "COMMIT WORK": "save()",
    "COMMIT TRANSACTION": "save()",
  ]

  init(_ lua: String, request: String? = nil, check: Check? = nil) {
    (self.lua, self.request, self.check) = (lua, request, check)
  }

  private init?(_ lua: String?) {
    guard let lua else { return nil }
    self.init(lua)
  }

  // MARK: Statements

  private static func selection(_ reader: inout SQLReader, _ engine: Engine) -> SQLTranslation? {
    guard let list = SQLSelection(&reader), reader.takes("FROM"), let words = table(&reader, engine) else { return nil }
    return list.translated(&reader, words)
  }

  private static func deletion(_ reader: inout SQLReader, _ engine: Engine) -> SQLTranslation? {
    guard let words = table(&reader, engine), let rows = rows(&reader, words) else { return nil }
    return SQLTranslation(rows.request + ":delete()", check: rows.count)
  }

  private static func update(_ reader: inout SQLReader, _ engine: Engine) -> SQLTranslation? {
    guard let words = table(&reader, engine), reader.takes("SET") else { return nil }
    var changes: [String] = []
    repeat {
      guard let attribute = reader.name().flatMap(words.attribute), reader.comparison() == "=",
        let value = reader.literal().flatMap({ SQLConditionReader.lua($0, attribute) })
      else { return nil }
      changes.append("\(attribute.name) = \(value)")
    } while reader.takes(sign: ",")
    guard let rows = rows(&reader, words) else { return nil }
    return SQLTranslation("\(rows.request):update({ \(changes.joined(separator: ", ")) })", check: rows.count)
  }

  private static func insertion(_ reader: inout SQLReader, _ engine: Engine) -> SQLTranslation? {
    guard let words = table(&reader, engine), reader.takes(sign: "(") else { return nil }
    var attributes: [Attribute] = []
    repeat {
      guard let attribute = reader.name().flatMap(words.attribute) else { return nil }
      attributes.append(attribute)
    } while reader.takes(sign: ",")
    guard reader.takes(sign: ")"), reader.takes("VALUES"), reader.takes(sign: "(") else { return nil }
    var fields: [String] = []
    for attribute in attributes {
      if !fields.isEmpty { guard reader.takes(sign: ",") else { return nil } }
      guard let value = reader.literal().flatMap({ SQLConditionReader.lua($0, attribute) }) else { return nil }
      fields.append("\(attribute.name) = \(value)")
    }
    guard reader.takes(sign: ")") else { return nil }
    return SQLTranslation("\(words.entity.name) { \(fields.joined(separator: ", ")) }")
  }

  // MARK: Parts

  /// The rows that a statement is about.
  struct Rows {
    /// The condition in SQL, with its WHERE, and the table.
    var sql: String
    var condition: String?
    var request: String
    var count: Check
  }

  /// The rows that WHERE selects, or all.
  static func rows(_ reader: inout SQLReader, _ words: SQLConditionReader) -> Rows? {
    let start = reader
    var condition: String?
    if reader.takes("WHERE") {
      condition = words.predicate(&reader)
      if condition == nil { return nil }
    }
    let name = words.entity.name
    let sql = "FROM \(quotedName(words.store.layout(of: words.entity).table)) \(start.text(to: reader))"
    return Rows(
      sql: sql, condition: condition, request: condition.map { "\(name):where(\($0.quotedForLua))" } ?? "\(name):all()",
      count: Check(
        sql: "SELECT count(*) AS n \(sql)", lua: "\(name):count(\(condition?.quotedForLua ?? ""))", names: ["n"]))
  }

  private static func table(_ reader: inout SQLReader, _ engine: Engine) -> SQLConditionReader? {
    guard let store = engine.store, let name = reader.name() else { return nil }
    let wanted = name.lowercased().filter { $0 != "_" }
    let entities = store.model.entities
    let entity =
      entities.first { $0.name.lowercased() == wanted }
      ?? entities.first { Naming.plural($0.name.lowercased()) == wanted }
    return entity.map { SQLConditionReader(entity: $0, store: store, ignoresCase: store.dialect.likeIgnoresCase) }
  }
}
