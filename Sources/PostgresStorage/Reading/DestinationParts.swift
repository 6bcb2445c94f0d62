import Modeling
import Queries
import Stores

/// Parts of a predicate that depend on the destination of a to-one alone, and that the server does not decide.
///
/// They are decided here once for each destination, rather than for each row; the server then looks for rows that refer to one
/// of those for which they are true. This is so where the server expects at least twice as many rows as destinations.
struct DestinationParts {
  /// Fewer rows are decided one by one.
  private static let least = 1000
  /// A longer list of destinations is not sent.
  private static let most = 100_000

  private let entity: Entity
  private unowned let store: PostgresStore
  /// The parts that were decided.
  private(set) var decided: [Predicate] = []

  private let predicate: Predicate
  /// How many rows the server expects to send; nil until this is asked for.
  private var expectedRows: Int?

  init(_ predicate: Predicate, of entity: Entity, _ store: PostgresStore) {
    (self.predicate, self.entity, self.store) = (predicate, entity, store)
  }

  /// The predicate with conditions on the to-ones in place of the parts; it is true for the same rows.
  mutating func replaced() throws -> Predicate { try replaced(in: predicate) }

  private mutating func replaced(in predicate: Predicate) throws -> Predicate {
    let compiler = PostgresCompiler(store)
    if compiler.condition(predicate, at: compiler.place(entity))?.isExact == true { return predicate }
    if let condition = try condition(for: predicate) {
      decided.append(predicate)
      return condition
    }
    switch predicate {
    case .and(let parts): return .and(try parts.map { try replaced(in: $0) })
    case .or(let parts): return .or(try parts.map { try replaced(in: $0) })
    case .not, .comparison, .constant, .expression: return predicate
    }
  }

  /// The condition that the to-one leads to an object for which the predicate is true; nil for a predicate of something else,
  /// or one that is true where it leads to none.
  private mutating func condition(for predicate: Predicate) throws -> Predicate? {
    guard let paths = ValuesRead(predicate)?.details.keys, let first = paths.first?.components.first,
      paths.allSatisfy({
        $0.components.count > 1 && $0.components[0] == first && (try? $0.resolve(in: entity).isToMany) == false
      }), first.entity == nil,
      let index = entity.index(of: first.name), entity.properties[index].relationship?.isToMany == false,
      try CompiledPredicate(predicate, entity: entity)
        .evaluate(ValueSubject(places: ValuePlaces(entity), values: [])) != true
    else { return nil }
    let destination = entity.destination(at: index)
    guard store.interner(of: destination) == nil, try isWorthwhile(destination) else { return nil }
    var request = FetchRequest(destination)
    request.predicate = predicate.replacing { (part, _) -> Expression? in
      guard case .path(let path) = part else { return nil }
      return .path(PropertyPath(Array(path.components.dropFirst()), origin: path.origin))
    }
    request.fetchLimit = Self.most + 1
    let keys = try store.keys(request)
    if keys.count > Self.most { return nil }
    let objects = keys.map { Value.object(ObjectID(entity: destination, key: $0)) }
    return .comparison(Comparison(.path(PropertyPath([first])), .in, .constant(.list(objects))))
  }

  private mutating func isWorthwhile(_ destination: Entity) throws -> Bool {
    if expectedRows == nil { expectedRows = try rows(of: entity, where: predicate) }
    guard let expectedRows, expectedRows >= Self.least else { return false }
    return try rows(of: destination, where: nil) <= expectedRows / 2
  }

  /// How many rows the server expects to select; a number that is too large for any use where it does not say.
  private func rows(of entity: Entity, where predicate: Predicate?) throws -> Int {
    let compiler = PostgresCompiler(store)
    let place = compiler.place(entity)
    let conditions = [
      compiler.family(entity, place.alias, includesSubentities: true),
      predicate.flatMap { compiler.condition($0, at: place)?.sql },
    ].compactMap { $0 }
    var sql: PostgresSQL = "SELECT 1 FROM \(place.source.sql)"
    if !conditions.isEmpty { sql += " WHERE \(conditions.joined(" AND "))" }
    return ServerPlan(try store.pool.run("EXPLAIN \(sql)")).expectedRows ?? Int.max
  }
}
