import Modeling
import SQLite

/// Checks of references and of the history.
extension CoreDataVerifier {
  mutating func checkLink(_ link: CoreDataLinks.Column) throws {
    let (table, column) = (quotedName(link.table), "s.\(quotedName(link.name))")
    let destination = quotedName(store.layout(of: link.destination).table)
    let rows = "\(table) AS s LEFT JOIN \(destination) AS d ON d.Z_PK = \(column)"
    let source = "s.Z_ENT IN \(family(link.source)) AND \(column) IS NOT NULL"
    try report(
      .destination, link.table, subject: link.property ?? link.name,
      """
      SELECT s.Z_PK, 'a \(link.destination.name)', \(column) FROM \(rows)
      WHERE \(source) AND (d.Z_PK IS NULL OR d.Z_ENT NOT IN \(family(link.destination)))
      """)
    if let name = link.entityColumn {
      let entity = "s.\(quotedName(name))"
      try report(
        .destinationEntity, link.table, subject: name,
        """
        SELECT s.Z_PK, d.Z_ENT, \(entity) FROM \(rows)
        WHERE s.Z_ENT IN \(family(link.source)) AND (\(column) IS NULL OR d.Z_PK IS NOT NULL) AND \(entity) IS NOT d.Z_ENT
        """)
    }
    if let order = link.order { try checkOrder(link.table, owner: link.name, order: order, family(link.source)) }
    try checkInverse(link, rows, source)
  }

  private mutating func checkInverse(_ link: CoreDataLinks.Column, _ rows: String, _ source: String) throws {
    guard let inverse = link.inverse, let index = link.destination.index(of: inverse),
      case let layout = store.layout(of: link.destination), case .reference(let columns, _) = layout.properties[index],
      let place = columns.first
    else { return }
    // Apple's own apps leave the other end of a one-to-one empty; only another object there is a contradiction.
    let back = "d.\(quotedName(layout.columns[place].name))"
    try report(
      .inverse, link.table, subject: link.property ?? link.name,
      "SELECT s.Z_PK, s.Z_PK, \(back) FROM \(rows) WHERE \(source) AND d.Z_PK IS NOT NULL AND \(back) <> s.Z_PK")
  }

  private mutating func checkOrder(_ table: String, owner: String, order: String, _ family: String? = nil) throws {
    let (name, owner, place) = (quotedName(table), quotedName(owner), quotedName(order))
    let condition = family.map { "Z_ENT IN \($0) AND \(owner) IS NOT NULL" } ?? "\(owner) IS NOT NULL"
    try report(
      .order, table, subject: order,
      "SELECT rowid, 'a place', \(place) FROM \(name) WHERE \(condition) AND \(place) IS NULL")
    try report(
      .order, table, subject: order,
      """
      SELECT max(rowid), 'a place of its own', \(place) FROM \(name) WHERE \(condition) AND \(place) IS NOT NULL
      GROUP BY \(owner), \(place) HAVING count(*) > 1
      """)
  }

  mutating func checkPairs(_ pairs: CoreDataLinks.Pairs) throws {
    for end in pairs.ends {
      let column = "s.\(quotedName(end.column))"
      let destination = quotedName(store.layout(of: end.entity).table)
      try report(
        .pair, pairs.table, subject: end.column,
        """
        SELECT s.rowid, 'a \(end.entity.name)', \(column)
        FROM \(quotedName(pairs.table)) AS s LEFT JOIN \(destination) AS d ON d.Z_PK = \(column)
        WHERE d.Z_PK IS NULL OR d.Z_ENT NOT IN \(family(end.entity))
        """)
      if let order = end.order { try checkOrder(pairs.table, owner: end.column, order: order) }
    }
  }

  // MARK: Files

  mutating func checkFiles() throws {
    var named: Set<String> = []
    for (table, column) in coreData.externalColumns {
      let name = quotedName(column)
      let sql = "SELECT Z_PK, \(name) FROM \(quotedName(table)) WHERE \(ExternalData.isMarker(name))"
      for row in try connection.all(sql) {
        guard case .int(let key) = row[0], case .data(let bytes) = row[1], let name = ExternalData.fileName(bytes)
        else {
          continue
        }
        named.insert(name)
        if !coreData.externalData.hasFile(name) {
          problems.append(
            StoreProblem(
              rule: .externalData, table: table, key: key, subject: column, expected: "the file \(name)",
              found: "nothing"))
        }
      }
    }
    let kept = named.union(coreData.externalFiles.fresh)
    for name in coreData.externalData.fileNames where !kept.contains(name) {
      problems.append(
        StoreProblem(rule: .externalData, table: "", subject: name, expected: "a row that names it", found: "nothing"))
    }
  }

  // MARK: History

  mutating func checkHistory() throws {
    guard let tables = try CoreDataHistoryTables(connection) else { return }
    let change = CoreDataHistoryTables.change
    try report(
      .history, change, subject: "ZTRANSACTIONID",
      """
      SELECT c.Z_PK, 'a transaction', c.ZTRANSACTIONID FROM ACHANGE AS c
      LEFT JOIN ATRANSACTION AS t ON t.Z_PK = c.ZTRANSACTIONID WHERE t.Z_PK IS NULL
      """)
    let known = coreData.registeredNames.keys.sorted().map(String.init).joined(separator: ", ")
    try report(
      .history, change, subject: "ZENTITY",
      "SELECT Z_PK, 'an entity', ZENTITY FROM ACHANGE WHERE ZENTITY IS NULL OR ZENTITY NOT IN (\(known))")
    try report(
      .history, change, subject: "ZCHANGETYPE",
      "SELECT Z_PK, '0, 1 or 2', ZCHANGETYPE FROM ACHANGE WHERE ZCHANGETYPE IS NULL OR ZCHANGETYPE NOT IN (0, 1, 2)")
    var counted = [
      (change, tables.numbers.change), (CoreDataHistoryTables.transaction, tables.numbers.transaction),
    ]
    if tables.hasStrings {
      counted.append((CoreDataHistoryTables.string, tables.numbers.string))
      for column in ["ZAUTHORTS", "ZCONTEXTNAMETS", "ZBUNDLEIDTS", "ZPROCESSIDTS"] {
        try report(
          .history, CoreDataHistoryTables.transaction, subject: column,
          """
          SELECT t.Z_PK, 'a name', t.\(column) FROM ATRANSACTION AS t LEFT JOIN ATRANSACTIONSTRING AS n ON n.Z_PK = t.\(column)
          WHERE t.\(column) IS NOT NULL AND n.Z_PK IS NULL
          """)
      }
    }
    for (table, number) in counted {
      try report(
        .highestKey, "Z_PRIMARYKEY", subject: table,
        """
        SELECT k.highest, k.highest, (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number))
        FROM (SELECT max(Z_PK) AS highest FROM \(table)) AS k
        WHERE k.highest > coalesce((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)), 0)
        """)
    }
  }
}
