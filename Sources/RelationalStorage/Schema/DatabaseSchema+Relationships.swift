internal import Modeling
package import Stores

extension DatabaseSchema {
  /// Adds what the columns of relationships lead to where the database does not declare it, as in the stores of apps.
  package mutating func addRelationships(of store: any ObjectStoreBasics) {
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      for (index, property) in layout.properties.enumerated() {
        switch property {
        case .reference(let columns, let target):
          let columns = columns.map { layout.columns[$0].name }
          add(columns, of: layout.table, target, of: store.layout(of: entity.destination(at: index)))
        case .join(let join):
          add(join.ownerColumns, of: join.table, join.ownerTarget, of: layout)
          add(
            join.memberColumns, of: join.table, join.memberTarget, of: store.layout(of: entity.destination(at: index)))
        case .column, .inverse, .none: break
        }
      }
    }
  }

  private mutating func add(_ columns: [String], of table: String, _ target: ReferenceTarget, of other: EntityLayout) {
    let targets: [String]
    switch (target, other.key) {
    case (.columns(let names), _), (.key, .columns(let names)): targets = names
    case (.key, .rowID(let name)): targets = [name]
    }
    guard columns.count == 1, targets.count == 1 else { return }
    addForeignKey(columns[0], of: table, to: other.table, targets[0])
  }
}
