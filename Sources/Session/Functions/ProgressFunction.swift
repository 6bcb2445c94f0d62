internal import LuaBindings
internal import LuaRuntime
internal import Modeling

/// `progress(list [, label])`
///
///     for i, row in progress(rows, "reading") do ... end
///     for i in progress(1000) do ... end
struct ProgressFunction {
  let console: Console

  func install() {
    console.engine.define(
      "progress", "progress(list [, label]) -> iterator",
      "Loops over a list, or from 1 to a number, with a line on the terminal that says how far it is.", inSandbox: true,
      example: #"for i, quake in progress(Quake:fetch(), "reading") do print(i, quake.code) break end"#
    ) { [unowned console] stack in
      guard stack.count > 0 else { throw ArgumentFailure(function: "progress", message: "a value is missing") }
      let label = try Self.label(stack)
      let list = stack.type(at: 1) == .number ? nil : stack.reference(at: 1)
      let count = try Self.count(stack)
      let line = console.beginProgress(label, total: Int(clamping: count), unit: "steps")
      var done: Int64 = 0
      return try stack.pushIterator {
        line.update(Int(clamping: done))
        guard done < count else { return 0 }
        done += 1
        $0.push(done)
        guard let list else { return 1 }
        $0.push(list)
        try $0.get(element: done, at: -1)
        $0.remove(at: -2)
        return 2
      } close: {
        line.finish()
      }
    }
  }

  private static func label(_ stack: LuaStack) throws -> String {
    guard stack.count > 1, stack.type(at: 2) != .nil else { return "" }
    guard stack.type(at: 2) == .string, let label = stack.repairedString(at: 2) else {
      throw ArgumentFailure(
        function: "progress", message: "argument 2: expected a label, got \(stack.typeName(at: 2))")
    }
    return label
  }

  /// How many steps there are.
  private static func count(_ stack: LuaStack) throws -> Int64 {
    if stack.type(at: 1) == .number {
      guard let count = stack.integer(at: 1), count >= 0 else {
        throw ArgumentFailure(
          function: "progress",
          message: "expected a list or a whole number from 0 on, got \(try stack.toDisplayString(at: 1))")
      }
      return count
    }
    guard [.table, .userdata].contains(stack.type(at: 1)), let count = try? stack.length(at: 1) else {
      throw ArgumentFailure(
        function: "progress", message: "expected a list or a whole number from 0 on, got \(stack.typeName(at: 1))")
    }
    return count
  }
}
