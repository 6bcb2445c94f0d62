internal import Modeling
internal import Queries
internal import Stores

/// An entity on a request's paths, with the columns of its rows that the paths read.
///
/// The nodes of a request are a tree: paths with the same beginning share nodes.
final class DependencyNode {
  let entity: Entity
  /// The table name in lower case.
  let table: String
  /// The relevant columns, in lower case; nil for all.
  private(set) var columns: Set<String>? = []
  private(set) var steps: [BackwardStep] = []
  /// The tables of this node and its descendants; valid once the tree is complete.
  private(set) lazy var tables: Set<String> = steps.reduce(into: [table]) { tables, step in
    if let pairs = step.pairsTable { tables.insert(pairs) }
    tables.formUnion(step.node.tables)
  }

  private let layout: EntityLayout
  private let store: any ObjectStore
  /// Generated columns that are not stored: no commit reports their changes.
  private let virtualColumns: Set<String>

  init(_ entity: Entity, _ store: any ObjectStore) throws {
    self.entity = entity
    self.store = store
    layout = store.layout(of: entity)
    table = asciiLowercased(layout.table)
    virtualColumns = try store.computedColumns(of: entity)
    if let discriminator = layout.discriminator?.column { add(columns: [discriminator]) }
  }

  /// Adds columns that a path reads.
  func add(columns names: [String]) {
    for name in names.map(asciiLowercased) {
      if virtualColumns.contains(name) { addSources(of: name) } else { columns?.insert(name) }
    }
  }

  /// Marks every column as relevant.
  func addAllColumns() { columns = nil }

  /// Adds a path that begins here.
  ///
  /// - Throws: PredicateError for names that the model does not have.
  func add(_ path: PropertyPath) throws {
    let resolved = try path.resolve(in: entity)
    var node = self
    for hop in resolved.hops { node = try node.follow(hop) }
    if let attribute = resolved.attribute { node.addAttribute(attribute, of: resolved.end) }
  }

  private func addAttribute(_ index: Int, of owner: Entity) {
    let layout = store.layout(of: owner)
    if case .column(let column) = layout.properties[index] { add(columns: [layout.columns[column].name]) }
  }

  /// A generated column depends on other columns of the row; in a plain SQLite file on any of them.
  private func addSources(of column: String) {
    let derivation = layout.properties.indices.lazy.compactMap { [layout, entity] index -> String? in
      guard case .column(let place) = layout.properties[index],
        asciiLowercased(layout.columns[place].name) == column
      else { return nil }
      return entity.properties[index].attribute?.derivation
    }.first
    guard let derivation, let paths = (try? Queries.Expression.parse(derivation))?.paths else { return addAllColumns() }
    for path in paths {
      guard let resolved = try? path.resolve(in: entity), resolved.hops.isEmpty,
        let attribute = resolved.attribute
      else { return addAllColumns() }
      addAttribute(attribute, of: resolved.end)
    }
  }

  /// Returns the node at the end of a relationship; adds the columns that join both rows.
  private func follow(_ hop: ResolvedPath.Hop) throws -> DependencyNode {
    if let known = steps.first(where: { $0.relationship == hop.index && $0.owner === hop.owner }) { return known.node }
    let node = try DependencyNode(hop.destination, store)
    let step = try BackwardStep(hop.index, from: hop.owner, to: node, store)
    let layout = store.layout(of: hop.owner)
    switch layout.properties[hop.index] {
    case .reference(let places, let target):
      add(columns: places.map { layout.columns[$0].name })
      node.add(target)
    case .inverse(let back, let order):
      if case .reference(let places, let target) = node.layout.properties[back] {
        node.add(columns: places.map { node.layout.columns[$0].name } + (order.map { [$0] } ?? []))
        add(target)
      }
    case .join(let join):
      add(join.ownerTarget)
      node.add(join.memberTarget)
    case .column, .none: break
    }
    steps.append(step)
    return node
  }

  private func add(_ target: ReferenceTarget) {
    if case .columns(let names) = target { add(columns: names) }
  }

  /// Whether rows of the table were touched in relevant columns.
  func isTouched(by table: TouchedRows.Table) -> Bool {
    !table.inserted.isEmpty || !table.deleted.isEmpty || isUpdated(by: table)
  }

  /// Whether rows of the table have other values in a relevant column.
  func isUpdated(by table: TouchedRows.Table) -> Bool {
    guard !table.updated.isEmpty else { return false }
    guard let columns, let updated = table.updatedColumns else { return true }
    return !columns.isDisjoint(with: updated)
  }
}
