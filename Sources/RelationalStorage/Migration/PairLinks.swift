import Layouts
import Modeling
import Stores

/// The pairs of to-one relationships during a migration, kept in tables of their own.
struct PairLinks {
  private let connection: any MigrationDatabase
  private let new: ModelLayout
  private let relinks: [TableMigration.Relink]

  init(_ connection: any MigrationDatabase, _ new: ModelLayout, _ relinks: [TableMigration.Relink]) {
    self.connection = connection
    self.new = new
    self.relinks = relinks
  }

  private func table(_ number: Int) -> String { quoteIdentifier("_new_links_\(number)") }

  /// Reads all pairs from the old tables; returns obstacles to writing some of them, and skips those.
  func collect() throws(StoreError) -> [String] {
    var obstacles: [String] = []
    for (number, relink) in relinks.enumerated() {
      let table = table(number)
      try connection.makeLinks(table)
      for select in relink.selects {
        try connection.run("\(connection.insertion.start) \(table) \(select)\(connection.insertion.end)")
      }
      let several = "SELECT owner FROM \(table) GROUP BY owner HAVING count(*) > 1"
      guard case .int(let count)? = try connection.first("SELECT count(*) FROM (\(several)) AS several"), count > 0
      else {
        continue
      }
      let declaration = relink.declaration
      let who = count == 1 ? "1 \(declaration.entity.name) has" : "\(count) \(declaration.entity.name) objects have"
      obstacles.append("\(declaration.entity.name).\(declaration.name): \(who) several, and only one could stay")
      try connection.run("DELETE FROM \(table) WHERE owner IN (\(several))")
    }
    return obstacles
  }

  /// Writes the pairs into the rows of their owners, and drops the tables.
  func write() throws(StoreError) {
    for (number, relink) in relinks.enumerated() {
      let declaration = relink.declaration
      guard let layout = new.layouts[declaration.entity],
        case .reference(let columns, _) = layout.properties[declaration.index]
      else { continue }
      var settings = ["\(quoteIdentifier(layout.columns[columns[0]].name)) = links.member"]
      if let order = declaration.inverse.flatMap({ new.orders[$0] }) {
        settings.append("\(quoteIdentifier(order)) = links.other")
      }
      let target = quoteIdentifier(layout.table)
      try connection.run(
        """
        UPDATE \(target) SET \(settings.joined(separator: ", ")) FROM \(table(number)) AS links
          WHERE links.owner = \(target).\(ModelLayout.key)
        """)
      try connection.execute("DROP TABLE \(table(number))")
    }
  }
}
