internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Storage
internal import Terminal

/// The stored rows of a request, read without objects and strings, for exports.
///
/// Used only if unsaved changes do not affect the request. Text is passed on as bytes; dates, decimals, UUIDs and
/// unusual encodings are formatted into `scratch`.
final class RawRows: RawTabularSource {
  let columns: [TabularColumn]
  let rowName: String?
  private let request: FetchRequest
  private let store: any ObjectStore
  private let cursor: RowCursor
  private let indices: [Int]
  private var plans: [Entity: [Plan]] = [:]
  private var lastEntity: Entity?
  private var lastPlan: [Plan] = []
  private var scratch = ScratchBuffer()

  /// How a column of the output is read from a row.
  private enum Plan {
    case column(Int, AttributeType)
    /// A key of several columns.
    case columns([Int])
    /// Data that may be external, or an archive.
    case sealed(Int)
    case none
  }

  init(_ request: FetchRequest, in store: any ObjectStore, _ columns: EntityColumns, _ properties: [Int]) throws {
    self.request = request
    self.store = store
    self.columns = columns.columns
    indices = properties
    rowName = request.entity.name
    cursor = try store.cursor(request)
  }

  deinit {
    cursor.close()
    scratch.deallocate()
  }

  func next() throws -> [Cell]? {
    var row: [RawCell] = []
    guard try next(into: &row) else { return nil }
    return row.map(Cell.init)
  }

  func totalCount() throws -> Int? { try store.count(request) }

  func next(into row: inout [RawCell]) throws -> Bool {
    guard try cursor.step() else { return false }
    if cursor.entity !== lastEntity { usePlan(of: cursor.entity) }
    scratch.reset()
    for plan in lastPlan {
      switch plan {
      case .column(let column, let type): row.append(cell(column, type))
      case .columns(let columns): row.append(key(columns))
      case .sealed(let column): row.append(sealed(column))
      case .none: row.append(.null)
      }
    }
    return true
  }

  private func usePlan(of entity: Entity) {
    lastEntity = entity
    let layout = store.layout(of: entity)
    lastPlan =
      plans[entity]
      ?? indices.map { index in
        let own = layout.properties[index].ownColumns
        if own.count > 1 { return .columns(own) }
        guard let column = own.first else { return .none }
        return layout.columns[column].encoding.isSealed ? .sealed(column) : .column(column, layout.columns[column].type)
      }
    plans[entity] = lastPlan
  }

  private func cell(_ column: Int, _ type: AttributeType) -> RawCell {
    switch (cursor.storageClass(column), type) {
    case (.null, _): return .null
    case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64), (.integer, .any), (.integer, .string):
      return .integer(cursor.integer(column))
    case (.real, .double), (.real, .float), (.real, .any): return .real(cursor.real(column))
    case (.text, .string), (.text, .url), (.text, .any):
      return .text(cursor.bytes(column).assumingMemoryBound(to: UInt8.self))
    case (let storage, _):
      let bytes =
        storage == .text || storage == .blob ? cursor.bytes(column) : UnsafeRawBufferPointer(start: nil, count: 0)
      let value = ValueCoding.decode(
        storage, integer: storage == .integer ? cursor.integer(column) : 0,
        real: storage == .real ? cursor.real(column) : 0,
        bytes: bytes, as: type)
      return cell(value, bytes)
    }
  }

  /// The contents of external data or of an archive.
  private func sealed(_ column: Int) -> RawCell {
    guard let kept = lastEntity.map({ store.layout(of: $0).columns[column] }), cursor.storageClass(column) == .blob
    else {
      return cell(column, .any)
    }
    let value = store.opened(.data(Array(cursor.bytes(column))), of: kept)
    if case .data(let bytes) = value { return .blob(scratch.keep(bytes)) }
    return cell(value, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// The cell of a decoded value; data stays where it is.
  private func cell(_ value: Value, _ bytes: UnsafeRawBufferPointer) -> RawCell {
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .integer(number)
    case .double(let number): .real(number)
    case .data: .blob(bytes.assumingMemoryBound(to: UInt8.self))
    case .decimal(let number): .decimal(scratch.keep(number.canonicalText))
    case .json(let json): .json(scratch.keep(json.text))
    case .date(let date): .date(scratch.keep(date.iso8601))
    case .string, .url, .uuid, .object, .list: .text(scratch.keep(value.displayText))
    }
  }

  private func key(_ columns: [Int]) -> RawCell {
    var parts: [String] = []
    for column in columns {
      let cell = cell(column, .any)
      if case .null = cell { return .null }
      parts.append(Cell(cell).keyText)
    }
    return .text(scratch.keep(parts.joined(separator: ",")))
  }
}

extension Cell {
  /// Copies a cell whose bytes belong to another owner.
  fileprivate init(_ raw: RawCell) {
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

  /// The cell's text as a part of a composite key.
  fileprivate var keyText: String {
    switch self {
    case .integer(let value): String(value)
    case .real(let value): value.description
    case .text(let text), .decimal(let text), .json(let text), .date(let text): text
    default: ""
    }
  }
}
