internal import SwiftParsing

/// Whether a text that was entered where Lua is expected is Swift.
///
///     let now = Date.now                                   no Lua begins like this
///     Table(quakes, sortOrder: $quakes.sortDescriptors) {  a call in both, and Swift by what follows
///     init("a")                                            Lua
///
/// Text that Lua can read is Lua. Where the beginning may be either, the text is Swift if Lua cannot read it, with any
/// continuation, and it has a sign that only Swift has.
public struct SwiftInput {
  /// How Lua reads a text.
  public enum LuaReading {
    case valid, incomplete, invalid
  }

  private static let beginningLength = 2_000

  private let tokens: [SwiftToken]

  /// Whether `text` is Swift; `lua` says how Lua reads it, and is asked only if it matters.
  public static func isSwift(_ text: String, lua: () -> LuaReading) -> Bool {
    let start = text.drop(while: \.isWhitespace)
    guard let first = start.first else { return false }
    if "#@[NF".contains(first) || start.hasPrefix("import "), SwiftOpening(of: text) != nil { return true }
    if start.hasPrefix("//") || start.hasPrefix("/*") { return true }
    guard first.isLetter || "@$._".contains(first) else { return false }
    // A long script of Lua is not read for its first words.
    let beginning = SwiftInput(start.prefix(beginningLength))
    if beginning.beginsAsSwift { return lua() != .valid }
    return beginning.mayBegin && SwiftInput(start).hasMark && lua() == .invalid
  }

  private init(_ text: Substring) {
    var lexer = SwiftLexer(String(text))
    tokens = lexer.tokenize()
  }

  // MARK: Beginnings

  private static let declarators: Set<String> = [
    "let", "var", "func", "struct", "class", "extension", "enum", "protocol", "actor",
  ]
  private static let modifiers: Set<String> = [
    "private", "fileprivate", "public", "internal", "static", "final", "lazy", "mutating", "override", "convenience",
    "required", "nonisolated", "open", "package",
  ]
  private static let attributes: Set<String> = [
    "FetchRequest", "SectionedFetchRequest", "Query", "State", "StateObject", "Binding", "Bindable", "Namespace",
    "Observable", "ObservedObject", "Published", "Environment", "EnvironmentObject", "AppStorage", "SceneStorage",
    "FocusState", "GestureState", "ScaledMetric", "Model", "MainActor", "ViewBuilder", "Relationship", "Attribute",
    "Transient", "available", "main", "Entry", "Preview", "objc", "NSManaged", "discardableResult", "testable",
  ]

  private func word(_ index: Int) -> String? {
    guard index < tokens.count, case .name(let name) = tokens[index].kind else { return nil }
    return name
  }

  private func isSign(_ index: Int, _ signs: String...) -> Bool {
    guard index < tokens.count, case .sign(let sign) = tokens[index].kind else { return false }
    return signs.contains(sign)
  }

  private func isAttribute(_ index: Int) -> Bool {
    guard index < tokens.count, case .attribute = tokens[index].kind else { return false }
    return true
  }

  /// Whether the first words are no Lua: `let now =`, `@State private var`, `struct QuakeList: View`.
  private var beginsAsSwift: Bool {
    guard let first = tokens.first else { return false }
    switch first.kind {
    case .attribute(let name):
      if Self.attributes.contains(name) { return true }
      return tokens.contains { token in
        if case .name(let word) = token.kind { Self.declarators.contains(word) } else { false }
      }
    case .name(let name):
      if name.hasPrefix("$") { return name.count > 1 }
      if name == "import" { return word(1)?.first?.isUppercase == true }
      return isDeclaration(at: 0)
    default: return false
    }
  }

  private func isDeclaration(at start: Int) -> Bool {
    guard let name = word(start) else { return isAttribute(start) && start > 0 }
    switch name {
    case "let", "var":
      return word(start + 1) != nil && (start > 0 || isSign(start + 2, "=", ":", ",", "{"))
        || isSign(start + 1, "(") && start == 0
    case "func": return word(start + 1) != nil && isSign(start + 2, "(", "<")
    case "struct", "class", "extension", "enum", "protocol", "actor":
      // A predicate may begin with an attribute of the name `class`.
      guard let type = word(start + 1) else { return false }
      return type.first?.isUppercase == true
        && (start > 0 || isSign(start + 2, ":", "{", "<")
          || !isSign(start + 2, "=", ".") && type.contains(where: \.isLowercase))
    case "init": return start > 0 && isSign(start + 1, "(")
    default:
      return Self.modifiers.contains(name) && (word(start + 1) != nil || isAttribute(start + 1))
        && isDeclaration(at: start + 1)
    }
  }

