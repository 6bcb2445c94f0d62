internal import Foundation
internal import LuaRuntime
internal import Modeling

/// A decimal number in Lua, with exact comparison, arithmetic and printing.
final class BoundDecimal: Bound {
  static let luaName = "Decimal"
  var place: String { "Decimal" }

  let number: Decimal

  init(_ number: Decimal) { self.number = number }

  func summary() -> String { number.canonicalText }

  static let members: [Member<BoundDecimal>] = [
    .method(
      "toNumber", "decimal:toNumber() -> number", "The nearest float, or the integer where it is whole.",
      sandbox: .allowed, example: "()"
    ) {
      call, decimal in
      let text = decimal.number.canonicalText
      return Int(text).map { .integer($0) } ?? .number(Double(text) ?? .nan)
    }
  ]
}

extension BoundDecimal {
  static func luaClass(of engine: Engine) -> LuaClass<BoundDecimal> {
    engine.classes.make(BoundDecimal.self) { definition in
      for (event, symbol, body) in calculations {
        definition.metamethod(event) { [unowned engine] stack in
          let (left, right) = try operands(symbol, on: stack, of: engine)
          engine.values.decimals.push(BoundDecimal(try body(left, right)), on: stack)
          return 1
        }
      }
      for (event, symbol, body) in comparisons {
        definition.metamethod(event) { [unowned engine] stack in
          if event == .equal,
            engine.values.decimal(at: 1, on: stack) == nil || engine.values.decimal(at: 2, on: stack) == nil
          {
            stack.push(false)
            return 1
          }
          let (left, right) = try operands(symbol, on: stack, of: engine)
          stack.push(body(left, right))
          return 1
        }
      }
      definition.metamethod(.negate) { [unowned engine] stack in
        let (number, _) = try operands("-", on: stack, of: engine)
        engine.values.decimals.push(BoundDecimal(-number), on: stack)
        return 1
      }
      definition.metamethod(.concatenate) { stack in
        let text = try stack.toDisplayString(at: 1) + stack.toDisplayString(at: 2)
        stack.push(text)
        return 1
      }
    }
  }

  private static let calculations: [(LuaMetamethod, String, @Sendable (Decimal, Decimal) throws -> Decimal)] = [
    (.add, "+", { $0 + $1 }), (.subtract, "-", { $0 - $1 }), (.multiply, "*", { $0 * $1 }),
    (
      .divide, "/",
      { left, right in
        if right.isZero { throw ScriptError("Decimal", .other("division by zero")) }
        return left / right
      }
    ),
  ]

  private static let comparisons: [(LuaMetamethod, String, @Sendable (Decimal, Decimal) -> Bool)] = [
    (.equal, "==", { $0 == $1 }), (.less, "<", { $0 < $1 }), (.lessOrEqual, "<=", { $0 <= $1 }),
  ]

  private static func operands(
    _ symbol: String, on stack: LuaStack, of engine: Engine
  ) throws -> (Decimal, Decimal) {
    guard let left = engine.values.decimal(at: 1, on: stack), let right = engine.values.decimal(at: 2, on: stack) else {
      throw ScriptError.operands("Decimal", symbol, stack)
    }
    return (left, right)
  }
}
