internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// An observer of an expression's value for one object.
final class ValueObserver {
  let order: Int
  /// The observer's name in messages.
  let name: String
  let body: (Value, Value, ObjectChange) -> Void
  private let expression: CompiledExpression
  /// The object's ID, because the object itself need not stay in memory.
  private(set) var id: ObjectID
  private var last: Value
  /// The root entities whose objects the expression reads.
  private let roots: Set<Entity>
  private var knownTables: Set<String>?
  /// Whether the last attempt to read the value failed.
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

  /// Whether the value may have changed.
  func concerns(_ round: RoundChanges, _ store: any ObjectStore) -> Bool {
    if round.touched.isEmpty || !round.touched.isComplete || round.isWithinTransaction { return true }
    return !tables(in: store).isDisjoint(with: round.touched.tables.keys)
  }

  /// Returns the new and the old value if they differ; nil for a deleted object.
  ///
  /// - Throws: the error of reading the value; then nothing is reported, and the next round reads it again.
  func next(_ round: RoundChanges, in context: ObjectContext) throws -> (new: Value, old: Value)? {
    for settled in round.settled where settled.root === id.entity.root && settled.oldKey == id.key {
      if let newKey = settled.newKey { id = ObjectID(entity: id.entity, key: newKey) }
    }
    let object = context.object(id)
    let value = try object.isDeleted || !object.exists() ? .null : expression.value(of: object)
    guard value != last else { return nil }
    defer { last = value }
    return (value, last)
  }

  /// The tables of the entities, and the join tables between them, in lower case.
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
