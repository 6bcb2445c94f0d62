internal import LuaBindings

/// The expression before the cursor, as far as completion understands it: a root name and its steps.
///
///     store.entities.Quake:where("magnitude > 5"):     root store, steps .entities .Quake :where()
struct LuaExpression: Hashable {
  /// A field, an index, or a call.
  struct Step: Hashable {
    /// The name behind the point or colon; nil for an index.
    var name: String?
    var isCall = false
  }

  var root: String
  /// Whether the root itself is called: `Quake { ... }`.
  var isRootCalled = false
  var steps: [Step] = []

  /// The variable of that name.
  init(root: String) { self.root = root }

  /// Parses backwards from the last token; nil if the expression does not begin with a name.
  init?(endingAt tokens: ArraySlice<LuaToken>, in bytes: [UInt8]) {
    var rest = tokens
    var steps: [Step] = []
    while true {
      let isCall = Self.dropArguments(&rest, bytes)
      if !isCall, rest.last?.text(in: bytes) == "]" {
        guard Self.dropBrackets(&rest, bytes) else { return nil }
        steps.append(Step())
        continue
      }
      guard let name = rest.popLast(), name.kind == .name else { return nil }
      let text = name.text(in: bytes)
      let separator = rest.last?.text(in: bytes)
      guard separator == "." || separator == ":" else {
        root = text
        isRootCalled = isCall
        self.steps = steps.reversed()
        return
      }
      rest = rest.dropLast()
      steps.append(Step(name: text, isCall: isCall))
    }
  }

  /// Removes the arguments of a call: in parentheses, or a single string or table.
  private static func dropArguments(_ rest: inout ArraySlice<LuaToken>, _ bytes: [UInt8]) -> Bool {
    guard let last = rest.last else { return false }
    if case .string(isOpen: false) = last.kind {
      rest = rest.dropLast()
      return true
    }
    let text = last.text(in: bytes)
    guard text == ")" || text == "}" else { return false }
    return dropBrackets(&rest, bytes)
  }

  /// Removes everything from a closing bracket back to its opening bracket.
  private static func dropBrackets(_ rest: inout ArraySlice<LuaToken>, _ bytes: [UInt8]) -> Bool {
    var depth = 0
    while let token = rest.popLast() {
      guard token.kind == .symbol else { continue }
      switch token.text(in: bytes) {
      case ")", "]", "}": depth += 1
      case "(", "[", "{":
        depth -= 1
        if depth == 0 { return true }
      default: break
      }
    }
    return false
  }
}

extension LuaToken {
  /// The token's own text within the bytes that it was read from.
  func text(in bytes: [UInt8]) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
