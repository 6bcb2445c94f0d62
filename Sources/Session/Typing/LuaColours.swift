package import LuaBindings
package import Presentation

/// The colours of a block of Lua while it is typed: words, the predicates in its strings, names that nothing has, and the
/// brackets at the cursor.
///
/// Created for each block; its knowledge of the session's names does not change while the block is typed.
package final class LuaColours {
  package typealias Mark = (range: Range<Int>, role: Style.Role)

  private let engine: Engine
  private let predicates: PredicateColours
  private lazy var locals = Set(engine.localNames)
  private var known: [String: Bool] = [:]

  package init(_ engine: Engine) {
    self.engine = engine
    predicates = PredicateColours(engine)
  }

  /// The parts of a block that have a colour, in order; those of help queries and of commands have none.
  package func marks(of block: String, at point: Int) -> [Mark] {
    let isLua: Bool
    switch ShellInput(block) {
    case .code: isLua = !SQLHabit.matches(block)
    case .swift: isLua = false
    case .empty, .command, .help, .quit: return []
    }
    let outline = LuaOutline(block)
    var marks: [Mark] = []
    for (index, token) in outline.tokens.enumerated() {
      switch token.kind {
      case .keyword: marks.append((token.range, .keyword))
      case .number: marks.append((token.range, .number))
      case .string: marks += predicates.marks(of: index, in: outline, at: point) ?? [(token.range, .string)]
      case .comment, .name, .symbol: break
      }
    }
    marks += outline.comments.map { ($0.range, .note) }
    if isLua { marks += unknownNames(outline, point) }
    if let (near, far) = outline.brackets(at: point) { marks += [(near, .bracket), (far, .counterpart)] }
    return marks.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private func unknownNames(_ outline: LuaOutline, _ point: Int) -> [Mark] {
    // The text behind a bar may be a command of the system.
    let bar = outline.tokens.indices.first { outline.isSign($0, "|") } ?? outline.tokens.count
    return LuaNames(outline, point: point).free.filter { $0 < bar && !isKnown(outline.text($0)) }.map {
      (outline.tokens[$0].range, .unknown)
    }
  }

  private func isKnown(_ name: String) -> Bool {
    if let known = known[name] { return known }
    let isKnown =
      locals.contains(name) || engine.scopes.names.contains(name) || engine.store?.model.entity(named: name) != nil
      || isGlobal(name)
    known[name] = isKnown
    return isKnown
  }

  private func isGlobal(_ name: String) -> Bool {
    let stack = engine.lua.stack
    stack.reserve(2)
    defer { stack.pop() }
    return stack.pushGlobal(name) != .nil
  }
}
