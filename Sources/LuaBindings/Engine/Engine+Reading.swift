internal import LuaRuntime
internal import Modeling
internal import SourceChecking

// A line of a session is an expression, whose value is shown, or else a chunk.
//
//     2 + 3       an expression
//     x = 2       a chunk
//     2 +         an expression that goes on in the next line
//     2 + $       an expression with a mistake: no chunk begins with a number
extension Engine {
  /// Whether a text is one expression.
  public func isExpression(_ text: String) -> Bool {
    guard (try? lua.load("return \(text)\n", name: "=check")) != nil else { return false }
    lua.stack.pop()
    return true
  }

  /// Whether a text is neither an expression nor a chunk.
  public func isMistake(_ text: String) -> Bool { mistakes(in: text) != nil }

  /// Whether a text is an expression, a chunk or invalid; false if more lines may complete it.
  public func isComplete(_ text: String) -> Bool {
    guard let mistakes = mistakes(in: text) else { return true }
    return ![mistakes.asExpression, mistakes.asChunk].contains { $0.kind == .syntax(isIncomplete: true) }
  }

  /// Lua's words for the mistake in a text, without a place; nil if the text is an expression or a chunk.
  func syntaxError(in text: String) -> String? {
    guard let mistakes = mistakes(in: text) else { return nil }
    let error = Self.meant(mistakes, in: text)
    return error.message.firstRange(of: ": ").map { String(error.message[$0.upperBound...]) }
  }

  /// The bytes of the token at which Lua stopped reading a text; nil where its words, given without a place, name none.
  ///
  ///     x = = 2         unexpected symbol near '='
  ///         ^
  ///
  /// Where the line has several tokens of the kind, it is the first that ends the reading with the same words.
  public func spot(ofSyntaxError words: String, in text: String, line: Int) -> Range<Int>? {
    guard let near = words.firstRange(of: " near '"), words.hasSuffix("'") else { return nil }
    let named = words[near.upperBound...].dropLast()
    let (bytes, lines) = (Array(text.utf8), SourceLines(text))
    // A string in long brackets may begin in an earlier line.
    let tokens = LuaToken.tokens(of: text).filter {
      lines.line(of: $0.range.lowerBound) == line && lines.line(of: $0.range.upperBound - 1) == line
        && $0.text(in: bytes) == named
    }
    if tokens.count < 2 { return tokens.first?.range }
    return tokens.first {
      syntaxError(in: String(decoding: bytes[..<$0.range.upperBound], as: UTF8.self)) == words
    }?.range
  }

  /// Pushes the function of an expression or a chunk, with the locals of earlier chunks.
  ///
  /// - Throws: LuaError, of the reading that was probably meant.
  func load(_ text: String, _ name: String) throws {
    do {
      try locals.load("return \(text)", name: name, in: lua)
    } catch let asExpression as LuaError {
      guard case .syntax = asExpression.kind else { throw asExpression }
      do {
        try locals.load(text, name: name, in: lua)
      } catch let asChunk as LuaError {
        throw Self.meant((asExpression, asChunk), in: text)
      }
    }
  }

  /// The errors of a text's two readings; nil if one of them has none.
  private func mistakes(in text: String) -> (asExpression: LuaError, asChunk: LuaError)? {
    do { try lua.load("return \(text)\n", name: "=check") } catch let asExpression {
      do { try lua.load(text, name: "=check") } catch { return (asExpression, error) }
    }
    lua.stack.pop()
    return nil
  }

  /// The error of the expression where no chunk begins as the text does.
  private static func meant(_ mistakes: (asExpression: LuaError, asChunk: LuaError), in text: String) -> LuaError {
    let (bytes, words) = (Array(text.utf8), mistakes.asChunk.message)
    let token = LuaToken.tokens(of: text).first { if case .comment = $0.kind { false } else { true } }
    guard case .syntax = mistakes.asChunk.kind, let first = token?.text(in: bytes), ![";", "::"].contains(first),
      token?.kind != .keyword || ["function", "not", "nil", "true", "false"].contains(first)
    else { return mistakes.asChunk }
    // The expression ends where Lua asks for the end of the text, which people do not see.
    let message = mistakes.asExpression.message.replacing(": <eof> expected near ", with: ": syntax error near ")
    let isWhole = message != mistakes.asExpression.message
    guard
      words.hasSuffix(": unexpected symbol near '\(first)'")
        || first == "function" && words.hasSuffix(": <name> expected near '('")
        // Behind a whole expression a chunk may go on: `x = 1; y z`.
        || !isWhole && words.contains(": syntax error near ")
    else { return mistakes.asChunk }
    return LuaError(message, kind: mistakes.asExpression.kind)
  }
}
