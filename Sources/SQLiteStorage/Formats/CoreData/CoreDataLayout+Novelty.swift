import Modeling
import SQLite

/// The parts of a store that no known version of the framework makes.
///
/// A version with a higher number may make the same tables as earlier ones: the content of the file decides, not the
/// number.
extension CoreDataLayout {
  /// The highest number of a framework version whose stores are known.
  static let lastKnownFramework = 1499

  /// Whether a later version than those that are known wrote the store.
  var isOfLaterFramework: Bool { schema.metadata.frameworkVersion ?? 0 > Self.lastKnownFramework }

  /// The columns of the framework's own tables. Their columns in addition to these are unknown.
  private static let bookkeeping: [String: Set<String>] = [
    "Z_PRIMARYKEY": ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"], "Z_METADATA": ["Z_VERSION", "Z_UUID", "Z_PLIST"],
    "Z_MODELCACHE": ["Z_CONTENT"],
    "ACHANGE": [
      "Z_PK", "Z_ENT", "Z_OPT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
    ],
    "ATRANSACTION": [
      "Z_PK", "Z_ENT", "Z_OPT", "ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS", "ZTIMESTAMP", "ZAUTHOR",
      "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID", "ZQUERYGEN",
    ],
    "ATRANSACTIONSTRING": ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"],
  ]

  /// The first thing in the file that no known version makes; nil if there is none.
  func novelty(_ connection: Connection) throws(StoreError) -> CoreDataNovelty? {
    let metadata = schema.metadata
    if metadata.hashesVersion != 3 || !metadata.hasUsualHashes { return .hashes(version: metadata.hashesVersion) }
    let claims = placement.claims
    let tables = Set(claims.keys.compactMap { $0.split(separator: ".").first.map(String.init) })
      .union(layouts.values.map { $0.table.uppercased() })
    // The tables behind a virtual table belong to the program that made it.
    let sql = """
      SELECT upper(t.name), upper(c.name) FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
      WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name, c.cid
      """
    var columns: [(table: String, names: [String])] = []
    for row in try connection.all(sql) {
      guard case .string(let table) = row[0], case .string(let column) = row[1] else { continue }
      if columns.last?.table == table {
        columns[columns.count - 1].names.append(column)
      } else {
        columns.append((table, [column]))
      }
    }
    for (table, names) in columns {
      if let known = Self.bookkeeping[table] {
        let isHistory = table == CoreDataHistoryTables.change
        let unknown = names.first {
          !known.contains($0) && !(isHistory && $0.wholeMatch(of: /ZTOMBSTONE[0-9]+/) != nil)
        }
        if let unknown { return .column("\(table).\(unknown)") }
      } else if tables.contains(table) {
        let rest = names.filter { !["Z_PK", "Z_ENT", "Z_OPT"].contains($0) }
        if let unknown = rest.first(where: { !isKnown(claims["\(table).\($0)"]) }) {
          return .column("\(table).\(unknown)")
        }
      } else if table.hasPrefix("Z_") || Set(names).isSuperset(of: ["Z_PK", "Z_ENT", "Z_OPT"]) {
        return .table(table)
      }
    }
    return nil
  }

  /// Whether a column's content is of a type that is known.
  private func isKnown(_ claim: CoreDataClaim?) -> Bool {
    switch claim {
    case nil, .unknown, .attribute(.any, _): false
    case .attribute, .link: true
    }
  }

  /// A sentence about a version that is not known yet; nil if it is known.
  func laterFrameworkNote(_ connection: Connection) throws(StoreError) -> String? {
    guard isOfLaterFramework, let version = schema.metadata.frameworkVersion else { return nil }
    let what = "Version \(version) of Core Data wrote the store, which is later than those known here"
    return try novelty(connection) == nil
      ? "\(what); its tables and hashes are those of known versions."
      : "\(what), and it has parts that are not known: it is only read."
  }
}
