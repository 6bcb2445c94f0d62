internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Storage

/// One who observes the value of an expression for one object.
final class ValueObserver {
  let order: Int
  /// What messages call it.
  let name: String
  let body: (Value, Value, ObjectChange) -> Void
  private let expression: CompiledExpression
  /// By ID, as the object itself need not be kept in memory.
  private(set) var id: ObjectID
  private var last: Value
  /// The root entities whose objects the value is read from.
  private let roots: Set<Entity>
  private var knownTables: Set<String>?
  /// Whether the value could not be read the last time.
  var hasFailed = false

  init(
    order: Int, name: String?, _ object: ManagedObject, _ expression: Queries.Expression,
    _ body: @escaping (Value, Value, ObjectChange) -> Void
  ) throws {
    self.order = order
    self.body = body
    self.expression = try CompiledExpression(expression, entity: object.entity)
    id = object.objectID
    self.name = name ?? "\(id):observe(\"\(expression)\")"
    var roots: Set<Entity> = [object.entity.root]
    for path in expression.paths {
      for hop in (try? path.resolve(in: object.entity))?.hops ?? [] { roots.insert(hop.destination.root) }
    }
    self.roots = roots
    last = try self.expression.value(of: object)
  }

  /// Whether the value may be another.
  func concerns(_ occasion: Occasion, _ store: any ObjectStore) -> Bool {
    if occasion.touched.isEmpty || !occasion.touched.isComplete { return true }
    return !tables(in: store).isDisjoint(with: occasion.touched.tables.keys)
  }

  /// The new and the old value if they differ; nothing for an object that is gone.
  ///
  /// - Throws: what kept the value from being read; nothing is told then, and the next occasion reads it again.
  func next(_ occasion: Occasion, in context: ObjectContext) throws -> (new: Value, old: Value)? {
    for settled in occasion.settled where settled.root === id.entity.root && settled.oldKey == id.key {
      if let newKey = settled.newKey { id = ObjectID(entity: id.entity, key: newKey) }
    }
    let object = context.object(id)
    let value = try object.isDeleted || !object.exists() ? .null : expression.value(of: object)
    guard value != last else { return nil }
    defer { last = value }
    return (value, last)
  }

  /// The tables of the entities, and of the pairs between them, in lower case.
  func tables(in store: any ObjectStore) -> Set<String> {
    if let knownTables { return knownTables }
    var tables: Set<String> = []
    for entity in roots.flatMap(\.family) {
      let layout = store.layout(of: entity)
      tables.insert(layout.table.lowercased())
      for case .join(let join) in layout.properties { tables.insert(join.table.lowercased()) }
    }
    knownTables = tables
    return tables
  }
}
