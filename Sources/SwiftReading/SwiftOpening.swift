internal import SwiftParsing

/// The kind of Swift source that a text may be, recognized by its beginning.
public enum SwiftOpening: Hashable, Sendable {
  /// `#Predicate`, `NSPredicate(`, or a declaration before it.
  case predicate
  /// `#Expression`, or a declaration of one, with no predicate behind it.
  case expression
  /// `@Query`, `FetchDescriptor<`, and so on.
  case request
  /// `@Model`, or the import of SwiftData.
  case model

  /// What `text` begins with; nil where it is no Swift.
  public init?(of text: String) {
    let start = text.drop(while: \.isWhitespace)
    if Self.requests.contains(where: { start.hasPrefix($0) }) {
      self = .request
    } else if Self.models.contains(where: { start.hasPrefix($0) && !start.dropFirst($0.count).beginsWithName }) {
      self = .model
    } else if Self.predicates.contains(where: { start.hasPrefix($0) }) || Self.isDeclaration(start) {
      let isExpression = start.contains("#Expression") && !Self.users.contains { start.contains($0) }
      self = isExpression ? .expression : .predicate
    } else {
      return nil
    }
  }

  private static let predicates = [
    "#Predicate<", "#Expression<", "#Predicate {", "#Predicate{", "#Predicate(", "NSPredicate(", "NSCompoundPredicate(",
    "[NSPredicate ", "[NSCompoundPredicate ",
  ]
  private static let requests = [
    "@FetchRequest", "@SectionedFetchRequest", "@Query", "FetchDescriptor<", "NSFetchRequest<", "ResultsObserver<",
    "@Environment(", "@State ", "@Binding ",
  ]

  /// What an expression may be declared for.
  private static let users = [
    "#Predicate", "NSPredicate", "@FetchRequest", "@SectionedFetchRequest", "@Query", "Descriptor<",
  ]

  private static let models = ["@Model", "import SwiftData", "import Foundation"]

  /// Whether it begins with a comment, or with a word of Swift and a name behind it.
  private static func isDeclaration(_ text: Substring) -> Bool {
    if text.hasPrefix("//") || text.hasPrefix("/*") { return true }
    let words = text.split(maxSplits: 2, omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
    if isTypeDeclaration(words) { return true }
    guard words.count > 1, ["let", "var", "func", "static", "private", "return"].contains(words[0]) else {
      return false
    }
    return words[1].first.map { $0.isLetter || $0 == "_" || $0 == "#" || $0 == "`" } ?? false
  }
}

extension SwiftOpening {
  /// Whether `text` is Swift where a predicate is wanted: an initialiser, too, which elsewhere may be a call.
  public static func isSource(_ text: String) -> Bool {
    let start = text.drop(while: \.isWhitespace)
    return SwiftOpening(of: text) != nil || start.hasPrefix("init(") || start.hasPrefix("\\") || setsPredicate(start)
  }

  /// Whether it begins as `quakes.nsPredicate = `.
  private static func setsPredicate(_ text: Substring) -> Bool {
    let target = text.prefix { $0 != "=" && !$0.isNewline }
    var path = target
    while path.last?.isWhitespace == true { path.removeLast() }
    if path.hasSuffix(".wrappedValue") { path.removeLast(".wrappedValue".count) }
    return path.count < target.count && (path.hasSuffix(".nsPredicate") || path.hasSuffix(".predicate"))
      && path.allSatisfy { $0.isLetter || $0.isNumber || "_$.".contains($0) }
      && text.dropFirst(target.count).prefix(2) != "=="
  }

  /// Whether words begin a type: `struct QuakeList: View {`. A predicate may begin with an attribute of the name `class`.
  private static func isTypeDeclaration(_ words: [Substring]) -> Bool {
    let modifiers: Set<Substring> = ["public", "private", "fileprivate", "internal", "final"]
    let rest = words.drop { modifiers.contains($0) }
    guard rest.count > 1, ["struct", "class", "extension", "enum"].contains(rest[rest.startIndex]) else { return false }
    let name = rest[rest.startIndex + 1]
    return name.first?.isUppercase == true && name.contains(where: \.isLowercase)
  }

  /// Whether brackets, strings and comments that `text` opens are closed, so that it can be read.
  public static func isComplete(_ text: String) -> Bool {
    var lexer = SwiftLexer(text)
    var open = 0
    let tokens = lexer.tokenize()
    for token in tokens {
      switch token.kind {
      case .sign("("), .sign("["), .sign("{"): open += 1
      case .sign(")"), .sign("]"), .sign("}"): open -= 1
      default: break
      }
    }
    let isOpen = lexer.issues.found.contains { issue in
      if case .unterminated(let sign) = issue.fact { sign == "/*" || sign == "\"\"\"" } else { false }
    }
    return open <= 0 && !isOpen && !endsOpen(tokens)
  }

  /// Whether the last token wants another: an operator, or a property wrapper its property.
  private static func endsOpen(_ tokens: [SwiftToken]) -> Bool {
    if tokens.first?.kind == .attribute("Model") || tokens.first?.kind == .name("import") {
      return !tokens.contains { $0.kind == .sign("{") }
    }
    let declarators: Set<SwiftToken.Kind> = [
      .name("var"), .name("let"), .name("func"), .name("struct"), .name("class"), .name("enum"), .name("extension"),
    ]
    if case .attribute? = tokens.first?.kind, !tokens.contains(where: { declarators.contains($0.kind) }) { return true }
    guard case .sign(let sign)? = tokens.dropLast().last?.kind else { return false }
    return [",", "=", "&&", "||", ":", "->"].contains(sign)
  }
}

extension Substring {
  /// Whether its first character continues a name.
  fileprivate var beginsWithName: Bool { first.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false }
}
