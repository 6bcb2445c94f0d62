internal import Queries

/// What may come next in a predicate that is being typed.
struct PredicatePlace {
  enum Expected {
    case left
    case comparator
    case right
    case connective
  }

  private(set) var expected = Expected.left

  /// Reads the words up to the one that is being typed; nil within a quoted text.
  init?(behind text: String) {
    var rest = Substring(text)
    while let first = rest.first {
      switch first {
      case _ where first.isWhitespace: rest.removeFirst()
      case "'", "\"":
        guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
        rest = rest[rest.index(after: end)...]
        takeOperand()
      case "=", "<", ">", "!":
        rest = rest.drop { "=<>!".contains($0) }
        expected = .right
      case "(", "{", ",", "+", "-", "*", "/": rest.removeFirst()
      case ")", "}":
        rest.removeFirst()
        if expected != .comparator { expected = .connective }
      case "[": rest = rest.drop { $0 != "]" }.dropFirst()
      default:
        let word = rest.prefix { !$0.isWhitespace && !"()[]{},=<>!'\"".contains($0) }
        rest = rest.dropFirst(max(1, word.count))
        take(word.uppercased())
      }
    }
  }

  private mutating func take(_ word: String) {
    switch word {
    case "AND", "OR", "&&", "||", "NOT", "ANY", "ALL", "NONE", "SOME": expected = .left
    case _ where Comparator(rawValue: word) != nil: expected = .right
    default: takeOperand()
    }
  }

  private mutating func takeOperand() {
    switch expected {
    case .left: expected = .comparator
    case .right: expected = .connective
    case .comparator, .connective: break
    }
  }
}
