internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries

/// The objects of a request as rows, read on demand; the request is counted afterwards.
final class RequestRows: TabularSource {
  let columns: [TabularColumn]
  let rowName: String?
  private let context: ObjectContext
  private let request: FetchRequest
  private let cells: ObjectCells
  private var cursor: ObjectCursor?
  private var hasEnded = false
  private var total: Int?

  /// The most rows that the store steps over to find the last ones.
  private static let mostSkipped = 200_000

  init(_ request: FetchRequest, in context: ObjectContext, _ columns: EntityColumns, isData: Bool) {
    self.request = request
    self.context = context
    self.columns = columns.columns
    rowName = request.entity.name
    cells = ObjectCells(columns, isData: isData)
  }

  func next() throws -> [Cell]? {
    guard !hasEnded else { return nil }
    let cursor = try self.cursor ?? context.cursor(request)
    self.cursor = cursor
    guard let slot = try cursor.next() else {
      close()
      return nil
    }
    return try cells.cells(of: ManagedObject(table: cursor.objects, slot: slot))
  }

  func totalCount() throws -> Int? {
    close()
    if total == nil { total = try context.count(request) }
    return total
  }

  /// The end by its offset: the order reversed would put objects of equal values in another order. Nil for a result that is so
  /// long that the store would take longer for it than for the beginning.
  func lastRows(_ count: Int) throws -> [[Cell]]? {
    close()
    let limit = request.fetchLimit.flatMap { $0 > 0 ? $0 : nil } ?? .max
    var counted = request
    counted.fetchLimit = min(limit, Self.mostSkipped + 1)
    let total = try context.count(counted)
    guard total <= Self.mostSkipped else { return nil }
    self.total = total
    var tail = request
    tail.fetchOffset = request.fetchOffset +| max(0, total - count)
    tail.fetchLimit = min(count, max(total, 1))
    let cursor = try context.cursor(tail)
    defer { cursor.close() }
    var rows: [[Cell]] = []
    while let slot = try cursor.next() {
      rows.append(try cells.cells(of: ManagedObject(table: cursor.objects, slot: slot)))
    }
    return rows
  }

  private func close() {
    hasEnded = true
    cursor?.close()
    cursor = nil
  }

  deinit { cursor?.close() }
}

/// The objects of a result, a relationship or a list as rows.
final class ObjectRows: TabularSource {
  let columns: [TabularColumn]
  let rowName: String?
  private let count: Int
  private let object: (Int) throws -> ManagedObject
  private let cells: ObjectCells
  private var position = 0

  /// Creates rows of `count` objects; `object` returns the one at a zero-based index.
  init(_ columns: EntityColumns, isData: Bool, count: Int, object: @escaping (Int) throws -> ManagedObject) {
    self.columns = columns.columns
    self.count = count
    self.object = object
    rowName = columns.entity.name
    cells = ObjectCells(columns, isData: isData)
  }

  func next() throws -> [Cell]? {
    guard position < count else { return nil }
    defer { position += 1 }
    return try cells.cells(of: object(position))
  }

  func totalCount() -> Int? { count }

  func lastRows(_ count: Int) throws -> [[Cell]]? {
    try (max(0, self.count - count)..<self.count).map { try cells.cells(of: object($0)) }
  }
}
