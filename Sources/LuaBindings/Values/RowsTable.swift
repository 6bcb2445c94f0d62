internal import LuaRuntime
internal import Storage

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
      pushRow(of: cursor)
      stack.rawSet(element: number, at: -2)
      if number & 0xFFF == 0 { try engine.lua.checkInterrupt() }
    }
  }

  /// Stores the order of the columns with the list of rows on the top, for its display: a Lua table has no order.
  func keepOrder(of columns: [String]) {
    stack.pushTable(hash: 2)
    stack.push("Rows")
    stack.rawSet(field: "__name", at: -2)
    stack.pushTable(array: Int32(clamping: columns.count))
    for (number, name) in columns.enumerated() {
      stack.push(name)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.rawSet(field: "__columns", at: -2)
    stack.setMetatable(of: -2)
  }

  /// Pushes a cursor's current row as a table by column.
  func pushRow(of cursor: ValueCursor) {
    stack.pushTable(hash: Int32(clamping: cursor.columns.count))
    for (column, name) in cursor.columns.enumerated() {
      engine.push(cursor.value(column), on: stack)
      stack.rawSet(field: name, at: -2)
    }
  }
}
