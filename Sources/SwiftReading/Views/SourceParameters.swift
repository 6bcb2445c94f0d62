internal import SwiftParsing

/// The parameters of the functions and initialisers of a text, with their types.
struct SourceParameters {
  /// The types by the parameters' names within their functions.
  private(set) var types: [String: String] = [:]
  /// The names of the parameters of each function, by the function's name and in their order.
  private(set) var names: [String: [String]] = [:]

  init(_ text: String) {
    let tokens = SwiftParserTokens.tokens(of: text)
    var index = 0
    while index < tokens.count {
      defer { index += 1 }
      switch tokens[index].kind {
      case .name("init"):
        // `.init(...)` is a call.
        if index > 0, tokens[index - 1].kind == .sign(".") { continue }
        readList("init", after: index, tokens)
      case .name("func"):
        guard index + 1 < tokens.count, case .name(let name) = tokens[index + 1].kind else { continue }
        readList(name, after: index + 1, tokens)
      default: break
      }
    }
  }

  /// Reads `(label name: Type = value, ...)`.
  private mutating func readList(_ function: String, after start: Int, _ tokens: [SwiftToken]) {
    var index = start + 1
    // Generic parameters, or the mark of an initialiser that may fail.
    while index < tokens.count, tokens[index].kind != .sign("("), tokens[index].kind != .sign("{"), index < start + 12 {
      index += 1
    }
    guard index < tokens.count, tokens[index].kind == .sign("(") else { return }
    names[function] = []
    index += 1
    var reading = Parameter()
    var depth = 0
    while index < tokens.count {
      let token = tokens[index]
      switch token.kind {
      case .sign(")") where depth == 0:
        take(reading, of: function)
        return
      case .sign(",") where depth == 0:
        take(reading, of: function)
        reading = Parameter()
      case .sign(":") where depth == 0 && reading.part == .name: reading.part = .type
      case .sign("=") where depth == 0: reading.part = .value
      case .name(let word):
        if reading.part == .name { reading.name = word }
        if reading.part == .type { reading.type += word }
      case .sign(let sign):
        if ["(", "[", "<", "{"].contains(sign) { depth += 1 }
        if [")", "]", ">", "}"].contains(sign) { depth -= 1 }
        if reading.part == .type, ["[", "]", "<", ">", "?", ".", ",", ":"].contains(sign) { reading.type += sign }
      case .end: return
      default: break
      }
      index += 1
    }
  }

  private mutating func take(_ parameter: Parameter, of function: String) {
    guard let name = parameter.name else { return }
    names[function, default: []].append(name)
    if !parameter.type.isEmpty { types[name] = parameter.type }
  }

  private struct Parameter {
    enum Part { case name, type, value }

    var name: String?
    var type = ""
    var part = Part.name
  }
}

/// The tokens of a text, for questions that need no tree.
enum SwiftParserTokens {
  static func tokens(of text: String) -> [SwiftToken] {
    var lexer = SwiftLexer(text)
    return lexer.tokenize()
  }
}
