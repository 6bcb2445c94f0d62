internal import LuaRuntime
internal import Modeling

/// An error of the engine as scripts catch it: it can be printed and concatenated, and has `kind`, `message`, `details`
/// and `position`.
final class RaisedError: Bound {
  static let luaName = "Error"
  var place: String { "error" }

  let error: any Error
  let report: ErrorReport
  /// `file:line` of the script's code that failed, if Lua knows it.
  let position: String?

  init(_ error: any Error, at position: String?) {
    self.error = error
    self.position = position
    report = ErrorReport(error)
  }

  func summary() -> String { (position.map { "\($0): " } ?? "") + report.message }

  static let members: [Member<RaisedError>] = [
    .property(
      "kind", "error.kind", "One word for the kind of error, such as `predicate`, `validation` or `busy`.",
      sandbox: .allowed
    ) {
      call, error in
      .text(error.report.kind)
    },
    .property("message", "error.message", "What is wrong, without the place.", sandbox: .allowed) { call, error in
      .text(error.report.message)
    },
    .property("position", "error.position", "`file:line` of the code that failed, or nil.", sandbox: .allowed) {
      call, error in
      error.position.map { .text($0) } ?? .nothing
    },
    .property(
      "details", "error.details", "The single mistakes: tables with `message` and what else is known of each.",
      sandbox: .allowed
    ) { call, error in
      .pushing { [engine = call.engine] in error.report.pushDetails(engine, on: $0) }
    },
  ]
}

extension ErrorReport {
  fileprivate func pushDetails(_ engine: Engine, on stack: LuaStack) {
    stack.pushTable(array: Int32(clamping: details.count))
    for (number, detail) in details.enumerated() {
      stack.pushTable(hash: 4)
      stack.push(detail.message)
      stack.rawSet(field: "message", at: -2)
      for (name, value) in detail.fields {
        stack.push(value)
        stack.rawSet(field: name, at: -2)
      }
      for (name, value) in detail.values {
        engine.values.push(value, on: stack)
        stack.rawSet(field: name, at: -2)
      }
      if let excerpt = detail.excerpt {
        stack.push(excerpt.text)
        stack.rawSet(field: "text", at: -2)
        stack.push(excerpt.line.columns.lowerBound + 1)
        stack.rawSet(field: "column", at: -2)
        if let file = excerpt.file {
          stack.push(file)
          stack.rawSet(field: "file", at: -2)
          stack.push(Int64(excerpt.lineNumber))
          stack.rawSet(field: "line", at: -2)
        }
      }
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }
}

extension RaisedError {
  static func luaClass(of engine: Engine) -> LuaClass<RaisedError> {
    engine.classes.make(RaisedError.self) { definition in
      definition.metamethod(.concatenate) { stack in
        let text = try stack.toDisplayString(at: 1) + stack.toDisplayString(at: 2)
        stack.push(text)
        return 1
      }
    }
  }
}

extension Engine {
  /// Pushes the Lua value for an error that a bound function threw.
  func pushError(_ error: any Error, on stack: LuaStack) {
    let position = stack.position(level: 1)
    classes.push(RaisedError(error, at: position.isEmpty ? nil : String(position.dropLast(2))), on: stack)
  }

  /// Returns the report of an error, with its place.
  public func report(_ error: any Error) -> ErrorReport {
    guard let error = error as? LuaError else { return ErrorReport(error) }
    if error.kind == .runtime, let raised = raised(error) {
      var report = raised.report
      report.position = raised.position
      report.traceback = error.traceback
      return report
    }
    var report = ErrorReport(error)
    report.traceback = error.traceback
    return report
  }

  /// The error of the engine in a Lua error; nil for other errors.
  func raised(_ error: LuaError) -> RaisedError? {
    guard let value = error.value, !lua.isClosed else { return nil }
    lua.stack.push(value)
    defer { lua.stack.pop() }
    return classes.object(RaisedError.self, at: -1, on: lua.stack)
  }
}
