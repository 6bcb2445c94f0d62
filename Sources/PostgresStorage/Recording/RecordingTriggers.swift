import Layouts
import Modeling
import Stores

/// The triggers that record what is written to a model's tables, once a statement for all its rows.
///
/// The record of a change names the changed properties and the former references. Rows that changed only in an order, or in
/// derived attributes, are recorded as touched. Writes through a store of ours also record the rows themselves, from which
/// a save is undone.
struct RecordingTriggers {
  /// A table with the function that its triggers call.
  struct Subject {
    let table: String
    let body: String
    /// Whether the record names single rows.
    let tellsRows: Bool
  }

  /// The most rows of one transaction that are recorded one by one where no history is kept: more are read again anyway.
  static let mostRows = 20_000
  /// The most rows of one transaction that can be undone, as in a file.
  static let mostImages = 100_000
  /// The prefix of the functions' names.
  static let prefix = "_perilune_on_"
  static let events = ["insert", "update", "delete", "truncate"]

  let books: RecordingBooks
  let model: Model
  let layouts: [Entity: EntityLayout]
  let tables: PostgresTables
  let names: HistoryNames
  /// Whether a history is kept, so that every row counts.
  let keepsAll: Bool
  var subjects: [Subject] = []
  /// The tables whose rows are recorded one by one, by name in lower case.
  private(set) var tableNames: Set<String> = []

  /// Plans the triggers of all tables of a model.
  init(
    _ books: RecordingBooks, _ model: Model, _ layouts: [Entity: EntityLayout], _ tables: PostgresTables,
    _ names: HistoryNames
  ) {
    (self.books, self.model, self.layouts) = (books, model, layouts)
    (self.tables, self.names, keepsAll) = (tables, names, names.isOn)
    var known: Set<String> = []
    let roots = model.entities.filter { $0.parent == nil }
    for root in roots {
      guard let layout = layouts[root], !tables[layout.table].isView, known.insert(layout.table).inserted else {
        continue
      }
      if hasKey(root, layout) {
        add(layout.table, body(of: root, layout), tellsRows: true)
      } else {
        add(layout.table, bodyOfWholeTable(number(of: root).map { "\($0)" } ?? "NULL", layout.table), tellsRows: false)
      }
    }
    for (join, sides) in joins() where known.insert(join.table).inserted {
      add(join.table, body(of: join, sides), tellsRows: true)
    }
  }

  private mutating func add(_ table: String, _ body: String, tellsRows: Bool) {
    subjects.append(Subject(table: table, body: body, tellsRows: tellsRows))
    if tellsRows { tableNames.insert(table.lowercased()) }
  }

  /// Whether rows are known by columns that are unique.
  func hasKey(_ entity: Entity, _ layout: EntityLayout) -> Bool {
    if case .rowID = layout.key { return true }
    return !entity.isReadOnly
  }

  /// The statements that make all functions and triggers.
  var statements: [String] {
    subjects.indices.flatMap { index in
      [function(index)] + triggers(index) { "CREATE TRIGGER \($0) ON \(qualified(subjects[index].table))\($1)()" }
    }
  }

  private func name(_ index: Int) -> String { books.qualified(Self.prefix + "\(index + 1)") }

  /// The statement that makes the function of a subject.
  func function(_ index: Int) -> String {
    """
    CREATE OR REPLACE FUNCTION \(name(index))() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $perilune$
    DECLARE
      _tx xid8;
      _count bigint := 0;
      _written bigint := 0;
      _writer text := nullif(current_setting('\(RecordingBooks.writerSetting)', true), '');
    BEGIN
    \(subjects[index].body)
      RETURN NULL;
    END $perilune$
    """
  }

  /// Calls `statement` with what stands before and behind the table in the triggers of a subject, up to the function's arguments.
  func triggers(_ index: Int, _ statement: (_ beginning: String, _ end: String) -> String) -> [String] {
    Self.events.map { event in
      let rows =
        !subjects[index].tellsRows
        ? ""
        : ["insert": " REFERENCING NEW TABLE AS new_rows", "delete": " REFERENCING OLD TABLE AS old_rows"][event]
          ?? (event == "update" ? " REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows" : "")
      return statement(
        "\(quoted("_perilune_" + event)) AFTER \(event.uppercased())",
        "\(rows)\nFOR EACH STATEMENT EXECUTE FUNCTION \(name(index))")
    }
  }

  /// A short text that differs where statements do.
  static func mark(_ statements: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for statement in statements {
      for byte in statement.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return String(hash, radix: 16)
  }

  /// A table's name with its schema: a trigger must not depend on the search path of others.
  func qualified(_ table: String) -> String {
    guard let schema = tables[table].schema else { return books.qualified(table) }
    return "\(quoted(schema)).\(quoted(tables[table].name))"
  }

  /// The number of triggers.
  var count: Int { subjects.count * Self.events.count }
}

extension ColumnForm {
  /// A column in a form that can be compared with `IS DISTINCT FROM`: as a text where its type has no equality.
  func comparable(_ column: String) -> String {
    switch kind {
    case .label, .foreign: "\(column)::text"
    case .json: typeName == "jsonb" ? column : "\(column)::text"
    default: column
    }
  }
}

/// A text as a constant of SQL.
func quotedText(_ text: String) -> String {
  // Only in a text with escapes (E'…') a backslash is written safely.
  "E" + quoted(text, by: "'", doubling: "\\")
}
