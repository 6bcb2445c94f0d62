import Foundation

/// A text with one word of it changed: an argument label or a property that is set.
struct SourceMutation: CustomStringConvertible {
  var text: String
  var description: String

  /// Labels whose arguments are a part of what is asked for.
  private static let labels =
    "entity|entityName|forEntityName|sortDescriptors|predicate|animation|transaction|fetchRequest|sectionIdentifier|"
    + "sectionNameKeyPath|filter|sort|order|sortBy|sectionBy|key|keyPath|ascending|comparator|selector|format|value|"
    + "argumentArray|andPredicateWithSubpredicates|orPredicateWithSubpredicates|notPredicateWithSubpredicate|type|"
    + "subpredicates"

  /// Every label of `text` renamed, and every label left out.
  static func ofLabels(_ text: String) -> [SourceMutation] {
    matches("(?<=[(,\\s])(\(labels))(?=:\\s*[^\\s])", in: text).flatMap { range in
      let label = String(text[range])
      let withColon = range.lowerBound..<text.index(after: range.upperBound)
      return [
        SourceMutation(
          text: text.replacingCharacters(in: range, with: label + "x"), description: "\(label)x for \(label)"),
        SourceMutation(text: text.replacingCharacters(in: withColon, with: ""), description: "no label \(label)"),
      ]
    }
  }

  /// Every property that a statement sets renamed.
  static func ofTargets(_ text: String) -> [SourceMutation] {
    matches("(?m)(?<=^|\\n)\\s*\\\\?[$_\\w]+(\\.\\w+)*(?=\\s*\\+?=[^=])", in: text).map { range in
      let target = String(text[range]).trimmingCharacters(in: .whitespacesAndNewlines)
      return SourceMutation(
        text: text.replacingCharacters(in: range, with: "\n" + target + "x"), description: "\(target)x for \(target)")
    }
  }

  /// Every line left out that sets or adds something.
  static func ofStatements(_ text: String) -> [SourceMutation] {
    let lines = text.components(separatedBy: "\n")
    return lines.indices.compactMap { number in
      let line = lines[number]
      let isStatement =
        line.range(of: "^\\s*[$_\\w]+(\\.\\w+)*\\s*\\+?=[^=].*[^({\\[,]$", options: .regularExpression) != nil
        || line.contains(".append(")
      guard isStatement else { return nil }
      var rest = lines
      rest.remove(at: number)
      return SourceMutation(
        text: rest.joined(separator: "\n"), description: "without \(line.trimmingCharacters(in: .whitespaces))")
    }
  }

  private static func matches(_ pattern: String, in text: String) -> [Range<String.Index>] {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
    return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
      Range($0.range, in: text)
    }
  }
}
