internal import Glibc
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Stores

/// The stored rows of a request, read without objects and strings, for exports.
///
/// Used only if unsaved changes do not affect the request.
final class RawRows: RawTabularSource {
  let columns: [TabularColumn]
  let rowName: String?
  private let request: FetchRequest
  private let store: any ObjectStore
  private let properties: RawProperties
  private let reader: RawRowReader

  init(_ request: FetchRequest, in store: any ObjectStore, _ columns: EntityColumns, _ properties: [Int]) throws {
    (self.request, self.store, self.columns) = (request, store, columns.columns)
    self.properties = RawProperties(properties, of: request.entity, in: store)
    rowName = request.entity.name
    reader = RawRowReader(self.properties, try store.cursor(request), opened: store.opened)
  }

  func next() throws -> [Cell]? {
    var row: [RawCell] = []
    guard try next(into: &row) else { return nil }
    return row.map(Cell.init)
  }

  func next(into row: inout [RawCell]) throws -> Bool { try reader.next(into: &row) }

  func totalCount() throws -> Int? { try store.count(request) }

  func writeParts(
    _ write: @escaping @Sendable (_ rows: any RawRowSource, _ sink: OutputSink) throws -> Void,
    _ deliver: (_ bytes: [UInt8], _ rows: Int) throws -> Void
  ) throws -> Bool {
    // What is not in the row is for the store alone to find.
    if properties.areSealed { return false }
    return try store.readParts(
      of: request,
      { [properties] cursor, put in
        let rows = CountedPart(RawRowReader(properties, cursor) { value, _ in value })
        try withoutActuallyEscaping(put) { put in
          let sink = OutputSink { put(Array($0), rows.takeCount()) ? nil : .system(errno: ECANCELED) }
          try write(rows, sink)
          sink.flush()
        }
      }, deliver)
  }
}

/// The properties that are read from rows, and where they are.
struct RawProperties: Sendable {
  let indices: [Int]
  let layouts: [Entity: EntityLayout]
  /// Whether rows may be those of subentities.
  let isFamily: Bool

  init(_ indices: [Int], of entity: Entity, in store: any ObjectStore) {
    self.indices = indices
    isFamily = !entity.subentities.isEmpty
    layouts = Dictionary(uniqueKeysWithValues: entity.family.map { ($0, store.layout(of: $0)) })
  }

  /// Whether some values are external data or archives.
  var areSealed: Bool {
    layouts.values.contains { layout in
      indices.contains { layout.properties[$0].ownColumns.contains { layout.columns[$0].encoding.isSealed } }
    }
  }
}

/// Counts the rows of a part that were read since the last time.
private final class CountedPart: RawRowSource {
  private let rows: RawRowReader
  private var count = 0

  init(_ rows: RawRowReader) { self.rows = rows }

  func next(into row: inout [RawCell]) throws -> Bool {
    guard try rows.next(into: &row) else { return false }
    count += 1
    return true
  }

  func takeCount() -> Int {
    defer { count = 0 }
    return count
  }
}

extension Cell {
  /// Copies a cell whose bytes belong to another owner.
  init(_ raw: RawCell) {
    switch raw {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .bool(let value): self = .bool(value)
    case .text(let bytes): self = .text(String(decoding: bytes, as: UTF8.self))
    case .date(let bytes): self = .date(String(decoding: bytes, as: UTF8.self))
    case .decimal(let digits): self = .decimal(String(decoding: digits, as: UTF8.self))
    case .json(let bytes): self = .json(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): self = .blob(Blob(Array(bytes)))
    }
  }
}
