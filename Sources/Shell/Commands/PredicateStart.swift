internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Session

/// The initial contents of a predicate's screen.
struct PredicateStart {
  var entity: Entity
  var text = ""
  var sortDescriptors: [SortDescriptor] = []
  /// A table of Lua with the values of variables, as text.
  var values: String?

  /// The end of the table of Lua that a text begins with.
  static func endOfTable(_ text: Substring) -> String.Index? {
    let bytes = Array(text.utf8)
    var depth = 0
    for token in LuaToken.tokens(of: String(text)) where token.kind == .symbol {
      switch bytes[token.range.lowerBound] {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return text.utf8.index(text.startIndex, offsetBy: token.range.upperBound) }
      default: break
      }
    }
    return nil
  }
}

extension EngineSession {
  /// Reads what stands behind the command.
  func predicateStart(_ text: String) throws(CommandFailure) -> PredicateStart {
    guard !text.isEmpty else { return try startFromLastValue() }
    let name = text.prefix { !$0.isWhitespace && $0 != "{" }
    var start = PredicateStart(entity: try session.parts.tools.entity(String(name)))
    var rest = text.dropFirst(name.count).drop(while: \.isWhitespace)
    // A list of constants begins with a brace, too.
    if rest.prefixMatch(of: /\{\s*[A-Za-z_]\w*\s*=[^=]/) != nil, let end = PredicateStart.endOfTable(rest) {
      start.values = String(rest[..<end])
      rest = rest[end...].drop(while: \.isWhitespace)
    }
    start.text = String(rest)
    return start
  }

  /// `.predicate` alone continues with the request or predicate in `_`.
  private func startFromLastValue() throws(CommandFailure) -> PredicateStart {
    let stack = engine.lua.stack
    stack.pushGlobal("_")
    defer { stack.pop() }
    switch try? EngineValue(at: -1, on: stack, in: engine) {
    case .request(let request, let context) where context === engine.mainContext:
      return PredicateStart(
        entity: request.entity, text: request.predicate?.inlined.format ?? "", sortDescriptors: request.sortDescriptors)
    case .entity(let entity, _): return PredicateStart(entity: entity)
    case .predicate(let predicate):
      let fitting = (engine.store?.model.entities ?? []).filter { (try? predicate.check(in: $0)) != nil }
      if fitting.count == 1 { return PredicateStart(entity: fitting[0], text: predicate.inlined.format) }
    default: break
    }
    throw .missingArgument("an entity", known: engine.store?.model.entities.map(\.name) ?? [])
  }
}
