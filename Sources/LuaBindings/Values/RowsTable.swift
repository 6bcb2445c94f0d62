public import LuaRuntime
internal import Modeling
public import Stores

// Rows of SQL as Lua tables.
extension Call {
  /// Pushes a list of a cursor's remaining rows, each a table by column.
  func pushRows(of cursor: ValueCursor) throws {
    stack.reserve(8)
    stack.pushTable()
    keepOrder(of: cursor.columns)
    var number: Int64 = 0
    while try cursor.step() {
      number += 1
      engine.values.pushRow(of: cursor, on: stack)
      stack.rawSet(element: number, at: -2)
      if number & 0xFFF == 0 { try engine.lua.checkInterrupt() }
    }
  }

  /// Stores the order of the columns with the list of rows on the top, for its display: a Lua table has no order.
  func keepOrder(of columns: [String]) { stack.keepOrder(of: columns) }

  /// Pushes the rows of a dictionary request as tables; object IDs become objects.
  func pushRows(of cursor: ValueCursor, context: BoundContext) throws {
    defer { cursor.close() }
    stack.reserve(8)
    stack.pushTable()
    keepOrder(of: cursor.columns)
    var number: Int64 = 0
    while try cursor.step() {
      number += 1
      try pushRow(of: cursor, context: context)
      stack.rawSet(element: number, at: -2)
      if number & 0xFFF == 0 { try engine.lua.checkInterrupt() }
    }
  }

  /// Pushes rows of values as tables by column.
  func push(rows: [[Value]], _ columns: [String], _ context: BoundContext) throws {
    stack.reserve(8)
    stack.pushTable(array: Int32(clamping: rows.count))
    keepOrder(of: columns)
    for (index, row) in rows.enumerated() {
      try context.push(row: row, columns, on: stack)
      stack.rawSet(element: Int64(index + 1), at: -2)
    }
  }

  /// Pushes one row of a dictionary request.
  func pushRow(of cursor: ValueCursor, context: BoundContext) throws {
    stack.pushTable(hash: Int32(clamping: cursor.columns.count))
    for (column, name) in cursor.columns.enumerated() {
      try context.push(cursor.value(column), of: cursor.composite(column), on: stack)
      stack.rawSet(field: name, at: -2)
    }
  }
}

extension LuaStack {
  /// Stores the order of the columns with the list of rows on the top.
  fileprivate func keepOrder(of columns: [String]) {
    pushTable(hash: 2)
    push("Rows")
    rawSet(field: "__name", at: -2)
    pushTable(array: Int32(clamping: columns.count))
    for (number, name) in columns.enumerated() {
      push(name)
      rawSet(element: Int64(number + 1), at: -2)
    }
    rawSet(field: "__columns", at: -2)
    setMetatable(of: -2)
  }
}

extension LuaValues {
  /// Pushes a cursor's current row as a table by column.
  fileprivate func pushRow(of cursor: ValueCursor, on stack: LuaStack) {
    stack.pushTable(hash: Int32(clamping: cursor.columns.count))
    for (column, name) in cursor.columns.enumerated() {
      push(cursor.value(column), on: stack)
      stack.rawSet(field: name, at: -2)
    }
  }
}

/// The list that `store:sql` returns, made of rows while something else reads them.
public final class GrowingRows {
  /// The list.
  public let list: LuaReference
  private let engine: Engine
  private var count: Int64 = 0

  /// Makes an empty list of rows with columns.
  public init(_ columns: [String], _ engine: Engine) {
    self.engine = engine
    let stack = engine.lua.stack
    stack.reserve(8)
    stack.pushTable()
    stack.keepOrder(of: columns)
    list = stack.popReference()
  }

  /// Adds a cursor's current row.
  public func add(_ cursor: ValueCursor) {
    let stack = engine.lua.stack
    stack.reserve(8)
    stack.push(list)
    engine.values.pushRow(of: cursor, on: stack)
    count += 1
    stack.rawSet(element: count, at: -2)
    stack.pop()
  }
}
