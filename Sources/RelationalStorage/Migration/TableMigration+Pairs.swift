import Layouts
import Modeling
import Stores

// Relationships whose pairs move to another place in the file.
extension TableMigration {
  /// A to-one relationship whose pairs must be collected before they are written into its owners' rows.
  struct Relink {
    var declaration: ModelLayout.Declaration
    /// SELECTs of owner, member and their places.
    var selects: [String]
  }

  /// The to-one relationships that are not simply copied with their rows.
  var relinks: [Relink] {
    new.model.entities.flatMap { entity in
      new.ownIndices(of: entity).compactMap { index -> Relink? in
        let declaration = ModelLayout.Declaration(entity, index)
        guard case .reference? = new.layouts[entity]?.properties[index], !matching.isDirect(declaration, old) else {
          return nil
        }
        let selects = matching.sources(of: declaration).compactMap { pairs.select($0, for: declaration) }
        return Relink(declaration: declaration, selects: selects)
      }
    }
  }

  func change(of table: TableSchema, _ join: ModelLayout.JoinTable) -> Change {
    let sources = matching.sources(of: join.pair.first)
    if sources.count == 1, pairs.isKept(sources[0], in: join),
      old.schema.table(table.name)?.columns == table.columns
    {
      return .keep
    }
    var columns = [(join.firstColumn, "owner"), (join.secondColumn, "member")]
    if let order = join.firstOrder { columns.append((order, "place")) }
    if let order = join.secondOrder { columns.append((order, "other")) }
    let list = columns.map(\.1).joined(separator: ", ")
    return .make(
      sources.compactMap { source in
        pairs.select(source, for: join.pair.first).map { select in
          Filling(columns: columns.map(\.0), select: SQLText("SELECT \(list) FROM (\(select)) AS pairs"))
        }
      })
  }
}
