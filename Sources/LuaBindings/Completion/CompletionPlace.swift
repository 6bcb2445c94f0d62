/// Where in a piece of Lua the cursor stands, as far as completion cares.
struct CompletionPlace {
  /// What stands before the cursor.
  enum Kind: Equatable {
    /// A name that begins an expression, or nothing yet.
    case name
    /// After `expression.` or `expression:`.
    case member(Path, isMethod: Bool)
    /// A field name in a table given to what `path` calls: `FetchRequest { fe`.
    case field(Path)
    /// Within a string that is an argument of what `path` calls, or the value of the field `option` of its table.
    case string(Path, option: String?)
    case nowhere
  }

  /// An expression that can be followed without running anything: a name and what is done with it.
  struct Path: Equatable {
    enum Step: Equatable {
      case field(String)
      /// `:name(...)`, its arguments left out.
      case method(String)
      /// `(...)`, `{...}` or a string after it.
      case call
      /// `[...]`
      case index
    }

    var root: String
    var steps: [Step] = []
  }

  let kind: Kind
  /// What was typed of the word at the cursor.
  let prefix: String
  /// Where that begins, in bytes.
  let start: Int

  private let bytes: [UInt8]
  private let tokens: [LuaToken]

  /// Reads the text before the cursor.
  init(_ text: String, cursor: Int) {
    let all = Array(text.utf8)
    bytes = Array(all[..<min(max(cursor, 0), all.count)])
    let source = String(decoding: bytes, as: UTF8.self)
    var tokens = LuaToken.tokens(of: source).filter { $0.kind != .comment(isOpen: false) }
    let last = tokens.last
    let touches = last?.range.upperBound == bytes.count
    switch last?.kind {
    case .comment(isOpen: true)?: (kind, prefix, start) = (.nowhere, "", bytes.count)
    case .string(isOpen: true)?:
      tokens.removeLast()
      let opening = last.map { Self.openingLength(of: $0, in: all) } ?? 1
      start = (last?.range.lowerBound ?? 0) + opening
      prefix = String(decoding: bytes[min(start, bytes.count)...], as: UTF8.self)
      kind = Self.Reader(bytes: bytes, tokens: tokens).stringKind()
    case .number? where touches, .string? where touches: (kind, prefix, start) = (.nowhere, "", bytes.count)
    default:
      if let last, touches, last.kind == .name || last.kind == .keyword {
        tokens.removeLast()
        start = last.range.lowerBound
        prefix = last.text(in: bytes)
      } else {
        start = bytes.count
        prefix = ""
      }
      kind = Self.Reader(bytes: bytes, tokens: tokens).nameKind()
    }
    self.tokens = tokens
  }

  /// How many bytes open a string: a quote, or `[==[`.
  private static func openingLength(of token: LuaToken, in bytes: [UInt8]) -> Int {
    guard bytes[token.range.lowerBound] == UInt8(ascii: "[") else { return 1 }
    return 2 + bytes[(token.range.lowerBound + 1)...].prefix { $0 == UInt8(ascii: "=") }.count
  }
}

extension CompletionPlace {
  /// Reads tokens backwards from the cursor.
  fileprivate struct Reader {
    let bytes: [UInt8]
    let tokens: [LuaToken]

    private func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text(in: bytes) : "" }

    private func isName(_ index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].kind == .name }

    private func isString(_ index: Int) -> Bool {
      guard tokens.indices.contains(index), case .string = tokens[index].kind else { return false }
      return true
    }

    /// What a name at the end of the tokens would be.
    func nameKind() -> Kind {
      let end = tokens.count - 1
      switch text(end) {
      case ".": return path(endingAt: end - 1).map { .member($0, isMethod: false) } ?? .nowhere
      case ":": return path(endingAt: end - 1).map { .member($0, isMethod: true) } ?? .nowhere
      case "{", ",", ";":
        if let opening = openBrace(before: end), let callee = callee(before: opening) { return .field(callee) }
        return .name
      default: return .name
      }
    }

    /// What a string at the end of the tokens would be.
    func stringKind() -> Kind {
      let end = tokens.count - 1
      if let callee = callee(before: end + 1) { return .string(callee, option: nil) }
      guard let opening = openBracket(before: end) else { return .nowhere }
      if text(opening) == "(" { return path(endingAt: opening - 1).map { .string($0, option: nil) } ?? .nowhere }
      if text(end) == "=", isName(end - 1) {
        return callee(before: opening).map { .string($0, option: text(end - 1)) } ?? .nowhere
      }
      // A list within a table of options: sortDescriptors = { "
      if text(opening - 1) == "=", isName(opening - 2), let outer = openBrace(before: opening - 3) {
        return callee(before: outer).map { .string($0, option: text(opening - 2)) } ?? .nowhere
      }
      return callee(before: opening).map { .string($0, option: nil) } ?? .nowhere
    }

    /// The path of what is called with the table or string that begins at `index`, parentheses before it left out.
    private func callee(before index: Int) -> Path? {
      if text(index - 1) == "(" { return path(endingAt: index - 2) }
      if text(index - 1) == ",", let opening = openBracket(before: index - 1), text(opening) == "(" {
        return path(endingAt: opening - 1)
      }
      guard isName(index - 1) || isString(index - 1) || text(index - 1) == ")" else { return nil }
      return path(endingAt: index - 1)
    }

    private func openBrace(before index: Int) -> Int? {
      guard let opening = openBracket(before: index), text(opening) == "{" else { return nil }
      return opening
    }

    /// The innermost bracket that is open at `index`.
    private func openBracket(before index: Int) -> Int? {
      var depth = 0
      for place in stride(from: index, through: 0, by: -1) {
        switch text(place) {
        case ")", "}", "]": depth += 1
        case "(", "{", "[":
          if depth == 0 { return place }
          depth -= 1
        default: break
        }
      }
      return nil
    }

    /// The bracket that the one at `index` closes.
    private func opening(of index: Int) -> Int? { openBracket(before: index - 1) }

    /// The expression that ends with the token at `index`.
    private func path(endingAt index: Int) -> Path? {
      var steps: [Path.Step] = []
      var place = index
      while tokens.indices.contains(place) {
        switch text(place) {
        case ")", "}":
          guard let opening = opening(of: place) else { return nil }
          place = opening - 1
          steps.append(.call)
          continue
        case "]":
          guard let opening = opening(of: place) else { return nil }
          place = opening - 1
          steps.append(.index)
          continue
        default: break
        }
        if isString(place) {
          place -= 1
          steps.append(.call)
          continue
        }
        guard isName(place) else { return nil }
        let name = text(place)
        switch text(place - 1) {
        case ".": steps.append(.field(name))
        case ":":
          if steps.last == .call { steps.removeLast() }
          steps.append(.method(name))
        default: return Path(root: name, steps: steps.reversed())
        }
        place -= 2
      }
      return nil
    }
  }
}
