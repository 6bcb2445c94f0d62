internal import LuaRuntime
internal import Modeling

/// Dates in Lua: records of seconds since 1970 with comparison, arithmetic and printing.
enum DateFunctions {
  static let entries: [CatalogEntry] =
    fields.map { field in
      CatalogEntry(
        kind: .property, owner: "Date", name: field.name, signature: "date.\(field.name)", summary: field.summary,
        example: #"Date("2024-01-22")."# + field.name)
    } + [
      CatalogEntry(
        kind: .method, owner: "Date", name: "format", signature: "date:format(pattern) -> string",
        summary: "The date as text, in UTC, with the conversions of `os.date`: `%d.%m.%Y`.",
        example: #"Date("2024-01-22"):format("%d.%m.%Y")"#)
    ]

  /// To add a field, add it here and in `field(_:of:)`.
  fileprivate static let fields: [(name: String, summary: String)] = [
    ("year", "The year in UTC."), ("month", "The month, 1 to 12."), ("day", "The day of the month."),
    ("hour", "The hour, 0 to 23, in UTC."), ("minute", "The minute."),
    ("second", "The second, with its fraction if it has one."), ("weekday", "1 for Sunday to 7 for Saturday."),
    ("timestamp", "Seconds since 1970-01-01T00:00:00Z."),
  ]

  /// Reads a field; the engine is the context.
  fileprivate static let get: LuaRecordGetter = { pointer, payload, field, context in
    let stack = LuaStack(pointer)
    let instant = Timestamp(payload.load(as: Double.self))
    if fields[Int(field)].name == "timestamp" {
      stack.push(instant.seconds)
      return 1
    }
    guard let parts = instant.components else {
      stack.pushNil()
      return 1
    }
    switch fields[Int(field)].name {
    case "year": stack.push(parts.year)
    case "month": stack.push(parts.month)
    case "day": stack.push(parts.day)
    case "hour": stack.push(parts.hour)
    case "minute": stack.push(parts.minute)
    case "second": parts.microsecond == 0 ? stack.push(parts.second) : stack.push(parts.fractionalSecond)
    default: stack.push(parts.weekday)
    }
    return 1
  }

  fileprivate static let set: LuaRecordSetter = { pointer, _, field, _ in
    LuaStack(pointer).raise(ScriptError("", .notSettable(fields[Int(field)].name, of: "a Date")))
  }

  fileprivate static let missing: LuaRawFunction = { pointer, _ in
    let stack = LuaStack(pointer)
    let key = (try? stack.toDisplayString(at: 2)) ?? ""
    let near = nearest(key, entries.map(\.name))
    return stack.raise(ScriptError("", .unknownMember(key, of: "a Date", nearest: near)))
  }
}

extension DateFunctions {
  /// The Lua class of engine.values.dates.
  static func makeClass(of engine: Engine) -> LuaRecordClass<Double> {
    let access = LuaRecordAccess(
      get: get, set: set, missingGet: missing,
      missingSet: missing)
    return LuaRecordClass<Double>(engine.lua, name: "Date", access: access) { definition in
      for (id, field) in fields.enumerated() { definition.property(field.name, id: Int32(id)) }
      definition.method("format") { [unowned engine] stack in try format(stack, engine) }
      definition.metamethod(.toString) { [unowned engine] stack in
        stack.push(Timestamp(engine.values.dates.payload(at: 1, on: stack) ?? .nan).iso8601)
        return 1
      }
      definition.metamethod(.concatenate) { stack in
        let text = try stack.toDisplayString(at: 1) + stack.toDisplayString(at: 2)
        stack.push(text)
        return 1
      }
      defineArithmetic(definition, engine)
    }
  }

  /// `date:format("%Y")`
  private static func format(_ stack: LuaStack, _ engine: Engine) throws -> Int32 {
    let call = Call(engine: engine, stack: stack, owner: nil, name: "Date:format", skipping: 1)
    guard let seconds = engine.values.dates.payload(at: 1, on: stack) else {
      throw call.fail(.expected("a Date; call it with a colon", found: stack.typeName(at: 1)))
    }
    try call.refuseMore(than: 1)
    guard call.type(1) == .string, let pattern = stack.bytes(at: call.index(1)) else {
      throw call.expected("a pattern such as \"%Y-%m-%d\"", 1)
    }
    stack.push(try DateFormat(seconds, isUTC: true, for: call).text(pattern, for: call))
    return 1
  }

  private static func defineArithmetic(_ definition: LuaRecordDefinition, _ engine: Engine) {
    func compare(_ event: LuaMetamethod, _ symbol: String, _ body: @escaping (Double, Double) -> Bool) {
      definition.metamethod(event) { [unowned engine] stack in
        guard let left = engine.values.dates.payload(at: 1, on: stack),
          let right = engine.values.dates.payload(at: 2, on: stack)
        else {
          if event == .equal {
            stack.push(false)
            return 1
          }
          throw ScriptError.operands("Date", symbol, stack)
        }
        stack.push(body(left, right))
        return 1
      }
    }
    compare(.equal, "==", ==)
    compare(.less, "<", <)
    compare(.lessOrEqual, "<=", <=)
    definition.metamethod(.add) { [unowned engine] stack in
      switch (
        engine.values.dates.payload(at: 1, on: stack), engine.values.dates.payload(at: 2, on: stack),
        stack.number(at: 1), stack.number(at: 2)
      ) {
      case (let date?, nil, _, let seconds?), (nil, let date?, let seconds?, _):
        engine.values.dates.push(date + seconds, on: stack)
      default: throw ScriptError.operands("Date", "+", stack)
      }
      return 1
    }
    definition.metamethod(.subtract) { [unowned engine] stack in
      guard let left = engine.values.dates.payload(at: 1, on: stack) else {
        throw ScriptError.operands("Date", "-", stack)
      }
      if let right = engine.values.dates.payload(at: 2, on: stack) {
        stack.push(left - right)
      } else if let seconds = stack.number(at: 2) {
        engine.values.dates.push(left - seconds, on: stack)
      } else {
        throw ScriptError.operands("Date", "-", stack)
      }
      return 1
    }
  }
}

extension ScriptError {
  /// The error that an operator cannot combine the operands at 1 and 2.
  static func operands(_ type: String, _ symbol: String, _ stack: LuaStack) -> ScriptError {
    ScriptError(type, .other("'\(symbol)' cannot combine \(stack.typeName(at: 1)) and \(stack.typeName(at: 2))"))
  }
}
