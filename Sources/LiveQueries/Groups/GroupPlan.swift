internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// A plan for keeping the groups of a request up to date: the reading of their rows, the group keys, the sums, and the
/// shown columns.
///
/// A request with `{ "place" }` as its groups and the columns `n = count`, `spread = max(magnitude) - min(magnitude)` reads of
/// each row the place and the magnitude; it has one key and one argument, the terms are the number of rows, the greatest and
/// the least magnitude, and the last column is computed of two of them.
final class GroupPlan {
  /// The request with its arguments as constants.
  let request: FetchRequest
  /// Reads and evaluates the keys and arguments of rows, as if these were ordered by them.
  let rows: ResultsPlan
  /// The number of group keys, which are the first values of a row.
  let keyCount: Int
  /// The arguments of aggregates, which are the values of a row behind its keys.
  let arguments: [GroupArgument]
  /// The arguments whose values are kept in order.
  let orderedExpressions: [String]
  /// The shown columns of a group.
  let columns: [GroupPart]
  /// Which groups are shown; nil for all.
  let having: CompiledPredicate?
  /// The entity of groups, whose attributes are keys and terms: what `having` and computed columns are evaluated with.
  let groupEntity: Entity
  /// The terms, by attribute of that entity, behind the keys.
  let terms: [GroupTerm]
  /// Whether there is one group, of all rows, also where there are none.
  let isSingle: Bool
  /// Whether a group keeps its place while it has rows, because the order is that of its keys. The place of an object follows the
  /// content of its key.
  let isOrderedByKeys: Bool
  private let order: [GroupPart]
  private let store: any ObjectStore
  private let orderEncoder: SortKeyEncoder
  private let keyEncoder: SortKeyEncoder

  /// The reason why groups cannot be kept up to date by touched rows.
  struct Obstacle: Error {
    let reason: LiveExplanation.GroupObstacle
  }

  /// Finds out how to keep the groups of `request`.
  ///
  /// - Throws: Obstacle where they have to be fetched again; PredicateError, StoreError.
  init(_ request: FetchRequest, _ store: any ObjectStore) throws {
    let request = request.inlined
    (self.request, self.store) = (request, store)
    let draft = try GroupDraft(request, store)
    keyCount = draft.keys.count
    isSingle = draft.keys.isEmpty
    rows = try ResultsPlan(draft.rowRequest, store)
    if let table = rows.dependencies.computedTable { throw Obstacle(reason: .computedTable(table)) }
    if rows.reader.isTimeDependent { throw Obstacle(reason: .timeDependent) }
    arguments = draft.arguments.map(\.argument)
    orderedExpressions = draft.arguments.filter(\.argument.isOrdered).map { "\($0.expression)" }
    groupEntity = draft.entity
    terms = draft.terms
    columns = try draft.columns.map(draft.part)
    do {
      having = try draft.having.map { try CompiledPredicate($0, entity: draft.entity) }
    } catch { throw Obstacle(reason: .expression) }
    order = try draft.order.map { try draft.part($0.expression) } + draft.keys.indices.map(GroupPart.key)
    isOrderedByKeys = order.allSatisfy {
      if case .key(let index) = $0 { draft.entity.properties[index].attribute?.type != .any } else { false }
    }
    orderEncoder = SortKeyEncoder(draft.order.map(\.component) + draft.keyComponents)
    keyEncoder = SortKeyEncoder(draft.keyComponents)
  }

  /// The names of the columns.
  var columnNames: [String] { request.dictionaryColumns }

  /// The key of a row's group.
  func identity(of row: [Value]) -> SortKey {
    keyEncoder.encode(row.count == keyCount ? row : Array(row.prefix(keyCount)))
  }

  /// The sort values of a group, from its parts.
  func sortKey(_ value: (GroupPart) throws -> Value) rethrows -> SortKey {
    orderEncoder.encode(try order.map { ordered(try value($0)) })
  }

  /// The value that stands for another in the order: for an object whose key is no integer the content of the key, because
  /// its number shows only when it was read.
  private func ordered(_ value: Value) -> Value {
    guard case .object(let id) = value, store.layout(of: id.entity).key.integerName == nil else { return value }
    // An object without a row comes last.
    if id.isTemporary { return .data([0xFF]) }
    let values = store.keyValues(of: id.entity, key: id.key)
    if values.count == 1 { return values[0] }
    let key = SortKeyEncoder(values.map { _ in .init(isAscending: true) }).encode(values)
    return .data(withUnsafeBytes(of: key.prefix.bigEndian) { Array($0) } + key.tail)
  }

  /// The values of a row in the store: its keys, then its arguments.
  func values(of row: PlacementRow) -> [Value] { (0..<keyCount + arguments.count).map(row.value) }
}

/// The facts that are kept about the rows of groups for one expression.
struct GroupArgument: Hashable {
  /// How the numbers are added up.
  enum Sum: Hashable {
    /// Integers and doubles.
    case binary
    /// Numbers of any type.
    case general
  }

  /// How its values are added up; nil where only their number or order matters.
  var sum: Sum?
  /// Whether the least value is asked for.
  var hasLeast = false
  /// Whether the greatest value is asked for.
  var hasGreatest = false

  /// Whether the order of its values is kept.
  var isOrdered: Bool { hasLeast || hasGreatest }
}

/// A value that is kept of each group; arguments by their number.
enum GroupTerm: Hashable {
  /// How many rows there are.
  case rows
  /// How many values there are.
  case count(Int)
  case sum(Int)
  case average(Int)
  case least(Int)
  case greatest(Int)
}

/// A value of a group that is shown, sorted by or computed with.
enum GroupPart {
  /// A key, by its number.
  case key(Int)
  /// A term.
  case term(GroupTerm)
  /// An expression of keys and terms.
  case computed(CompiledExpression)
}

/// A group as an expression of its keys and terms sees it.
struct GroupSubject: PredicateSubject {
  let entity: Entity
  let value: (Int) -> Value

  var objectID: ObjectID { ObjectID(entity: entity, key: 0) }
  func attribute(at index: Int) -> Value { value(index) }
  func toOne(at index: Int) -> (any PredicateSubject)? { nil }
  func toMany(at index: Int) -> [any PredicateSubject] { [] }
}
