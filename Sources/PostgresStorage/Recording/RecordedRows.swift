import Layouts
import Modeling
import Postgres
import Stores

/// Recorded changes, which become the touched rows of live results.
struct RecordedRows {
  private enum Kind { case inserted, updated, deleted }

  /// The columns of the statements that read changes.
  static let columns = "c.entity, c.key, c.names, c.kind, c.properties, c.former"

  private struct Touched {
    let entity: Entity
    let table: String
    var kinds: [Int64: Kind] = [:]
    /// The changed columns of updated rows; nil if they are unknown.
    var columns: Set<String>? = []
    var former: [String: [Value]] = [:]
    var isUnknown = false
  }

  private let recorded: RecordedTables
  private let names: HistoryNames
  private var tables: [String: Touched] = [:]
  private var pairs: [String: TouchedRows.Table] = [:]

  init(_ recorded: RecordedTables, _ names: HistoryNames) { (self.recorded, self.names) = (recorded, names) }

  /// Adds the change in a row of a result, whose columns begin at `start`.
  mutating func add(_ result: PostgresResult, _ row: Int, from start: Int) {
    let kind = result.int(row, start + 3)
    let former = object(result, row, start + 5)
    guard !result.isNull(row, start),
      let entry = names.entity(Int(truncatingIfNeeded: result.int(row, start))),
      let entity = names.entity(of: entry, in: recorded.model)
    else { return addPair(kind, former) }
    let table = recorded.layout(of: entity).table
    let name = table.lowercased()
    var touched = tables[name] ?? Touched(entity: entity.root, table: table)
    defer { tables[name] = touched }
    guard kind != RecordingBooks.Kind.wholeTable, let key = key(result, row, start, entity) else {
      touched.isUnknown = true
      return
    }
    let folded = Self.fold(touched.kinds[key], kind)
    touched.kinds[key] = folded
    if kind == RecordedKind.update {
      for column in columns(result.text(row, start + 4), entry, entity) { touched.columns?.insert(column) }
    } else if kind == RecordedKind.touch || kind == RecordedKind.insert && folded == .updated {
      // A row that was inserted again may have other values in any column.
      touched.columns = nil
    }
    for (column, text) in former {
      if let value = value(text, table, column, entity) {
        touched.former[column.lowercased(), default: []].append(value)
      }
    }
  }

  private static func fold(_ before: Kind?, _ kind: Int64) -> Kind? {
    switch kind {
    case RecordedKind.insert: before == nil || before == .inserted ? .inserted : .updated
    case RecordedKind.delete: before == .inserted ? nil : .deleted
    default: before ?? .updated
    }
  }

  /// The number of the changed row; nil if it is unknown.
  func key(_ result: PostgresResult, _ row: Int, _ start: Int, _ entity: Entity) -> Int64? {
    guard let interner = recorded.interner(of: entity) else {
      return result.isNull(row, start + 1) ? nil : result.int(row, start + 1)
    }
    guard case .array(let parts)? = try? JSON.parse(result.bytesOfJSON(row, start + 2)) else { return nil }
    let layout = recorded.layout(of: entity)
    guard parts.count == layout.key.columns.count else { return nil }
    var values: [Value] = []
    for (name, part) in zip(layout.key.columns, parts) {
      guard case .string(let text) = part else { return nil }
      guard let value = recorded.tables.form(layout.table, name).raw(text) else { return nil }
      values.append(value)
    }
    return interner.number(of: values)
  }

  private func columns(_ text: String, _ entry: HistoryNames.EntityEntry, _ entity: Entity) -> [String] {
    let words = RecordedChange.words(text)
    var found: [String] = []
    for member in entity.root.family {
      let layout = recorded.layout(of: member)
      for index in (member.parent?.properties.count ?? 0)..<member.properties.count {
        guard let position = names.position(of: index, in: member) else { continue }
        let (word, bit) = position.quotientAndRemainder(dividingBy: RecordedChange.wordLength)
        guard words.indices.contains(word), words[word] >> Int64(bit) & 1 == 1 else { continue }
        found += layout.properties[index].ownColumns.map { layout.columns[$0].name.lowercased() }
      }
    }
    return found
  }

  private func object(_ result: PostgresResult, _ row: Int, _ column: Int) -> [String: String] {
    guard !result.isNull(row, column), case .object(let fields)? = try? JSON.parse(result.bytesOfJSON(row, column))
    else {
      return [:]
    }
    return fields.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
  }

  private func value(_ text: String, _ table: String, _ column: String, _ entity: Entity?) -> Value? {
    let form = recorded.tables.form(table, column)
    guard let value = form.raw(text) else { return nil }
    guard let entity else { return value }
    for member in entity.root.family {
      let layout = recorded.layout(of: member)
      if let type = layout.columns.first(where: { $0.name == column })?.type {
        return ValueCoding.decode(value, as: type)
      }
    }
    return value
  }

  private mutating func addPair(_ kind: Int64, _ fields: [String: String]) {
    guard let name = fields[""] else { return }
    var table = pairs[name.lowercased()] ?? TouchedRows.Table(name: name, entity: nil)
    if kind == RecordingBooks.Kind.wholeTable { table.isUnknown = true }
    for (column, text) in fields where !column.isEmpty {
      guard let value = value(text, name, column, nil) else { continue }
      if kind == RecordingBooks.Kind.pair {
        table.presentReferences[column.lowercased(), default: []].append(value)
      } else {
        table.formerReferences?[column.lowercased(), default: []].append(value)
      }
    }
    pairs[name.lowercased()] = table
  }

  /// The rows that were added, by table.
  var touched: TouchedRows {
    var rows = TouchedRows()
    for (name, touched) in tables {
      var table = TouchedRows.Table(name: touched.table, entity: touched.entity)
      for key in touched.kinds.keys.sorted() {
        switch touched.kinds[key] {
        case .inserted: table.inserted.append(key)
        case .deleted: table.deleted.append(key)
        default: table.updated.append(key)
        }
      }
      table.updatedColumns = touched.columns
      table.formerReferences = touched.former
      table.isUnknown = touched.isUnknown
      if !touched.kinds.isEmpty || touched.isUnknown { rows.tables[name] = table }
    }
    for (name, table) in pairs { rows.tables[name] = table }
    return rows
  }
}

extension PostgresResult {
  /// The text of a `json` or `jsonb`, whose binary form begins with a number of its version.
  func bytesOfJSON(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    let bytes = bytes(row, column)
    guard typeOID(column) == PostgresType.jsonb, !bytes.isEmpty else { return bytes }
    return UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
  }
}

extension ColumnForm {
  /// The value of a column, as packed rows have it, from the server's text; nil for a text that cannot be read so.
  func raw(_ text: String) -> Value? {
    switch kind {
    case .integer: Int64(text).map(Value.int)
    case .boolean: text == "true" || text == "t" ? .int(1) : text == "false" || text == "f" ? .int(0) : nil
    case .real: Double(text).map { $0.isNaN ? Value.null : .double($0 + 0) }
    case .text, .label, .foreign: .string(text)
    case .uuid: .string(text.uppercased())
    case .numeric:
      Array(text.utf8).withUnsafeBytes { parseDecimal($0) }.map { .string($0.canonicalText) } ?? .string(text)
    case .bytes, .instant, .civilTime, .day, .json: nil
    }
  }
}
