internal import LuaBindings
internal import LuaRuntime
internal import Modeling

/// Suggests the nearest existing name for errors raised by Lua itself.
///
///     attempt to call a nil value (global 'improt')             import
///     attempt to call a nil value (field 'fromat')              format, where the line says string.fromat
struct LuaHints {
  let engine: Engine
  let sources: SourceTexts

  /// Returns the existing name nearest to the one in `message`, an error about a line of the source.
  func suggestion(for message: String, line: String?) -> String? {
    guard let (kind, name) = Self.complaint(in: message) else { return nil }
    switch kind {
    case "global": return nearestName(to: name, in: globals.filter { $0 != name })
    case "field", "method":
      guard let line, let owner = Self.owner(of: name, in: line) else { return nil }
      return nearestName(to: name, in: fields(of: owner).filter { $0 != name })
    default: return nil
    }
  }

  /// The kind and name in `(global 'x')`, at the end of a message.
  private static func complaint(in message: String) -> (kind: String, name: String)? {
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

  /// The fields of the table that a global name stands for.
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