  /// Functions of Lua that take a table, which Swift's initialisers of the same name do not.
  private static let functionsOfTables: Set<String> = [
    "FetchRequest", "SectionedFetchRequest", "Query", "ResultsObserver", "Model", "Entity", "Binding", "Observable",
    "DynamicProperty", "State", "Composite", "Object",
  ]
  private static let statements: Set<String> = [
    "init", "withAnimation", "withTransaction", "if", "guard", "for", "while", "switch", "do", "try", "await", "return",
    "self",
  ]

  /// Whether the text may begin like Swift, as Lua may: `List {`, `init(`, `items.nsPredicate =`, `sortDescriptors: [`.
  private var mayBegin: Bool {
    if isSign(0, ".") { return word(1) != nil && isSign(2, "(", "{") }
    guard let first = word(0) else { return false }
    if Self.statements.contains(first) { return true }
    if isSign(1, ":") { return isSign(2, "[", ".", "\\") || word(2)?.first?.isUppercase == true && isSign(3, "(") }
    // A word in capitals is a word of predicates.
    if first.first?.isUppercase == true, first.contains(where: \.isLowercase) {
      if isSign(1, "{") { return !Self.functionsOfTables.contains(first) }
      return isSign(1, "(", "<", ".")
    }
    var place = 1
    while isSign(place, ".", "?", "!") || word(place) != nil && isSign(place - 1, ".") { place += 1 }
    return isSign(place, "=", "+=", "-=") || place > 1 && isSign(place, "(", "{")
  }

  // MARK: Signs

  /// Whether there is something that only Swift has.
  private var hasMark: Bool {
    // `if a && b then` is a mistake in Lua.
    let isLua = tokens.contains { [.name("then"), .name("elseif"), .name("local")].contains($0.kind) }
    if isLua { return false }
    var open: [String] = []
    for index in tokens.indices {
      switch tokens[index].kind {
      case .attribute, .pound: return true
      case .name(let name):
        if name.hasPrefix("$"), name.count > 1 { return true }
        if isMark(name, at: index, open.last) { return true }
      case .sign(let sign):
        switch sign {
        case "(", "[", "{":
          if sign == "{", isHeader(at: index + 1) { return true }
          open.append(sign)
        case ")", "]", "}": _ = open.popLast()
        // `a && b` alone is Lua with another language's sign, for which there is an answer of its own.
        case "\\", "->", "??", "?": return true
        case ".":
          if index > 0, isSign(index - 1, "(", ",", ":", "=", "?", "["), word(index + 1) != nil { return true }
        default: break
        }
      default: break
      }
    }
    let words = Set(tokens.compactMap { if case .name(let name) = $0.kind { name } else { nil } })
    guard let first = word(0), ["if", "for", "while", "switch", "guard", "do"].contains(first) else { return false }
    return words.isDisjoint(with: ["then", "do", "end"]) && tokens.contains { $0.kind == .sign("{") }
      || first == "do" && isSign(1, "{")
  }

  private func isMark(_ name: String, at index: Int, _ bracket: String?) -> Bool {
    switch name {
    case "let", "var", "func", "try", "guard": return word(index + 1) != nil
    default: break
    }
    // A label of an argument; behind a method's colon Lua has a name and a bracket or a text.
    guard bracket == "(" || index == 0, isSign(index + 1, ":"), index == 0 || isSign(index - 1, "(", ",") else {
      return false
    }
    guard index + 2 < tokens.count else { return false }
    guard word(index + 2) != nil, index + 3 < tokens.count else { return true }
    switch tokens[index + 3].kind {
    case .sign("("), .sign("{"), .string: return tokens[index + 2].touchesPrevious ? false : true
    default: return true
    }
  }

  /// Whether `item in` begins a closure.
  private func isHeader(at start: Int) -> Bool {
    var place = start
    while let name = word(place), name != "in" {
      place += 1
      guard isSign(place, ",") else { break }
      place += 1
    }
    return place > start && word(place) == "in"
  }
}
