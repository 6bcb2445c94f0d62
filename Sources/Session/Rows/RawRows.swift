internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Stores

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
  /// Whether rows may be those of subentities.
  private let isFamily: Bool
  private var plans: [Entity: Plan] = [:]
  private var lastEntity: Entity?
  private var lastPlan = Plan()
  private var scratch = ScratchBuffer()

  /// How the row of an entity is read.
  private struct Plan {
    var cells: [CellPlan] = []
    /// The columns of keys of several columns, one key behind the other.
    var keyColumns: [Int] = []
  }

  /// How a column of the output is read from a row. It holds no reference, as it is looked at for each cell.
  private enum CellPlan {
    case column(Int, AttributeType)
    /// A key of several columns: a range of the plan's `keyColumns`.
    case key(Range<Int>)
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
    isFamily = !request.entity.subentities.isEmpty
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
    if isFamily || lastEntity == nil { usePlan(of: cursor.entity) }
    scratch.reset()
    for index in lastPlan.cells.indices {
      switch lastPlan.cells[index] {
      case .column(let column, let type): row.append(cell(column, type))
      case .key(let range): row.append(key(lastPlan.keyColumns[range]))
      case .sealed(let column): row.append(sealed(column))
      case .none: row.append(.null)
      }
    }
    return true
  }

  private func usePlan(of entity: Entity) {
    guard entity !== lastEntity else { return }
    lastEntity = entity
    lastPlan = plans[entity] ?? plan(of: entity)
    plans[entity] = lastPlan
  }

  private func plan(of entity: Entity) -> Plan {
    let layout = store.layout(of: entity)
    var plan = Plan()
    for index in indices {
      let own = layout.properties[index].ownColumns
      if own.count > 1 {
        plan.cells.append(.key(plan.keyColumns.count..<plan.keyColumns.count + own.count))
        plan.keyColumns += own
      } else if let column = own.first {
        let kept = layout.columns[column]
        plan.cells.append(kept.encoding.isSealed ? .sealed(column) : .column(column, kept.type))
      } else {
        plan.cells.append(.none)
      }
    }
    return plan
  }

  private func cell(_ column: Int, _ type: AttributeType) -> RawCell {
    switch cursor.value(column) {
    case .null: .null
    case .integer(let number):
      type.showsIntegers ? .integer(number) : cell(ValueCoding.decode(integer: number, as: type), noBytes)
    case .real(let number):
      type.showsReals ? .real(number) : cell(ValueCoding.decode(real: number, as: type), noBytes)
    case .text(let bytes):
      type.showsTexts
        ? .text(bytes.assumingMemoryBound(to: UInt8.self)) : cell(ValueCoding.decode(text: bytes, as: type), bytes)
    case .blob(let bytes): cell(ValueCoding.decode(blob: bytes, as: type), bytes)
    }
  }

  private var noBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

  /// The contents of external data or of an archive.
  private func sealed(_ column: Int) -> RawCell {
    guard let kept = lastEntity.map({ store.layout(of: $0).columns[column] }), cursor.storageClass(column) == .blob
    else {
      return cell(column, .any)
    }
    let value = store.opened(.data(Array(cursor.bytes(column))), of: kept)
    if case .data(let bytes) = value { return .blob(scratch.keep(bytes)) }
    return cell(value, noBytes)
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
    case .date(let date): .date(scratch.keep(date))
    case .string, .url, .uuid, .object, .list: .text(scratch.keep(value.displayText))
    }
  }

  private func key(_ columns: ArraySlice<Int>) -> RawCell {
    var parts: [String] = []
    for column in columns {
      let cell = cell(column, .any)
      if case .null = cell { return .null }
      parts.append(Cell(cell).keyText)
    }
    return .text(scratch.keep(parts.joined(separator: ",")))
  }
}

/// Which stored values of a type are shown as they are.
extension AttributeType {
  fileprivate var showsIntegers: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .any, .string: true
    default: false
    }
  }

  fileprivate var showsReals: Bool { self == .double || self == .float || self == .any }

  fileprivate var showsTexts: Bool { self == .string || self == .url || self == .any }
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
