/// A file of Swift source as tokens and the brackets that they form, which needs no tree: all of it can be read around a
/// mistake, and around what the parser does not know.
package struct SwiftSourceFile {
  /// A pair of braces.
  package struct Block {
    package enum Kind: Equatable {
      /// The body of a type, or of an extension of it.
      case type(String)
      /// The body of a function, an initialiser or a computed property, whose header begins at a token.
      case function(header: Int)
      case other
    }

    /// Its place in the list of blocks.
    package let number: Int
    package var kind: Kind
    package var open: Int
    package var close: Int
    /// The block around; nil for one of the file itself.
    package var parent: Int?
  }

  package let text: String
  package let bytes: [UInt8]
  package let tokens: [SwiftToken]
  package private(set) var blocks: [Block] = []
  /// The other bracket of each bracket; -1 for other tokens, and for a bracket without another.
  package private(set) var partners: [Int]
  /// The bracket that is open at each token; -1 for none.
  package private(set) var openBrackets: [Int]
  /// The innermost block of each token; -1 for none.
  package private(set) var blockNumbers: [Int]
  /// A name in a block; -1 stands for the file itself.
  private struct BlockName: Hashable {
    var block: Int
    var name: String
  }

  /// Where each name stands behind `let` or `var`, in the order of the file.
  private var declarations: [BlockName: [Int]] = [:]
  /// Where each name stands, in the order of the file.
  private var uses: [String: [Int]] = [:]
  /// The blocks of each function and each type, by their names.
  private var namedBlocks: [String: [Int]] = [:]

  package init(_ text: String) {
    self.text = text
    var lexer = SwiftLexer(text)
    let all = lexer.tokenize()
    bytes = lexer.bytes
    tokens = Self.withoutConditions(all)
    partners = Array(repeating: -1, count: tokens.count)
    openBrackets = partners
    blockNumbers = partners
    pairBrackets()
    findBlocks()
    findNames()
  }

  private mutating func findNames() {
    for (index, token) in tokens.enumerated() {
      guard case .name(let name) = token.kind else { continue }
      uses[name, default: []].append(index)
      guard index > 0, case .name(let word) = tokens[index - 1].kind, word == "let" || word == "var" else { continue }
      declarations[BlockName(block: blockNumbers[index], name: name), default: []].append(index)
    }
    for block in blocks {
      switch block.kind {
      case .type(let name): namedBlocks[name, default: []].append(block.number)
      case .function(let header):
        if let name = name(header + 1) { namedBlocks[name, default: []].append(block.number) }
      case .other: break
      }
    }
  }

  /// The tokens without the lines of `#if` and its like: what stands between is read, whichever part is built.
  private static func withoutConditions(_ all: [SwiftToken]) -> [SwiftToken] {
    var tokens: [SwiftToken] = []
    tokens.reserveCapacity(all.count)
    var isCondition = false
    for token in all {
      if token.beginsLine {
        isCondition = if case .pound(let word) = token.kind { conditions.contains(word) } else { false }
      }
      if !isCondition || token.kind == .end { tokens.append(token) }
    }
    return tokens
  }

  private static let conditions: Set<String> = ["if", "elseif", "else", "endif", "warning", "error", "sourceLocation"]

  // MARK: Brackets

  private mutating func pairBrackets() {
    var open: [Int] = []
    for (index, token) in tokens.enumerated() {
      openBrackets[index] = open.last ?? -1
      guard case .sign(let sign) = token.kind else { continue }
      switch sign {
      case "(", "[", "{": open.append(index)
      case ")", "]", "}":
        let wanted = sign == ")" ? "(" : sign == "]" ? "[" : "{"
        // A bracket that is missing is passed over; a brace ends all brackets within it.
        guard let place = open.lastIndex(where: { tokens[$0].kind == .sign(wanted) }),
          sign == "}" || open[place...].allSatisfy({ tokens[$0].kind != .sign("{") })
        else { continue }
        (partners[open[place]], partners[index]) = (index, open[place])
        open.removeSubrange(place...)
        openBrackets[index] = open.last ?? -1
      default: break
      }
    }
  }

  /// Finds what each pair of braces is the body of, by the words before it.
  private mutating func findBlocks() {
    var open: [Int] = []
    var next = Block.Kind.other
    for (index, token) in tokens.enumerated() {
      blockNumbers[index] = open.last ?? -1
      switch token.kind {
      case .name(let word):
        if let kind = header(word, at: index) { next = kind }
      case .sign("{"):
        if openBrackets[index] >= 0, tokens[openBrackets[index]].kind != .sign("{") { next = .other }
        blocks.append(
          Block(
            number: blocks.count, kind: next, open: index,
            close: partners[index] < 0 ? tokens.count - 1 : partners[index], parent: open.last)
        )
        open.append(blocks.count - 1)
        next = .other
      case .sign("}"):
        if let last = open.last, blocks[last].close == index { open.removeLast() }
        blockNumbers[index] = open.last ?? -1
        next = .other
      case .sign(";"): next = .other
      default: break
      }
    }
  }

  /// What a word announces for the next braces.
  private func header(_ word: String, at index: Int) -> Block.Kind? {
    if index > 0, tokens[index - 1].kind == .sign(".") { return nil }
    switch word {
    case "class", "struct", "enum", "extension", "actor", "protocol":
      // `extension Store.Item`
      var name: String?
      var place = index + 1
      while place < tokens.count, case .name(let part) = tokens[place].kind {
        name = part
        guard place + 1 < tokens.count, tokens[place + 1].kind == .sign(".") else { break }
        place += 2
      }
      guard let name, !["func", "var", "let"].contains(name) else { return nil }
      return .type(name)
    case "func", "init", "subscript": return .function(header: index)
    case "var", "let": return .function(header: index)
    default: return nil
    }
  }

  // MARK: Questions

  /// The token before another; nil at the beginning.
  package func token(before index: Int) -> SwiftToken? { index > 0 && index <= tokens.count ? tokens[index - 1] : nil }

  package func kind(_ index: Int) -> SwiftToken.Kind { tokens.indices.contains(index) ? tokens[index].kind : .end }

  package func name(_ index: Int) -> String? { if case .name(let name) = kind(index) { name } else { nil } }

  /// Where a name stands in a part of the file, in its order.
  package func uses(of name: String, in part: Range<Int>) -> ArraySlice<Int> {
    let all = uses[name] ?? []
    func first(notBefore place: Int) -> Int {
      var (low, high) = (0, all.count)
      while low < high {
        let middle = (low + high) / 2
        if all[middle] < place { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return all[first(notBefore: part.lowerBound)..<first(notBefore: part.upperBound)]
  }

  /// Where a name is declared by `let` or `var` in a block, but not in those within it; nil stands for the file itself.
  package func declarations(of name: String, in block: Block?) -> [Int] {
    declarations[BlockName(block: block?.number ?? -1, name: name)] ?? []
  }

  /// The bodies of a type and its extensions.
  package func types(named name: String) -> [Block] {
    (namedBlocks[name] ?? []).map { blocks[$0] }.filter { $0.kind == .type(name) }
  }

  /// The bodies of the functions of a name, with the first token of each header.
  package func functions(named name: String) -> [(block: Block, header: Int)] {
    (namedBlocks[name] ?? []).compactMap { number in
      guard case .function(let header) = blocks[number].kind, self.name(header) == "func" else { return nil }
      return (blocks[number], header)
    }
  }

  /// The blocks around a token, inner ones first.
  package func blocks(around index: Int) -> [Block] {
    var found: [Block] = []
    var number = tokens.indices.contains(index) ? blockNumbers[index] : -1
    while number >= 0 {
      found.append(blocks[number])
      number = blocks[number].parent ?? -1
    }
    return found
  }

  /// The type around a token, which `Self` is.
  package func owner(of index: Int) -> String? {
    for block in blocks(around: index) { if case .type(let name) = block.kind { return name } }
    return nil
  }

  /// The value that begins at a token, where it is read whole.
  package func value(at index: Int) -> SwiftSyntax? {
    var parser = SwiftParser(self, at: index)
    let value = parser.value()
    return parser.issues.found.isEmpty ? value : nil
  }

  /// The type that begins at a token, where it is read whole.
  package func type(at index: Int) -> TypeSyntax? {
    var parser = SwiftParser(self, at: index)
    let type = parser.type()
    return parser.issues.found.isEmpty ? type : nil
  }

  /// The arguments of a call whose parenthesis is a token, where they are read whole.
  package func arguments(at index: Int) -> [SwiftArgument]? {
    guard kind(index) == .sign("("), partners[index] > index else { return nil }
    var parser = SwiftParser(self, at: index)
    let arguments = parser.arguments(closing: ")")
    return parser.issues.found.isEmpty ? arguments : nil
  }
}
