internal import Modeling
internal import Queries
internal import Storage

/// An entity that paths of a request lead through, and which columns of its rows they read.
///
/// The nodes of a request are a tree: paths that begin alike share their beginning.
final class DependencyNode {
  let entity: Entity
  /// The table in lower case.
  let table: String
  /// The columns that matter, in lower case; nil for all.
  private(set) var columns: Set<String>? = []
  private(set) var steps: [BackwardStep] = []
  /// The tables of this node and those behind it, once the tree is whole.
  private(set) lazy var tables: Set<String> = steps.reduce(into: [table]) { tables, step in
    if let pairs = step.pairsTable { tables.insert(pairs) }
    tables.formUnion(step.node.tables)
  }

  private let layout: EntityLayout
  private let store: any ObjectStore
  /// Columns that are computed when they are read: no commit tells of them.
  private let virtualColumns: Set<String>

  init(_ entity: Entity, _ store: any ObjectStore) throws {
    self.entity = entity
    self.store = store
    layout = store.layout(of: entity)
    table = asciiLowercased(layout.table)
    virtualColumns = try store.computedColumns(of: entity)
    if let discriminator = layout.discriminator?.column { add(columns: [discriminator]) }
  }

  /// Notes that these columns are read.
  func add(columns names: [String]) {
    for name in names.map(asciiLowercased) {
      if virtualColumns.contains(name) { addSources(of: name) } else { columns?.insert(name) }
    }
  }

  /// Notes that every column is read.
  func addAllColumns() { columns = nil }

  /// Notes that a path is read from here.
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

  /// A computed column is read from others of the row; those of a file made elsewhere may be any.
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

  /// The node that a relationship leads to; what ties the rows of both is read.
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

  /// Whether rows of the table were touched in a way that counts here.
  func isTouched(by table: TouchedRows.Table) -> Bool {
    !table.inserted.isEmpty || !table.deleted.isEmpty || isUpdated(by: table)
  }

  /// Whether rows of the table have other values in a column that counts here.
  func isUpdated(by table: TouchedRows.Table) -> Bool {
    guard !table.updated.isEmpty else { return false }
    guard let columns, let updated = table.updatedColumns else { return true }
    return !columns.isDisjoint(with: updated)
  }
}
