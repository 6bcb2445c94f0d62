internal import LuaBindings
internal import LuaRuntime
internal import Modeling

/// Suggests the nearest existing name for errors raised by Lua itself.
///
///     attempt to call a nil value (global 'improt')             import
///     attempt to call a nil value (field 'fromat')              format, where the line says string.fromat
package struct LuaHints {
  let engine: Engine
  let sources: SourceTexts

  /// Functions that change data or files, which are never suggested.
  static let writing: Set = ["save", "rollback", "undo", "redo", "import", "export", "edit"]

  /// The mistake that people from elsewhere make, if the line has one.
  func explanation(for message: String, isSyntax: Bool, line: String) -> LuaMistake.Explanation? {
    if let missing = missingStore(message) { return missing }
    let properties = Set((engine.store?.model.entities ?? []).flatMap { $0.properties.map(\.name) })
    return LuaMistake(
      message, isSyntax: isSyntax, line: line, isProperty: { properties.contains($0) }, isKnown: { isKnown($0) }
    ).explanation
  }

  /// Entities are globals of an open store: without one, Lua speaks of a nil value.
  private func missingStore(_ message: String) -> LuaMistake.Explanation? {
    guard message.hasPrefix("attempt to "), let (kind, name) = Self.complaint(in: message), kind == "global",
      engine.store?.model.entities.isEmpty ?? true,
      name.first?.isUppercase == true && nearestKnown(to: name) == nil
        || engine.store == nil && ["store", "context"].contains(name)
    else { return nil }
    let isOpen = engine.store != nil
    return LuaMistake.Explanation(
      message: "there is no '\(name)': \(isOpen ? "the store has no entities" : "no store is open that could have it")",
      note:
        "name a store on the command line, or open one: .open app.sqlite, in scripts use(open \"app.sqlite\")")
  }

  /// Whether a name is that of a global or of a local of the session.
  func isKnown(_ name: String) -> Bool {
    if engine.localNames.contains(name) || engine.scopes.names.contains(name) { return true }
    if name == "self", engine.scopes.object != nil { return true }
    let stack = engine.lua.stack
    stack.reserve(2)
    defer { stack.pop() }
    return stack.pushGlobal(name) != .nil
  }

  /// The global or local that was probably meant.
  func nearestKnown(to name: String) -> String? {
    nearestName(
      to: name,
      in: (globals + engine.localNames + engine.scopes.names).filter { $0 != name && !Self.writing.contains($0) })
  }

  /// Returns the existing name nearest to the one in `message`, an error about a line of the source.
  func suggestion(for message: String, line: String?) -> String? {
    guard let (kind, name) = Self.complaint(in: message) else { return nil }
    switch kind {
    case "global": return nearestKnown(to: name)
    case "field", "method":
      guard let line, let owner = Self.owner(of: name, in: line) else { return nil }
      return nearestName(to: name, in: fields(of: owner).filter { $0 != name })
    default: return nil
    }
  }

  /// The kind and name in `(global 'x')`, at the end of a message.
  static func complaint(in message: String) -> (kind: String, name: String)? {
    guard message.hasSuffix("')"), let open = message.lastIndex(of: "(") else { return nil }
    let parts = message[message.index(after: open)...].dropLast(2).split(separator: " '", maxSplits: 1)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  /// The name before `.name` or `:name` in a line.
  private static func owner(of name: String, in line: String) -> String? {
    let bytes = Array(line.utf8)
    let wanted = Array(name.utf8)
    guard bytes.count > wanted.count else { return nil }
    for start in 1...bytes.count - wanted.count where bytes[start..<start + wanted.count].elementsEqual(wanted) {
      guard bytes[start - 1] == UInt8(ascii: ".") || bytes[start - 1] == UInt8(ascii: ":") else { continue }
      let before = bytes[..<(start - 1)]
      let owner = before.reversed().prefix { $0 == UInt8(ascii: "_") || Character(UnicodeScalar($0)).isASCIIWord }
      if !owner.isEmpty { return String(decoding: owner.reversed(), as: UTF8.self) }
    }
    return nil
  }

  private var globals: [String] { names(in: "_G") }

  /// The fields of the table in a global variable.
  private func fields(of global: String) -> [String] { names(in: global) }

  private func names(in global: String) -> [String] {
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    guard stack.pushGlobal(global) == .table else { return [] }
    var names: [String] = []
    try? stack.forEachPair(at: -1) { stack in
      if stack.type(at: -2) == .string, let name = stack.string(at: -2) { names.append(name) }
    }
    return names
  }
}

extension Character {
  fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}
