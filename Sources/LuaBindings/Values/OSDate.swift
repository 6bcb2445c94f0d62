internal import LuaRuntime
internal import Modeling

/// `os.date([pattern [, time]])`: Lua's own function, which takes a Date for the time, too.
enum OSDate {
  /// Replaces the function in the table `os`.
  static func install(in engine: Engine) {
    let stack = engine.lua.stack
    stack.reserve(4)
    defer { stack.pop() }
    guard stack.pushGlobal("os") == .table else { return }
    stack.pushFunction { [unowned engine] stack in
      let call = Call(engine: engine, stack: stack, owner: nil, name: "os.date", skipping: 0)
      return try call.push(run(call))
    }
    stack.rawSet(field: "date", at: -2)
  }

  private static func run(_ call: Call) throws -> ReturnValue {
    let stack = call.stack
    var pattern = Array("%c".utf8)[...]
    if !call.isMissing(1) {
      guard let given = stack.bytes(at: call.index(1)) else { throw call.expected("a pattern such as \"%Y-%m-%d\"", 1) }
      pattern = given[...]
    }
    let isUTC = pattern.first == UInt8(ascii: "!")
    if isUTC { pattern = pattern.dropFirst() }
    let seconds = try seconds(call)
    let date = try DateFormat(seconds, isUTC: isUTC, for: call)
    guard pattern.starts(with: "*t".utf8) else {
      return .value(.data(try date.text(Array(pattern), for: call)))
    }
    return table(of: date)
  }

  /// The time in the second argument: a Date, a whole number of seconds, or now.
  private static func seconds(_ call: Call) throws -> Double {
    if call.isMissing(2) { return Timestamp.now.seconds }
    if let seconds = call.engine.values.dates.payload(at: call.index(2), on: call.stack) { return seconds }
    guard let whole = call.stack.integer(at: call.index(2)) else {
      throw call.expected("a Date or a whole number of seconds", 2)
    }
    return Double(whole)
  }

  private static func table(of date: DateFormat) -> ReturnValue {
    let fields = date.fields
    // C does not know it of every time zone.
    let isDaylightSaving: ReturnValue = fields.tm_isdst < 0 ? .luaNil : .boolean(fields.tm_isdst != 0)
    return .record([
      ("year", .integer(Int(fields.tm_year) + 1900)), ("month", .integer(Int(fields.tm_mon) + 1)),
      ("day", .integer(Int(fields.tm_mday))), ("hour", .integer(Int(fields.tm_hour))),
      ("min", .integer(Int(fields.tm_min))), ("sec", .integer(Int(fields.tm_sec))),
      ("yday", .integer(Int(fields.tm_yday) + 1)), ("wday", .integer(Int(fields.tm_wday) + 1)),
      ("isdst", isDaylightSaving),
    ])
  }
}
