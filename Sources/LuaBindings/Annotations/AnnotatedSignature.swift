/// The parameters and results of a function as LuaCATS types, parsed from its help line.
///
///     AnnotatedSignature("request:page(number, size) -> results", AnnotatedTypes()).parameters
///     // number: integer, size: integer
struct AnnotatedSignature {
  /// A parameter; for `...` that is its name.
  struct Parameter {
    let name: String
    let type: String
    let isOptional: Bool

    /// The parameter in `fun(...)`.
    var text: String { "\(name)\(isOptional && name != "..." ? "?" : ""): \(type)" }
  }

  let parameters: [Parameter]
  let results: [String]

  /// Parses `text` with the names of `types`; `options` is the class of the function's options table, if it takes one.
  init(_ text: String, _ types: AnnotatedTypes, options: String? = nil) {
    let arrow = text.firstRange(of: " -> ")
    results = arrow.map { types.results(String(text[$0.upperBound...])) } ?? []
    let read = Self.parameters(of: String(text[..<(arrow?.lowerBound ?? text.endIndex)]), types, options)
    // In LuaCATS `...` must be the last parameter.
    parameters = Array(read.prefix((read.firstIndex { $0.name == "..." } ?? read.count - 1) + 1))
  }

  private static func parameters(of text: String, _ types: AnnotatedTypes, _ options: String?) -> [Parameter] {
    let anything = [Parameter(name: "...", type: "any", isOptional: false)]
    let text = text.hasPrefix("function ") ? String(text.dropFirst("function ".count)) : text
    guard let open = text.firstIndex(where: { "({\"[".contains($0) }) else { return [] }
    // Several forms: `Date { ... } | Date() | Date(seconds)`.
    if pieces(of: text[text.startIndex...], at: "|").count > 1 { return anything }
    switch text[open] {
    case "(":
      guard let inner = enclosed(text[open...]) else { return anything }
      // A call of the result of a call: `ToMany "Entity" { ... }`.
      var names: Set<String> = []
      return pieces(of: inner, at: ",").map { piece in
        let read = parameter(piece.text, piece.isOptional, types, options)
        guard !names.insert(read.name).inserted else { return read }
        return Parameter(name: read.name + "\(names.count)", type: read.type, isOptional: read.isOptional)
      }
    case "{": return [parameter(String(text[open...]), false, types, options)]
    case "\"": return [Parameter(name: "text", type: "string", isOptional: false)]
    default: return anything
    }
  }

  /// The text between a leading bracket and its closing one.
  private static func enclosed(_ text: Substring) -> Substring? {
    var depth = 0
    for index in text.indices {
      if "({".contains(text[index]) { depth += 1 }
      if ")}".contains(text[index]) { depth -= 1 }
      if depth == 0 { return text[text.index(after: text.startIndex)..<index] }
    }
    return nil
  }

  /// The parts at a separator outside of parentheses and braces; parts in square brackets are optional.
  private static func pieces(of text: Substring, at separator: Character) -> [(text: String, isOptional: Bool)] {
    var found: [(text: String, isOptional: Bool)] = []
    var (current, isOptional, depth, brackets) = ("", false, 0, 0)
    func end() {
      let trimmed = current.trimmingSpaces
      if !trimmed.isEmpty { found.append((trimmed, isOptional)) }
      (current, isOptional) = ("", false)
    }
    for character in text {
      switch character {
      case "[" where depth == 0: brackets += 1
      case "]" where depth == 0: brackets -= 1
      case separator where depth == 0: end()
      default:
        if "({".contains(character) { depth += 1 }
        if ")}".contains(character) { depth -= 1 }
        if current.trimmingSpaces.isEmpty, character != " " { isOptional = brackets > 0 }
        current.append(character)
      }
    }
    end()
    return found
  }

  private static func parameter(
    _ text: String, _ isOptional: Bool, _ types: AnnotatedTypes, _ options: String?
  ) -> Parameter {
    if text == "..." { return Parameter(name: "...", type: "any", isOptional: false) }
    if text.hasPrefix("function(") {
      let names = text.dropFirst("function(".count).prefix { $0 != ")" }.split(separator: ",").map {
        String($0).trimmingSpaces
      }
      let list = names.map { $0 == "..." ? "...: any" : "\($0): any" }.joined(separator: ", ")
      return Parameter(name: "callback", type: "fun(\(list)): any", isOptional: isOptional)
    }
    if text == "function" { return Parameter(name: "callback", type: "function", isOptional: isOptional) }
    if text.hasPrefix("{") {
      return Parameter(name: "options", type: options ?? types.table(text), isOptional: isOptional)
    }
    if text.hasPrefix("\"") { return Parameter(name: "word", type: types.words(text), isOptional: isOptional) }
    guard text.utf8.allSatisfy({ $0.isLetterOrDigit }) else {
      return Parameter(name: "value", type: "any", isOptional: isOptional)
    }
    let name = ["end", "function", "repeat"].contains(text) ? text + "_" : text
    return Parameter(name: name, type: types.parameter(text), isOptional: isOptional)
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
      || self == UInt8(ascii: "_")
  }
}

extension String {
  /// The text without leading and trailing spaces.
  var trimmingSpaces: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
