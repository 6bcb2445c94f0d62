import Modeling
import SQLite

// Dates in files made elsewhere, which SQLite has no type for: texts of ISO 8601, or seconds since 1970.
extension IntrospectedEntities {
  /// How many rows are looked at from each end of a table.
  private static let sampleSize: Int64 = 25
  /// Rows with longer data before a column are not looked at: SQLite would read all of it.
  private static let longestData = 4096

  /// Makes columns attributes of dates whose values all have one form.
  ///
  /// The candidates are columns whose declared type names a date, and columns of text or without a type whose name says a
  /// time. A few rows from both ends of the table decide, so that opening costs the same for tables of any size. If these
  /// hold only nulls, the declared type decides. Keys stay as they are, like the columns that refer to them.
  mutating func findDates(_ connection: Connection) throws(StoreError) {
    for index in all.indices {
      let candidates = dateCandidates(of: all[index].table)
      guard !candidates.isEmpty else { continue }
      let table = all[index].table
      var samples = candidates.map { candidate in
        // A table of Core Data in a file that is no store of it counts from 2001.
        DateSample(candidate.declared, takesSeconds: !table.columns[candidate.column].name.hasPrefix("Z"))
      }
      for sql in sampleStatements(of: table, candidates.map(\.column)) {
        try connection.with(sql) { row throws(StoreError) in
          while try row.step() {
            for place in samples.indices { samples[place].add(row, place) }
          }
        }
      }
      for (candidate, sample) in zip(candidates, samples) {
        guard let encoding = sample.encoding else { continue }
        keepDates(in: candidate.column, of: index, encoding)
      }
    }
    for index in all.indices where all[index].table.kind == .view { findDates(ofView: index, connection) }
  }

  /// Makes columns attributes of dates that are so in the layout of a table with the same name.
  mutating func takeDates(of layouts: [EntityLayout]) {
    for layout in layouts {
      guard let index = index(ofTable: layout.table) else { continue }
      for column in layout.columns where column.type == .date {
        if let place = all[index].columnIndex(column.name) { keepDates(in: place, of: index, column.encoding) }
      }
    }
  }

  /// Makes columns of a view dates that are columns of dates of a table: no row of it is looked at, which may cost anything.
  private mutating func findDates(ofView index: Int, _ connection: Connection) {
    let view = all[index].table
    guard let statement = try? connection.prepare("SELECT * FROM \(quoteIdentifier(view.name))") else { return }
    for column in view.columns.indices {
      guard let origin = statement.origin(ofColumn: column), let source = self.index(ofTable: origin.table),
        let place = all[source].columnIndex(origin.column), all[source].columns[place].type == .date
      else { continue }
      keepDates(in: column, of: index, all[source].columns[place].encoding)
    }
  }

  private mutating func keepDates(in column: Int, of index: Int, _ encoding: ColumnEncoding) {
    guard let property = all[index].properties.firstIndex(where: { $0.place == .column(column) }),
      var attribute = all[index].properties[property].property.attribute
    else { return }
    attribute.type = .date
    if case .string(let text) = attribute.defaultValue {
      // A date that the store would write in another form is left to the store.
      attribute.defaultValue = .null
      all[index].columns[column].hasStoreDefault = true
      attribute.isOptional = true
      if let date = Timestamp(iso8601: text), case .dateText(let form) = encoding, form.text(of: date) == text {
        attribute.defaultValue = .date(date)
        all[index].columns[column].hasStoreDefault = false
        attribute.isOptional = !all[index].table.columns[column].isNotNull
      }
    }
    all[index].properties[property].property = .attribute(attribute)
    all[index].columns[column].type = .date
    all[index].columns[column].encoding = encoding
    let table = all[index].table
    all[index].columns[column].hasTextAffinity =
      table.kind == .table && DeclaredType.makesTexts(table.columns[column].declaredType)
    all[index].columns[column].isExact = false
  }

  /// The columns that may keep dates, with the form that the declared type names, if it names one.
  private func dateCandidates(of table: ForeignTable) -> [(column: Int, declared: DateForm?)] {
    guard table.kind == .table else { return [] }
    var keys = Set(table.foreignKeys.flatMap(\.columns).map(asciiLowercased))
    if table.rowIDName == nil { keys.formUnion(table.primaryKey.map(asciiLowercased)) }
    for target in referencedColumns[asciiLowercased(table.name)] ?? [] {
      keys.formUnion(target.isEmpty ? table.primaryKey.map(asciiLowercased) : target)
    }
    return table.columns.indices.compactMap { index in
      let column = table.columns[index]
      guard !keys.contains(asciiLowercased(column.name)) else { return nil }
      switch DateDeclaration(column) {
      case .declared(let form): return (index, form)
      case .named: return (index, nil)
      case .none: return nil
      }
    }
  }

  /// SELECTs of rows from both ends of a table.
  private func sampleStatements(of table: ForeignTable, _ columns: [Int]) -> [String] {
    var data: [String] = []
    var wanted: [String] = []
    for (index, column) in table.columns.enumerated() {
      let name = quoteIdentifier(column.name)
      if columns.contains(index) {
        let isShort = data.map { "coalesce(length(\($0)), 0)" }.joined(separator: " + ")
        wanted.append(data.isEmpty ? name : "CASE WHEN \(isShort) < \(Self.longestData) THEN \(name) END")
      } else if asciiLowercased(column.declaredType).contains("blob") {
        data.append(name)
      }
    }
    let select = "SELECT \(wanted.joined(separator: ", ")) FROM \(quoteIdentifier(table.name))"
    let key = table.rowIDName.map { [$0] } ?? table.primaryKey
    return ["", " DESC"].map { direction in
      let order = key.map { quoteIdentifier($0) + direction }.joined(separator: ", ")
      return "\(select)\(order.isEmpty ? "" : " ORDER BY \(order)") LIMIT \(Self.sampleSize)"
    }
  }
}
