extension SwiftParser {
  private static let modifiers: Set<String> = [
    "private", "fileprivate", "internal", "public", "open", "package", "static", "final", "lazy", "weak", "unowned",
    "nonisolated", "override", "mutating", "convenience", "required", "dynamic", "indirect",
  ]
  private static let types: Set<String> = ["struct", "class", "enum", "extension", "actor", "protocol"]
  /// Attributes whose arguments are no values: `@available(iOS 26, *)`.
  private static let attributesOfWords: Set<String> = [
    "available", "backDeployed", "objc", "_spi", "_silgen_name", "_cdecl", "inline", "implementation",
  ]
  private static let others: Set<String> = [
    "import", "switch", "for", "while", "repeat", "defer", "throw", "break", "continue", "case",
    "default", "typealias", "fallthrough", "subscript", "deinit",
  ]

  /// Reads statements up to a closing brace or the end.
  package mutating func statements() -> [SwiftStatement] {
    nested(otherwise: []) { parser in
      var statements: [SwiftStatement] = []
      while parser.current.kind != .end, !parser.isSign("}") {
        let start = parser.index
        statements += parser.statement()
        if parser.index == start {
          parser.unexpected("a statement")
          parser.advance()
        }
        parser.endStatement()
      }
      return statements
    }
  }

  /// Wants a new line, a semicolon or a closing brace.
  private mutating func endStatement() {
    if accept(";") || current.beginsLine || isSign("}") || current.kind == .end { return }
    unexpected("an operator or a new line")
    recover()
    while accept(",") || accept(")") || accept("]") || accept("&&") || accept("||") {}
  }

  /// Reads one statement; a declaration may give several.
  private mutating func statement() -> [SwiftStatement] {
    let start = current.range.lowerBound
    var attributes: [SwiftSyntax] = []
    while case .attribute = current.kind { attributes.append(attribute()) }
    let isStatic = skipModifiers()
    guard let word = keyword else { return [valueStatement(from: start)] }
    switch word {
    case "let", "var":
      advance()
      return declarations(attributes, isStatic: isStatic, from: start)
    case "case" where isInEnumeration: return cases(from: start)
    case "func", "init":
      return [function(from: start)]
    case "return":
      advance()
      let value =
        isSign("}") || current.beginsLine ? SwiftSyntax(kind: .unreadable, range: range(from: start)) : value()
      return [SwiftStatement(kind: .returned(value), range: range(from: start))]
    case "do" where readsViews, "for" where readsViews, "guard" where readsViews:
      if let statement = viewStatement(word, from: start) { return [statement] }
      return [skipped(word, from: start)]
    case "guard" where !isMemberSign(next()): return [guarded(from: start)]
    case "do" where next().kind == .sign("{"): return block(from: start)
    case _ where Self.types.contains(word) && isName(next()): return [type(attributes, from: start)]
    case _ where Self.others.contains(word) && !isMemberSign(next()):
      return [skipped(word, from: start)]
    default: return [valueStatement(from: start)]
    }
  }

  private func isName(_ token: SwiftToken) -> Bool { if case .name = token.kind { true } else { false } }

  func isMemberSign(_ token: SwiftToken) -> Bool {
    [.sign("."), .sign("="), .sign("?"), .sign("!")].contains(token.kind)
  }

  /// Skips words such as `private`; returns whether one of them gives what follows to the type.
  private mutating func skipModifiers() -> Bool {
    var isStatic = false
    while let word = keyword, Self.modifiers.contains(word) || word == "class" && isFunctionWord(next()) {
      switch next().kind {
      case .name, .attribute:
        isStatic = isStatic || word == "static" || word == "class"
        advance()
      case .sign("(") where next(3).kind == .sign(")"):
        // private(set)
        for _ in 0..<4 { advance() }
      default: return isStatic
      }
    }
    return isStatic
  }

  private func isFunctionWord(_ token: SwiftToken) -> Bool { [.name("func"), .name("var")].contains(token.kind) }

  private mutating func valueStatement(from start: Int) -> SwiftStatement {
    let left = value()
    for sign in ["=", "+=", "-=", "*=", "/=", "%="] where isSign(sign) {
      advance()
      var right = value()
      if sign != "=" {
        right = SwiftSyntax(kind: .infix(String(sign.dropLast()), [left, right]), range: range(from: start))
      }
      return SwiftStatement(kind: .assignment(left, right), range: range(from: start))
    }
    return SwiftStatement(kind: .value(left), range: range(from: start))
  }

  // MARK: Declarations

  /// Reads `@Query(sort: \.time)`.
  private mutating func attribute() -> SwiftSyntax {
    let start = current.range.lowerBound
    guard case .attribute(let name) = current.kind else { return SwiftSyntax(kind: .unreadable, range: current.range) }
    advance()
    // `@FocusState.Binding`
    while isSign("."), current.touchesPrevious, isName(next()) {
      advance()
      advance()
    }
    let callee = SwiftSyntax(kind: .name(name), range: range(from: start))
    let generics = isSign("<") ? genericArguments() : []
    if Self.attributesOfWords.contains(name), isSign("("), !current.beginsLine {
      skipBrackets()
      return callee
    }
    guard isSign("("), current.touchesPrevious, !current.beginsLine else {
      return generics.isEmpty
        ? callee : SwiftSyntax(kind: .call(callee, generics: generics, []), range: range(from: start))
    }
    let arguments = arguments(closing: ")")
    return SwiftSyntax(kind: .call(callee, generics: generics, arguments), range: range(from: start))
  }

