internal import LuaBindings
internal import Modeling

// Requests and entities that are taken for lists.
extension LuaMistake {
  /// `Quake:all()[1]`, `Quake[5]`
  func requestLikeList() -> Explanation? {
    guard let match = message.firstMatch(of: /^(\w+) has no '\[(-?\d+)\]'/) else { return nil }
    let (owner, number) = (String(match.1), String(match.2))
    guard
      let bracket = tokens.indices.first(where: {
        text($0) == "[" && text($0 + 1) == number && text($0 + 2) == "]"
          && (owner == "request" ? text($0 - 1) != owner : text($0 - 1) == owner)
      }), bracket > 0
    else { return nil }
    let isRequest = owner == "request"
    let request = isRequest ? "" : ":all()"
    let fetched =
      number == "1"
      ? line(replacing: bracket...bracket + 2, with: ":first()")
      : line(replacing: bracket...bracket, with: request + ":fetch()[")
    return Explanation(
      message: isRequest
        ? "a request has no rows before it is fetched"
        : "\(owner) is an entity; its objects are fetched, or found by what identifies them",
      note: "write \(fetched)")
  }

  /// `#Quake`, `#Quake:all()`
  func requestCounted() -> Explanation? {
    guard
      message.hasPrefix("attempt to get length of a Entity") || message.hasPrefix("attempt to get length of a Request"),
      let sign = tokens.indices.first(where: { text($0) == "#" })
    else { return nil }
    // What stands behind the sign: names, points, colons and what is in parentheses.
    var end = sign + 1
    while end + 1 < tokens.count {
      let next = text(end + 1)
      if [".", ":"].contains(next) {
        end += 2
      } else if ["(", "{", "["].contains(next), let close = closingToken(end + 1) {
        end = close
      } else if next.hasPrefix("\"") || next.hasPrefix("'"), end > sign + 1 {
        end += 1
      } else {
        break
      }
    }
    guard end < tokens.count, end > sign else { return nil }
    let subject = text(from: sign + 1, through: end)
    return Explanation(
      message: "the store counts by :count()",
      note: "write \(line(replacing: sign...end, with: subject + ":count()"))")
  }

  /// `Quake:all():each(function(q) print(q) end)`
  func functionGivenToEach() -> Explanation? {
    guard message.contains(":each: expected no arguments"),
      let each = tokens.indices.first(where: { text($0) == "each" && text($0 - 1) == ":" }), each > 1,
      text(each + 1) == "(", text(each + 2) == "function", text(each + 3) == "(", let close = closingToken(each + 1),
      close > each + 6, text(each + 5) == ")", text(close - 1) == "end"
    else { return nil }
    let source = text(from: 0, through: each - 2)
    let (name, body) = (text(each + 4), text(from: each + 6, through: close - 2))
    return Explanation(
      message: ":each() gives one object after the other to a loop",
      note: "write for \(name) in \(source):each() do \(body) end")
  }

  /// `Quake:where { place = "Suva", magnitude = 5 }`
  func predicateLikeTable() -> Explanation? {
    guard message.contains("a predicate in a table begins with its format string") else { return nil }
    for index in tokens.indices where text(index) == ":" && Self.takesPredicate.contains(text(index + 1)) {
      let brace = text(index + 2) == "(" ? index + 3 : index + 2
      guard text(brace) == "{", let close = closingToken(brace) else { continue }
      var (names, values): ([String], [String]) = ([], [])
      var start = brace + 1
      while start < close {
        guard tokens[start].kind == .name, text(start + 1) == "=", start + 2 < close else { return nil }
        var end = start + 2
        while end < close, text(end) != "," {
          end = ["(", "{", "["].contains(text(end)) ? (closingToken(end) ?? close) + 1 : end + 1
        }
        names.append("\(text(start)) == %@")
        values.append(text(from: start + 2, through: end - 1))
        start = end + 1
      }
      if names.isEmpty { return nil }
      let method = text(index + 1)
      let call = "\(method)(\"\(names.joined(separator: " AND "))\", \(values.joined(separator: ", ")))"
      let last = text(index + 2) == "(" ? closingToken(index + 2) ?? close : close
      return Explanation(
        message: "a predicate is a text, with %@ for each value",
        note: "write \(line(replacing: index + 1...last, with: call))")
    }
    return nil
  }

  /// `Quake:all():sorted("magnitude DESC")`
  func sortedLikeSQL() -> Explanation? {
    guard let match = message.firstMatch(of: /found (desc|asc)$/.ignoresCase()) else { return nil }
    for index in tokens.indices where text(index) == "sorted" && text(index - 1) == ":" {
      for place in index + 1..<tokens.count {
        let literal = text(place)
        guard let quote = literal.first, quote == "\"" || quote == "'", literal.last == quote, literal.count > 2 else {
          continue
        }
        let words = literal.dropFirst().dropLast().split(separator: " ")
        guard words.count == 2, words[1].lowercased() == match.1.lowercased() else { continue }
        let sign = words[1].lowercased() == "desc" ? "-" : ""
        return Explanation(
          message: "a minus before the name sorts downwards",
          note: "write \(line(replacing: place...place, with: "\(quote)\(sign)\(words[0])\(quote)"))")
      }
    }
    return nil
  }

  /// `Quake:find("us1").place` where nothing is found.
  func nothingFound() -> Explanation? {
    guard message == "attempt to index a nil value" else { return nil }
    for index in tokens.indices where ["find", "first"].contains(text(index)) && text(index - 1) == ":" {
      let isCalled = text(index + 1) == "("
      guard let end = isCalled ? closingToken(index + 1) : index + 1, [".", ":"].contains(text(end + 1)) else {
        continue
      }
      guard let start = beginning(ofCallAt: index - 1) else { continue }
      let found = text(from: start, through: end)
      return Explanation(
        message: "\(found) is nil: there is no such object",
        note: "what may be absent is tested before it is asked: if found then ... end")
    }
    return nil
  }

  /// Where the expression begins whose method the colon at an index calls.
  private func beginning(ofCallAt colon: Int) -> Int? {
    var index = colon - 1
    while index >= 0 {
      switch text(index) {
      case ")", "]", "}":
        guard
          let open = tokens.indices.first(where: { ["(", "[", "{"].contains(text($0)) && closingToken($0) == index })
        else { return nil }
        index = open - 1
      case let word where word.hasPrefix("\"") || word.hasPrefix("'"): index -= 1
      default:
        guard tokens[index].kind == .name else { return nil }
        guard index > 1, [".", ":"].contains(text(index - 1)) else { return index }
        index -= 2
      }
    }
    return nil
  }
}
