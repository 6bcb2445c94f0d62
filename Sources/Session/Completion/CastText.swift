internal import Modeling

/// The beginning of a predicate with every `CAST(owner, "Business").` that is whole as steps of a dotted path:
/// `owner.:Business.`, so that a path is one word.
struct CastText {
  /// The text, with casts as steps that begin with a colon.
  private(set) var text: String
  /// The path and the beginning of an entity's name, where a cast ends the text: `CAST(owner, "Bus`.
  private(set) var open: (path: [String], name: String)?

  private static let start = "CAST("

  init(_ text: String) {
    self.text = text
    var searched = text[...]
    // The innermost is the last.
    while let found = searched.lastRange(of: Self.start) {
      searched = text[..<found.lowerBound]
      guard let inner = self.text.lastRange(of: Self.start), let cast = Cast(self.text[inner.upperBound...]) else {
        return
      }
      guard let behind = cast.behind else {
        open = (cast.path, cast.name)
        return
      }
      let word = (cast.path + [":" + cast.name]).joined(separator: ".")
      self.text = String(self.text[..<inner.lowerBound]) + word + behind
    }
  }

  /// The text in the parentheses.
  private struct Cast {
    var path: [String]
    var name: String
    /// The text behind them; nil if the name is not whole.
    var behind: Substring?

    init?(_ text: Substring) {
      guard let comma = text.firstIndex(of: ",") else { return nil }
      let owner = String(text[..<comma].drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
      guard owner.allSatisfy({ $0.isLetter || $0.isNumber || "_.:".contains($0) }) else { return nil }
      path = owner.uppercased() == "SELF" ? [] : owner.split(separator: ".").map(String.init)
      var rest = text[text.index(after: comma)...].drop(while: \.isWhitespace)
      if let quote = rest.first, "'\"".contains(quote) { rest.removeFirst() }
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      self.name = String(name)
      rest = rest.dropFirst(name.count)
      if rest.isEmpty { return }
      if let quote = rest.first, "'\"".contains(quote) { rest.removeFirst() }
      guard rest.drop(while: \.isWhitespace).first == ")" else { return nil }
      behind = rest.drop(while: \.isWhitespace).dropFirst()
    }
  }
}

extension StringProtocol {
  /// The last place of `part`.
  fileprivate func lastRange(of part: String) -> Range<Index>? {
    var start = endIndex
    while start > startIndex {
      formIndex(before: &start)
      if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
    }
    return nil
  }
}
