internal import LuaBindings
internal import Modeling

/// A mistake that people make who come to Lua, or to this shell, from elsewhere, found in the line that failed.
///
///     Quake.where("magnitude > 5")        'where' is a method, which is called with a colon
///                                         note: write Quake:where("magnitude > 5")
///
/// To explain another, add a rule to `rules`.
package struct LuaMistake {
  /// The message of Lua or a function, without the place.
  let message: String
  /// Whether the line could not be read at all.
  let isSyntax: Bool
  let line: String
  /// The line's tokens, comments left out.
  let tokens: [LuaToken]
  let bytes: [UInt8]
  /// Whether an entity of the store has a property of that name.
  let isProperty: (String) -> Bool
  /// Whether a name has a value.
  let isKnown: (String) -> Bool

  /// The mistake in plain words.
  struct Explanation: Equatable {
    var message: String
    /// What to write, or to know, instead.
    var note: String
  }

  /// The first that applies explains.
  private var rules: [() -> Explanation?] {
    [
      methodCalledWithPoint, propertyCalledLikeMethod, methodWithoutCall, requestInLoop, functionGivenToEach,
      requestLikeList,
      requestCounted, sortedLikeSQL, nothingFound, predicateWithoutQuotes, predicateLikeTable, foreignOperator,
      joinedTexts,
    ]
  }

  init(
    _ message: String, isSyntax: Bool, line: String, isProperty: @escaping (String) -> Bool,
    isKnown: @escaping (String) -> Bool
  ) {
    self.message = message
    self.isSyntax = isSyntax
    self.line = line
    self.isProperty = isProperty
    self.isKnown = isKnown
    bytes = Array(line.utf8)
    tokens = LuaToken.tokens(of: line).filter { if case .comment = $0.kind { false } else { true } }
  }

  /// The mistake in plain words; nil for one that Lua's own words explain.
  var explanation: Explanation? { rules.lazy.compactMap { $0() }.first }

  /// The text of a token; empty behind the last.
  func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text(in: bytes) : "" }

  /// The line's text between two tokens, the first one's beginning and the other one's end.
  func text(from first: Int, through last: Int) -> String {
    guard first <= last, tokens.indices.contains(first), tokens.indices.contains(last) else { return "" }
    return String(decoding: bytes[tokens[first].range.lowerBound..<tokens[last].range.upperBound], as: UTF8.self)
  }

  /// The line with the tokens of a range replaced.
  func line(replacing range: ClosedRange<Int>, with text: String) -> String {
    let before = String(decoding: bytes[..<tokens[range.lowerBound].range.lowerBound], as: UTF8.self)
    let behind = String(decoding: bytes[tokens[range.upperBound].range.upperBound...], as: UTF8.self)
    return String((before + text + behind).drop { $0 == " " || $0 == "\t" })
  }

  /// The index of the bracket that closes the one at `opening`; nil if none does.
  func closingToken(_ opening: Int) -> Int? {
    var depth = 0
    for index in opening..<tokens.count {
      switch text(index) {
      case "(", "{", "[": depth += 1
      case ")", "}", "]":
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return nil
  }
}
