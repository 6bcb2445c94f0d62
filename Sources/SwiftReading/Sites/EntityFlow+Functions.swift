internal import SwiftParsing

// Values that go into functions of the file, and come out of them.
extension EntityFlow {
  /// The entity of the requests that a parameter becomes a part of, in the functions of the same type that a call may mean.
  mutating func entity(ofParameterFor argument: Int, _ callee: Int) -> String? {
    guard let name = file.name(callee), isOwn(callee) else { return nil }
    let label = file.kind(argument - 1) == .sign(":") ? file.name(argument - 2) : "_"
    var found: Set<String?> = []
    for (block, header) in file.functions(named: name) {
      guard file.owner(of: header) == file.owner(of: callee),
        let parameter = parameter(labelled: label, in: header..<block.open)
      else { continue }
      found.insert(entity(ofUsesOf: parameter, in: block.open..<block.close))
    }
    return found.count == 1 ? found.first ?? nil : nil
  }

  /// Whether a name is one of the same type: it stands alone, or behind `self` or `Self`.
  private func isOwn(_ index: Int) -> Bool {
    guard file.kind(index - 1) == .sign(".") else { return true }
    return (file.name(index - 2) == "self" || file.name(index - 2) == "Self") && file.kind(index - 3) != .sign(".")
  }

  /// The name of a parameter with a label: `matching predicate: NSPredicate`.
  private func parameter(labelled label: String?, in header: Range<Int>) -> Int? {
    for place in header where [.sign("("), .sign(",")].contains(file.kind(place)) && file.name(place + 1) == label {
      if file.kind(place + 2) == .sign(":") { return place + 1 }
      if file.name(place + 2) != nil, file.kind(place + 3) == .sign(":") { return place + 2 }
    }
    return nil
  }

  /// The entity of the requests that the result of a function or a computed property becomes a part of, where the file has all of
  /// its uses: `return` or the brace before a single expression is a token.
  mutating func entity(ofResultAt index: Int) -> String? {
    guard let block = functionBlock(around: index), case .function(let header) = block.kind,
      ["func", "var"].contains(file.name(header)), let name = file.name(header + 1), visits(header + 1)
    else { return nil }
    let isFunction = file.name(header) == "func"
    guard isPrivate(header) else {
      share(declaredAt: header + 1, isCall: isFunction)
      return nil
    }
    var found: Set<String> = []
    for place in file.uses(of: name, in: file.tokens.indices) where place != header + 1 && isOwn(place) {
      guard (file.kind(place + 1) == .sign("(")) == isFunction, file.owner(of: place) == file.owner(of: header),
        isFunction || Bindings(file).binding(of: name, at: place)?.name == header + 1
      else { continue }
      let start = file.kind(place - 1) == .sign(".") ? place - 2 : place
      if let entity = follow(start) { found.insert(entity) }
    }
    return found.count == 1 ? found.first : nil
  }

  /// The function or the computed property whose body a `return` ends, or whose only expression follows a brace.
  private func functionBlock(around index: Int) -> SwiftSourceFile.Block? {
    let isReturn = file.name(index) == "return"
    for block in file.blocks(around: isReturn ? index : index + 1) {
      if case .function(let header) = block.kind, isBody(block, header) { return block }
      guard isReturn, isStatement(block) else { return nil }
    }
    return nil
  }

  /// Whether braces are the body of what a header declares; those behind `let a =` are not.
  private func isBody(_ block: SwiftSourceFile.Block, _ header: Int) -> Bool {
    file.name(header) == "func" || !(header..<block.open).contains { file.kind($0) == .sign("=") }
  }

  /// Whether braces are those of `if`, `switch` and their like, rather than of a closure.
  private func isStatement(_ block: SwiftSourceFile.Block) -> Bool {
    let words: Set<String> = ["if", "guard", "else", "for", "while", "switch", "do", "catch", "repeat"]
    let before = file.name(block.open - 1)
    return before.map(words.contains) == true || file.name(statement(before: block.open)).map(words.contains) == true
  }

  /// Whether a declaration is known in its file alone.
  private func isPrivate(_ header: Int) -> Bool {
    !modifiers(before: header).isDisjoint(with: ["private", "fileprivate"])
  }

  /// The words before `func`, `var` or `let`.
  func modifiers(before header: Int) -> Set<String> {
    let known: Set<String> = [
      "private", "fileprivate", "internal", "package", "public", "open", "static", "class", "final", "lazy",
      "nonisolated",
      "override",
    ]
    var found: Set<String> = []
    var place = header - 1
    while let word = file.name(place), known.contains(word) {
      found.insert(word)
      place -= 1
    }
    return found
  }
}
