internal import LuaBindings
internal import Modeling

// Points and colons, requests in loops.
extension LuaMistake {
  /// `Quake.where(…)`
  func methodCalledWithPoint() -> Explanation? {
    guard let match = message.firstMatch(of: /calling '(\w+)' on bad self/) else { return nil }
    let name = String(match.1)
    guard let index = tokens.indices.first(where: { text($0) == name && text($0 - 1) == "." }) else { return nil }
    return Explanation(
      message: "'\(name)' is a method, which is called with a colon",
      note: "write \(line(replacing: index - 1...index - 1, with: ":"))")
  }

  /// `Quake:first():place`, `Quake:first():place()`
  func propertyCalledLikeMethod() -> Explanation? {
    let called = message.firstMatch(of: /attempt to call an? \w+ value \(method '(\w+)'\)/).map { String($0.1) }
    guard isSyntax || called != nil else { return nil }
    for index in tokens.indices where text(index) == ":" && tokens.indices.contains(index + 1) {
      let name = text(index + 1)
      let next = text(index + 2)
      let isCalled = next == "(" || next == "{" || next.hasPrefix("\"") || next.hasPrefix("'")
      guard isProperty(name), called.map({ $0 == name }) ?? !isCalled else { continue }
      var end = index + 1
      if next == "(", let close = closingToken(index + 2) { end = close }
      return Explanation(
        message: "'\(name)' is a property, which is read with a point",
        note: "write \(line(replacing: index...end, with: "." + name))")
    }
    return nil
  }

  /// `Quake:count`
  func methodWithoutCall() -> Explanation? {
    guard isSyntax, message.hasPrefix("function arguments expected near") else { return nil }
    for index in tokens.indices where text(index) == ":" && tokens.indices.contains(index + 1) {
      let (name, next) = (text(index + 1), text(index + 2))
      let isCalled = next == "(" || next == "{" || next.hasPrefix("\"") || next.hasPrefix("'") || next.hasPrefix("[[")
      guard tokens[index + 1].kind == .name, !isCalled else { continue }
      return Explanation(
        message: "'\(name)' is a method, which is called with parentheses",
        note: "write \(line(replacing: index + 1...index + 1, with: name + "()"))")
    }
    return nil
  }

  /// Whether a line ends in a method that is not called, as other languages write calls: nothing is to follow.
  package static func endsInMethod(_ line: String) -> Bool {
    guard !line.contains("\n") else { return false }
    let bytes = Array(line.utf8)
    let tokens = LuaToken.tokens(of: line)
    guard tokens.count > 2, tokens[tokens.count - 1].kind == .name else { return false }
    return tokens[tokens.count - 2].text(in: bytes) == ":"
  }

  /// `for q in request do`, `for i, q in ipairs(request) do`
  func requestInLoop() -> Explanation? {
    guard let start = tokens.indices.first(where: { text($0) == "for" }),
      let `in` = tokens.indices.first(where: { $0 > start && text($0) == "in" }),
      let `do` = tokens.indices.first(where: { $0 > `in` && text($0) == "do" }), `do` > `in` + 1
    else { return nil }
    var (first, last) = (`in` + 1, `do` - 1)
    // Rows of SQL have positions, but no cursor.
    let isRows = message.contains("attempt to call a Rows value")
    let isList = isRows || message.contains("attempt to call a table value")
    if ["ipairs", "pairs"].contains(text(first)), text(first + 1) == "(", closingToken(first + 1) == last {
      guard message.contains("has no '[1]'") || message.contains("'for iterator' (table expected") else { return nil }
      (first, last) = (first + 2, last - 1)
    } else {
      guard message.contains("for iterator") || message.contains("expected a table of values, got nil") else {
        return nil
      }
    }
    if let called = message.firstMatch(of: /attempt to call an? (\w+) value/),
      ["number", "string", "nil", "boolean", "function"].contains(String(called.1))
    {
      return nil
    }
    let source = text(from: first, through: last)
    if isList {
      let names = text(from: start + 1, through: `in` - 1)
      let variables = names.contains(",") ? names : "_, \(names)"
      return Explanation(
        message: "\(isRows ? "rows of SQL are" : "a list is") gone through with ipairs",
        note: "write \(line(replacing: start...`do`, with: "for \(variables) in ipairs(\(source)) do"))")
    }
    return Explanation(
      message: "\(source) is gone through with :each()",
      note: "write \(line(replacing: start...`do`, with: "for \(text(`in` - 1)) in \(source):each() do"))")
  }
}
