import TestSupport

/// Tables of random shapes, and two sets of rows for them that have much in common.
struct GeneratedSchema {
  struct Column {
    var name: String
    var type: String
    var isMandatory = false
    var isUnique = false
    var isKey = false
    /// The table that it refers to, by its place; its key has one column.
    var target: Int?
  }

  struct Table {
    var name: String
    var columns: [Column]
    var isWithoutRowID: Bool
    var keys: [Column] { columns.filter(\.isKey) }
  }

  private(set) var tables: [Table] = []
  private var contents: [[[[String]]]] = []

  init(_ random: inout some RandomNumberGenerator) {
    for number in 0..<(1 + random.below(3)) { tables.append(table(number, &random)) }
    contents = [[], []]
    for table in tables.indices {
      let (first, second) = rows(of: table, &random)
      contents[0].append(first)
      contents[1].append(second)
    }
  }

  private func table(_ number: Int, _ random: inout some RandomNumberGenerator) -> Table {
    let keyCount = random.below(6) == 0 ? 2 : 1
    var columns = (0..<keyCount).map { place in
      Column(
        name: "k\(place)", type: keyCount == 1 && random.below(2) == 0 ? "INTEGER" : "TEXT", isMandatory: true,
        isKey: true)
    }
    for place in 0..<(1 + random.below(4)) {
      let type = ["INTEGER", "REAL", "TEXT", "BLOB"][random.below(4)]
      columns.append(
        Column(
          name: "c\(place)", type: type, isMandatory: random.below(3) == 0,
          isUnique: type != "BLOB" && type != "REAL" && random.below(4) == 0))
    }
    // A reference to an earlier table or to the table itself.
    let single = (0...number).filter { $0 == number ? keyCount == 1 : tables[$0].keys.count == 1 }
    if !single.isEmpty, random.below(2) == 0 {
      let target = single[random.below(single.count)]
      let type = target == number ? columns[0].type : tables[target].keys[0].type
      columns.append(
        Column(name: "r", type: type, isMandatory: target != number && random.below(3) == 0, target: target))
    }
    return Table(name: "t\(number)", columns: columns, isWithoutRowID: random.below(4) == 0)
  }

  /// The statements that make the tables.
  var sql: String {
    tables.map { table in
      let columns = table.columns.map { column in
        var text =
          "\(column.name) \(column.type)\(column.isMandatory ? " NOT NULL" : "")\(column.isUnique ? " UNIQUE" : "")"
        if let target = column.target { text += " REFERENCES \(tables[target].name)(k0)" }
        return text
      }
      let key = "PRIMARY KEY (\(table.keys.map(\.name).joined(separator: ", ")))"
      return
        "CREATE TABLE \(table.name) (\((columns + [key]).joined(separator: ", ")))\(table.isWithoutRowID ? " WITHOUT ROWID" : "");\n"
    }.joined()
  }

  /// The statements that insert one of the two sets of rows.
  func rows(_ set: Int) -> String {
    zip(tables, contents[set]).map { table, rows in
      rows.map { "INSERT INTO \(table.name) VALUES (\($0.joined(separator: ", ")));\n" }.joined()
    }.joined()
  }

  // MARK: Rows

  private func rows(of table: Int, _ random: inout some RandomNumberGenerator) -> ([[String]], [[String]]) {
    let columns = tables[table].columns
    var sets: [[[String]]] = []
    for set in 0..<2 {
      let keys = (0..<12).filter { _ in random.below(4) != 0 }
      var rows: [[String]] = []
      // Unique values are exchanged among the rows of the second set.
      let places = Array(keys.indices)
      let shuffled = set == 1 && random.below(2) == 0 ? places.shuffled(using: &random) : places
      for (place, key) in keys.enumerated() {
        let earlier = set == 1 ? sets[0].first { $0[0] == literal(key, columns[0]) } : nil
        var row: [String] = []
        for (number, column) in columns.enumerated() {
          if column.isKey {
            row.append(literal(key, column))
          } else if column.isUnique {
            row.append(literal(keys[shuffled[place]] + 100, column))
          } else if let target = column.target {
            let others = target == table ? rows.map { $0[0] } : contents[set][target].map { $0[0] }
            row.append(
              others.isEmpty || !column.isMandatory && random.below(3) == 0
                ? "NULL" : others[random.below(others.count)])
          } else if let earlier, random.below(4) != 0 {
            row.append(earlier[number])
          } else {
            row.append(value(column, &random))
          }
        }
        if zip(row, columns).allSatisfy({ $0 != "NULL" || !$1.isMandatory }) { rows.append(row) }
      }
      sets.append(rows)
    }
    return (sets[0], sets[1])
  }

  private func literal(_ number: Int, _ column: Column) -> String {
    column.type == "INTEGER" ? "\(number)" : "'key \(number)'"
  }

  private func value(_ column: Column, _ random: inout some RandomNumberGenerator) -> String {
    if !column.isMandatory, random.below(5) == 0 { return "NULL" }
    let number = random.below(50) - 25
    return switch column.type {
    case "INTEGER": "\(number)"
    case "REAL": "\(Double(number) / 8)"
    case "TEXT": "'it''s \(number) ü'"
    default: "x'00ff\(10 + abs(number))'"
    }
  }
}
