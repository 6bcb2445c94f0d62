import Modeling

/// The tables of the numbered entities in a store's history.
struct HistoryPlaces {
  /// The table of an entity's rows.
  struct Place {
    /// The name in lower case.
    var table: String
    var name: String
    var entity: Entity
    /// The list of properties by which the entity's changes are recorded.
    var family: Int
  }

  /// A column of a table of pairs that refers to the owner of a relationship.
  struct PairColumn {
    var table: String
    var name: String
    var column: String
  }

  /// The effect of a property list's bits on other tables.
  struct Family {
    /// For bits of relationships in join tables, the columns with their owners.
    var pairs: [Int: [PairColumn]] = [:]
    /// The bits of to-one relationships.
    var references: Set<Int> = []
  }

  /// By entity number, from 1; nil if the model no longer has the entity.
  private var places: [Place?] = []
  private(set) var families: [Family] = []

  /// The tables with store-computed columns.
  var computed: [Place] { places.compactMap { $0 }.filter { computedTables.contains($0.table) } }
  private var computedTables: Set<String> = []

  init() {}

  /// Finds the tables of `names` in a store.
  init(_ names: HistoryNames, _ store: SQLiteStore) {
    families = names.families.map { _ in Family() }
    places = names.entities.map { entry in
      guard !entry.isRetired, let entity = store.model.entity(named: entry.name) else { return nil }
      let table = store.layout(of: entity).table
      return Place(table: asciiLowercased(table), name: table, entity: entity.root, family: entry.family)
    }
    for place in places.compactMap({ $0 }) {
      for entity in place.entity.family {
        let layout = store.layout(of: entity)
        if layout.columns.contains(where: { !$0.isWritable }) { computedTables.insert(place.table) }
        Self.add(entity, names, layout, &families[place.family])
      }
    }
  }

  /// Returns the table of the entity with a number.
  func place(_ number: Int64) -> Place? { places.element(numbered: number) ?? nil }

  private static func add(_ entity: Entity, _ names: HistoryNames, _ layout: EntityLayout, _ family: inout Family) {
    for index in entity.properties.indices {
      guard let position = names.position(of: index, in: entity), family.pairs[position] == nil else { continue }
      switch layout.properties[index] {
      case .reference: family.references.insert(position)
      case .join(let join):
        // A relationship that is its own inverse stores each pair in both directions.
        let columns = join.isSymmetric ? join.ownerColumns + join.memberColumns : join.ownerColumns
        family.pairs[position] = columns.map {
          PairColumn(table: asciiLowercased(join.table), name: join.table, column: asciiLowercased($0))
        }
      default: break
      }
    }
  }
}