  /// Reads what follows `let` or `var`.
  private mutating func declarations(
    _ attributes: [SwiftSyntax], isStatic: Bool, from start: Int
  ) -> [SwiftStatement] {
    var statements: [SwiftStatement] = []
    repeat {
      guard let name = word else {
        // A pattern such as `(a, b)`.
        unexpected("a name")
        recover()
        return statements
      }
      advance()
      var declaration = SwiftDeclaration(name: name, attributes: attributes)
      declaration.isStatic = isStatic
      if accept(":") { declaration.type = type() }
      if accept("=") { declaration.value = value() }
      if isSign("{"), !current.beginsLine || declaration.value == nil {
        declaration.isComputed = ![.name("willSet"), .name("didSet")].contains(next().kind)
        declaration.body = body(of: name)
      }
      statements.append(SwiftStatement(kind: .declaration(declaration), range: range(from: start)))
    } while accept(",")
    return statements
  }

  /// Reads a function or an initialiser; its parameters are declarations without a value before its statements.
  private mutating func function(from start: Int) -> SwiftStatement {
    advance()
    let name = word ?? "init"
    while current.kind != .end, !isSign("("), !isSign("{"), !current.beginsLine || word == name { advance() }
    let parameters = isSign("(") ? self.parameters() : []
    while acceptWord("async") || acceptWord("throws") || acceptWord("rethrows") {}
    let returned = accept("->") ? type() : nil
    while current.kind != .end, !isSign("{"), !isSign("}"), !current.beginsLine { advance() }
    let inner = isSign("{") ? body(of: name) : []
    let statements = inner.isEmpty ? [] : parameters + inner
    return SwiftStatement(kind: .scope(name, returned, statements), range: range(from: start))
  }

  /// Reads a type with its inheritance; its generic parameters and conditions on them are skipped.
  private mutating func type(_ attributes: [SwiftSyntax], from start: Int) -> SwiftStatement {
    let keyword = word ?? ""
    advance()
    var declaration = SwiftTypeDeclaration(
      keyword: keyword, name: word ?? "", place: current.range, attributes: attributes, inherited: [], statements: [])
    advance()
    while current.kind != .end, !isSign("{"), !isSign(":"), !isWord("where") {
      if isSign("<") {
        while current.kind != .end, !isSign(">"), !isSign("{") { advance() }
      } else {
        advance()
      }
    }
    if accept(":") {
      repeat {
        while case .attribute = current.kind { advance() }
        if word != nil { declaration.inherited.append(type()) }
      } while accept(",") || accept("&")
    }
    while current.kind != .end, !isSign("{") { advance() }
    let outer = isInEnumeration
    isInEnumeration = keyword == "enum"
    expect("{")
    declaration.statements = statements()
    expect("}")
    isInEnumeration = outer
    return SwiftStatement(kind: .type(declaration), range: range(from: start))
  }

  /// Reads `case open, closed = "shut", moved(to: Place)`.
  private mutating func cases(from start: Int) -> [SwiftStatement] {
    advance()
    var statements: [SwiftStatement] = []
    repeat {
      guard let name = word else {
        unexpected("a name")
        recover()
        return statements
      }
      let place = current.range.lowerBound
      advance()
      let carriesValues = isSign("(")
      if carriesValues { skipBrackets() }
      let value = accept("=") ? value() : nil
      statements.append(
        SwiftStatement(
          kind: .enumerationCase(name, value, carriesValues: carriesValues), range: range(from: place)))
    } while accept(",")
    return statements
  }

  /// Reads statements in braces where they can be about requests; views and the like are not looked into.
  private mutating func body(of name: String) -> [SwiftStatement] {
    let start = index
    skipBrackets()
    let end = index
    rewind(to: start)
    // The version of a schema is often computed.
    let isSchema = ["versionIdentifier", "models"].contains(name)
    guard readsViews || name != "body" && (isSchema || readsBodies && mentionsRequest(before: end)) else {
      skipBrackets()
      return []
    }
    advance()
    if isWord("get"), next().kind == .sign("{") {
      advance()
      advance()
      let inner = statements()
      expect("}")
      expect("}")
      return inner
    }
    let inner = statements()
    expect("}")
    return inner
  }

  private func mentionsRequest(before end: Int) -> Bool {
    let words: Set<String> = [
      "NSPredicate", "NSCompoundPredicate", "NSFetchRequest", "FetchRequest", "SectionedFetchRequest",
      "FetchDescriptor", "Query", "fetchRequest", "ResultsObserver", "HistoryDescriptor",
    ]
    return (0..<max(0, end - index)).contains { offset in
      switch next(offset).kind {
      // `_quakes = .init(...)`
      case .name(let name) where name.hasPrefix("_") && name.count > 1: next(offset + 1).kind == .sign("=")
      case .name(let name): words.contains(name)
      case .pound(let name): name == "Predicate"
      default: false
      }
    }
  }
}
