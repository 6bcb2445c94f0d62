internal import Modeling
internal import Presentation
internal import Stores

/// Turns the rows of a cursor into cells whose bytes are the cursor's own.
///
/// Text is passed on as bytes; dates, decimals, UUIDs and unusual encodings are formatted into `scratch`.
final class RawRowReader: RawRowSource {
  private let cursor: RowCursor
  private let properties: RawProperties
  private let opened: (Value, ColumnLayout) -> Value
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

  /// Reads properties from the rows of a cursor. `opened` opens values of sealed columns.
  init(_ properties: RawProperties, _ cursor: RowCursor, opened: @escaping (Value, ColumnLayout) -> Value) {
    (self.properties, self.cursor, self.opened) = (properties, cursor, opened)
  }

  deinit {
    cursor.close()
    scratch.deallocate()
  }

  func next(into row: inout [RawCell]) throws -> Bool {
    guard try cursor.step() else { return false }
    if properties.isFamily || lastEntity == nil { usePlan(of: cursor.entity) }
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
    var plan = Plan()
    guard let layout = properties.layouts[entity] else { return plan }
    for index in properties.indices {
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
    guard let kept = lastEntity.flatMap({ properties.layouts[$0]?.columns[column] }),
      cursor.storageClass(column) == .blob
    else {
      return cell(column, .any)
    }
    let value = opened(.data(Array(cursor.bytes(column))), kept)
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
