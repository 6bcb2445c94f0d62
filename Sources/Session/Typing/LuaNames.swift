/// The names of a block that are neither fields nor declared in it: those that must be globals, or locals of the session.
///
///     LuaNames(LuaOutline("local a = 1 print(a.b, c)"), point: 0).free      // the tokens of print and c
package struct LuaNames {
  /// Their tokens.
  package private(set) var free: [Int] = []
  /// The names that the block makes, wherever in it.
  private var declared: Set<String> = ["self", "_ENV", "_G"]
  private let outline: LuaOutline

  /// Reads the names of a block. One that is being typed, with the cursor at its end, is left out, and so are those that may
  /// be about to be assigned.
  package init(_ outline: LuaOutline, point: Int) {
    self.outline = outline
    for index in outline.tokens.indices { declare(at: index) }
    let pending = firstPending
    for index in outline.tokens.indices where index < pending && outline.isName(index) && isFree(index) {
      if outline.tokens[index].range.upperBound == point || declared.contains(outline.text(index)) { continue }
      free.append(index)
    }
  }

  private mutating func declare(at index: Int) {
    if outline.isKeyword(index, "local") || outline.isKeyword(index, "for") {
      declareList(from: index + 1)
    } else if outline.isKeyword(index, "function") {
      declareFunction(from: index + 1)
    } else if outline.isSign(index, "=") {
      declareTargets(before: index)
    }
  }

  /// `a, b <const>`: the names behind `local` and `for`.
  private mutating func declareList(from start: Int) {
    var index = start
    while outline.isName(index) {
      declared.insert(outline.text(index))
      index += 1
      if outline.isSign(index, "<") { index += 3 }
      guard outline.isSign(index, ",") else { return }
      index += 1
    }
  }

  /// `name(a, b)` or `(a, b)`: a function and its parameters.
  private mutating func declareFunction(from start: Int) {
    var index = start
    if outline.isName(index), outline.isSign(index + 1, "(") { declared.insert(outline.text(index)) }
    while outline.isName(index) || outline.isSign(index, ".") || outline.isSign(index, ":") { index += 1 }
    if outline.isSign(index, "(") { declareList(from: index + 1) }
  }

  /// `a, b =`: globals that are assigned.
  private mutating func declareTargets(before end: Int) {
    guard !isField(end - 1) else { return }
    var index = end - 1
    while outline.isName(index) {
      if !isMember(index) { declared.insert(outline.text(index)) }
      guard outline.isSign(index - 1, ",") else { return }
      index -= 2
    }
  }

  /// Whether a name stands behind a point or colon.
  private func isMember(_ index: Int) -> Bool { outline.isSign(index - 1, ".") || outline.isSign(index - 1, ":") }

  /// Whether a name is a key in a table: `{ name = …`.
  private func isField(_ index: Int) -> Bool {
    guard outline.isName(index), let open = outline.openers[index], outline.isSign(open, "{") else { return false }
    return outline.isSign(index + 1, "=")
      && (index - 1 == open || outline.isSign(index - 1, ",") || outline.isSign(index - 1, ";"))
  }

  private func isFree(_ index: Int) -> Bool {
    if isMember(index) || isField(index) || outline.isKeyword(index - 1, "goto") { return false }
    let (before, after) = (outline.text(index - 1), outline.text(index + 1))
    // A label, and an attribute of a local.
    let isLabel = before == "::" && after == "::"
    return !isLabel && !(before == "<" && after == ">" && ["const", "close"].contains(outline.text(index)))
  }

  /// The token from which on the last line is a list of names only, to which `=` may still come.
  private var firstPending: Int {
    var index = outline.tokens.count - 1
    if outline.isSign(index, ",") { index -= 1 }
    while outline.isName(index), !isMember(index) {
      if outline.beginsLine(index) { return index }
      guard outline.isSign(index - 1, ",") else { break }
      index -= 2
    }
    return outline.tokens.count
  }
}
