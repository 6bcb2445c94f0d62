internal import Modeling
internal import Queries

/// What can stand at the end of the beginning of a predicate.
struct PredicateCompletion {
  /// The entity it is about; without one only the words of the language are offered.
  let entity: Entity?
  /// The predicate up to the cursor.
  let text: String
  /// Where the text begins in what was typed, in bytes.
  let start: Int

  /// What may come next.
  private enum Expected {
    case left
    case comparator
    case right
    case connective
  }

  var list: CompletionList {
    let word = Self.lastWord(of: text)
    let before = text.dropLast(word.count)
    let place = start + before.utf8.count
    guard let expected = Self.expected(after: before) else { return .none(at: start + text.utf8.count) }
    switch expected {
    case .left:
      let words = ["NOT", "ANY", "ALL", "NONE", "SUBQUERY(", "TRUEPREDICATE", "FALSEPREDICATE"]
      return keyPaths(word, at: place, and: words)
    case .right: return keyPaths(word, at: place, and: ["nil", "%@", "TRUE", "FALSE"])
    case .comparator:
      let comparators = Comparator.allCases.map(\.rawValue) + ["CONTAINS[cd]", "BEGINSWITH[cd]", "==[c]"]
      return CompletionList(Self.plain(comparators), prefix: word, at: place)
    case .connective: return CompletionList(Self.plain(["AND", "OR"]), prefix: word, at: place)
    }
  }

  /// Key paths, `-` before them left as it is, at the end of a sort key or another string that is one.
  static func keyPaths(_ entity: Entity?, text: String, start: Int) -> CompletionList {
    let isReversed = text.hasPrefix("-")
    let path = isReversed ? String(text.dropFirst()) : text
    let completion = PredicateCompletion(entity: entity, text: path, start: start + (isReversed ? 1 : 0))
    let word = lastWord(of: path)
    return completion.keyPaths(word, at: completion.start + path.utf8.count - word.utf8.count, and: [])
  }

  private static func plain(_ words: [String]) -> [CompletionList.Candidate] {
    words.map { .init(text: $0, remark: "") }
  }

  /// The properties that can follow what a dotted path leads to; words only where it has no dot.
  private func keyPaths(_ word: String, at place: Int, and words: [String]) -> CompletionList {
    var names = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = names.popLast() ?? ""
    var reached = entity
    var isToMany = false
    for (position, name) in names.enumerated() {
      if let attribute = reached?.property(named: name)?.attribute {
        let elements = attribute.element(at: names[(position + 1)...])?.elements ?? []
        return CompletionList(
          elements.map { .init(.attribute($0)) }, prefix: last, at: place + word.utf8.count - last.utf8.count)
      }
      guard let index = reached?.index(of: name), let relationship = reached?.properties[index].relationship else {
        return .none(at: place)
      }
      isToMany = relationship.isToMany
      reached = reached?.destination(at: index)
    }
    var candidates = reached?.properties.map(CompletionList.Candidate.init) ?? []
    if isToMany { candidates += Self.plain(CollectionOperator.allCases.map(\.rawValue)) }
    if names.isEmpty { candidates += Self.plain(words) }
    return CompletionList(candidates, prefix: last, at: place + word.utf8.count - last.utf8.count)
  }

  private static func lastWord(of text: some StringProtocol) -> String {
    String(text.reversed().prefix { $0.isLetter || $0.isNumber || "_.@$%#".contains($0) }.reversed())
  }

  /// What follows a beginning; nil within a quoted text.
  private static func expected(after text: some StringProtocol) -> Expected? {
    var expected = Expected.left
    var rest = Substring(text)
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "'" || first == "\"" {
        guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
        rest = rest[rest.index(after: end)...]
        expected = expected == .left ? .comparator : .connective
      } else if "=<>!".contains(first) {
        rest = rest.drop { "=<>!".contains($0) }
        expected = .right
      } else if "({,+-*/".contains(first) {
        rest.removeFirst()
      } else if ")}".contains(first) {
        rest.removeFirst()
        expected = expected == .comparator ? .comparator : .connective
      } else if first == "[" {
        rest = rest.drop { $0 != "]" }.dropFirst()
      } else {
        let word = rest.prefix { !$0.isWhitespace && !"()[]{},=<>!'\"".contains($0) }
        rest = rest.dropFirst(max(1, word.count))
        expected = self.expected(after: word.uppercased(), expected)
      }
    }
    return expected
  }

  private static func expected(after word: String, _ before: Expected) -> Expected {
    switch word {
    case "AND", "OR", "&&", "||", "NOT", "ANY", "ALL", "NONE", "SOME": return .left
    case _ where Comparator(rawValue: word) != nil: return .right
    default: return before == .left ? .comparator : before == .right ? .connective : before
    }
  }
}
