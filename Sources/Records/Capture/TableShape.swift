import Modeling
package import SQLite
package import StoreErrors

/// A recorded table: its key and its stored columns.
///
/// The names are written into the journal; if the table has other columns later, the save cannot be undone.
package struct RecordedTable: Hashable {
  package enum Key: Hashable {
    /// The row id; unless it is a named column, `VACUUM` may renumber the rows.
    case rowID(isStable: Bool)
    /// The columns of the primary key (WITHOUT ROWID).
    case columns([String])
  }

  package struct Column: Hashable {
    package var name: String
    /// Whether the store computes it. Such a column is reported to observers, but never written or compared.
    package var isComputed: Bool
  }

  package var name: String
  package var key: Key
  /// All stored columns outside the key, computed ones last.
  package var columns: [Column]

  /// The number of columns that are not computed.
  package var plainCount: Int { columns.count { !$0.isComputed } }
}

/// The present definition of a table, as far as the preupdate hook needs it to read rows.
package struct TableShape {
  package let recorded: RecordedTable
  /// A name of the row id that is not also a column's name.
  package let rowIDName: String?
  /// For each column, its index in the hook, and whether it has REAL affinity.
  package let places: [(place: Int32, isReal: Bool)]
  /// For each key column, its index in the table and among the stored columns: the hook uses the one for old and
  /// inserted rows, and the other for updated rows.
  package let keyPlaces: [(place: Int32, stored: Int32, isReal: Bool)]
  /// Whether the hook reports old rows correctly.
  ///
  /// SQLite 3.40.1 counts stored columns only, but applies the affinity of the table's column with that index, and
  /// reports NULL for columns that were added with a default. Such rows are read by a separate query.
  package let isShownWell: Bool
  /// Whether the file has its text as UTF-8.
  package let isUTF8: Bool

  /// Describes a table of the main database; nil for a virtual table or one without a usable key.
  package init?(_ name: String, _ connection: Connection, isComputed: (String) -> Bool) throws(StoreError) {
    let kind = try connection.all(
      "SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'", [.string(name)])
    guard let row = kind.first, row[0] == .string("table") else { return nil }
    let columns = try Self.columns(name, connection)
    let hasPrimaryKeyIndex =
      try connection.first("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'", [.string(name)]) != nil
    let keys = columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
    let isWithoutRowID = row[1] == .int(1)
    let alias = !isWithoutRowID && !hasPrimaryKeyIndex && keys.count == 1 ? keys[0].name : nil
    let rest = columns.filter { $0.isStored && $0.name != alias && !(isWithoutRowID && $0.keyPlace > 0) }
    let ordered =
      rest.filter { !$0.isGenerated && !isComputed($0.name) } + rest.filter { $0.isGenerated || isComputed($0.name) }
    let names = Set(columns.map { asciiLowercased($0.name) })
    rowIDName = isWithoutRowID ? nil : alias ?? ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
    if !isWithoutRowID, rowIDName == nil { return nil }
    recorded = RecordedTable(
      name: name, key: isWithoutRowID ? .columns(keys.map(\.name)) : .rowID(isStable: alias != nil),
      columns: ordered.map {
        RecordedTable.Column(name: $0.name, isComputed: $0.isGenerated || isComputed($0.name))
      })
    places = ordered.map { ($0.place, $0.isReal) }
    keyPlaces = isWithoutRowID ? keys.map { ($0.tablePlace, $0.place, $0.isReal) } : []
    let isAligned = columns.allSatisfy { column in
      // The hook's index of a stored column is another column's index in the table.
      if !column.isStored { return true }
      if column.name == alias { return column.place == column.tablePlace }
      return column.isReal || !columns[Int(column.place)].isReal
    }
    let isWellKeyed = !isWithoutRowID || columns.allSatisfy { $0.isStored && !$0.isReal }
    isUTF8 = try connection.first("PRAGMA encoding") == .string("UTF-8")
    isShownWell = isAligned && isWellKeyed && columns.allSatisfy { !$0.hasDefault }
  }

  private struct Column {
    package var name: String
    /// The index among all columns, and among the stored ones.
    package var tablePlace: Int32
    package var place: Int32
    package var keyPlace: Int64
    package var isReal: Bool
    package var isStored: Bool
    package var isGenerated: Bool
    package var hasDefault: Bool
  }

  private static func columns(_ table: String, _ connection: Connection) throws(StoreError) -> [Column] {
    let sql = "SELECT name, type, dflt_value, pk, hidden FROM pragma_table_xinfo(?)"
    return try connection.with(sql, [.string(table)]) { row throws(StoreError) in
      var columns: [Column] = []
      var stored: Int32 = 0
      while try row.step() {
        let hidden = row.integer(4)
        columns.append(
          Column(
            name: row.text(0), tablePlace: Int32(clamping: columns.count), place: stored, keyPlace: row.integer(3),
            isReal: isReal(row.text(1)),
            isStored: hidden != 2, isGenerated: hidden > 1,
            hasDefault: row.value(2) != .null && asciiLowercased(row.text(2)) != "null"))
        if hidden != 2 { stored += 1 }
      }
      return columns
    }
  }

  /// Whether a declared type has REAL affinity.
  private static func isReal(_ type: String) -> Bool {
    let type = asciiLowercased(type)
    if ["int", "char", "clob", "text", "blob"].contains(where: type.contains) { return false }
    return ["real", "floa", "doub"].contains(where: type.contains)
  }
}
