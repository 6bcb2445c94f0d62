internal import LuaBindings
internal import LuaRuntime
internal import Modeling

/// Help on a name in a text.
package struct Inspection {
  package let name: String
  /// The bytes of the name.
  package let range: Range<Int>
  /// The lines of help: signatures with their summaries, or the properties of an entity.
  package let lines: [(signature: String, summary: String)]
  /// The type of the variable of that name; nil if there is none.
  package let type: String?
}

extension Inspection {
  /// Help on the name at a byte of a text, and the type of its value. No code of scripts runs.
  init?(_ text: String, at offset: Int, _ engine: Engine) {
    let bytes = Array(text.utf8)
    let token = LuaToken.tokens(of: text).first {
      $0.kind == .name && ($0.range.contains(offset) || $0.range.upperBound == offset)
    }
    guard let token else { return nil }
    let name = String(decoding: bytes[token.range], as: UTF8.self)
    var lines = engine.catalog.entries(named: name).map { (signature: $0.signature, summary: $0.summary) }
    if let entity = engine.store?.model.entity(named: name) {
      lines += entity.properties.map { (signature: "\(name).\($0.name)", summary: EntityHelp.typeText($0)) }
    }
    let before = bytes[..<token.range.lowerBound].last
    let isMember = before == UInt8(ascii: ".") || before == UInt8(ascii: ":")
    let type = isMember ? nil : Self.typeOfGlobal(name, engine)
    if lines.isEmpty, type == nil { return nil }
    self.init(name: name, range: token.range, lines: lines, type: type)
  }

  /// Help on the name at a byte of a script that does not run; nil for names of plain Lua.
  init?(script text: String, at offset: Int, _ finder: ThingFinder) {
    let bytes = Array(text.utf8)
    let tokens = LuaToken.tokens(of: text).filter { if case .comment = $0.kind { false } else { true } }
    let place = tokens.firstIndex {
      $0.kind == .name && ($0.range.contains(offset) || $0.range.upperBound == offset)
    }
    guard let place else { return nil }
    let name = tokens[place].text(in: bytes)
    let engine = finder.engine
    let separator = place > 0 ? tokens[place - 1].text(in: bytes) : ""
    var lines: [(signature: String, summary: String)] = []
    if separator == "." || separator == ":" {
      let receiver = LuaExpression(endingAt: tokens[..<(place - 1)], in: bytes).flatMap { finder.thing($0) }
      if case .object(let entity)? = receiver, let index = entity.index(of: name) {
        lines = [EntityHelp.line(at: index, of: entity, in: engine.store)]
      } else if let owner = receiver?.owner {
        lines = engine.catalog.members(of: owner).filter { $0.name == name && $0.kind != .option }.map {
          (signature: $0.signature, summary: $0.summary)
        }
      }
    } else if finder.scope?[name] == nil {
      if let entity = engine.store?.model.entity(named: name) {
        lines = entity.properties.indices.map { EntityHelp.line(at: $0, of: entity, in: engine.store) }
      } else {
        lines = engine.catalog.members(of: "").filter { $0.name == name }.map {
          (signature: $0.signature, summary: $0.summary)
        }
      }
    }
    if lines.isEmpty { return nil }
    self.init(name: name, range: tokens[place].range, lines: lines, type: nil)
  }

  private static func typeOfGlobal(_ name: String, _ engine: Engine) -> String? {
    let stack = engine.lua.stack
    stack.reserve(4)
    defer { stack.pop() }
    return stack.pushGlobal(name) == .nil ? nil : stack.typeName(at: -1)
  }
}
