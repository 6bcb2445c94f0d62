extension Predicate {
  /// Parses a predicate in the format language.
  ///
  ///     try Predicate.parse("magnitude >= %@ AND place CONTAINS[cd] %@", arguments: [5, "chile"])
  ///
  /// AND binds tighter than OR, NOT tightest; `check(in:)` checks names later.
  /// - Throws: all errors of the text, in its order.
  public static func parse(_ format: String, arguments: [PredicateArgument] = []) throws(PredicateError) -> Predicate {
    var parser = PredicateParser(format, arguments: arguments)
    let predicate = parser.readPredicate()
    try parser.throwIssues()
    return predicate
  }
}

extension Expression {
  /// Parses an expression in the format language: a derived attribute, sort key, section identifier or aggregate.
  ///
  ///     try Expression.parse("year(time)")
  ///     try Expression.parse("reports.@count")
  ///
  /// A text that consists of a dotted key path is that path, even if its names are reserved words: `size` needs no `#`
  /// here, as in Apple's sort descriptors.
  public static func parse(_ text: String, arguments: [PredicateArgument] = []) throws(PredicateError) -> Expression {
    if let path = plainPath(text) { return .path(path) }
    var parser = PredicateParser(text, arguments: arguments)
    let expression = parser.readExpression()
    try parser.throwIssues()
    return expression
  }

  private static func plainPath(_ text: String) -> PropertyPath? {
    let names = text.split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = names.allSatisfy { name in
      name.utf8.first?.isNameStart == true && name.utf8.allSatisfy { $0.isNameStart || $0.isDigit }
    }
    let literals: Set<String> = [
      "nil", "null", "true", "false", "yes", "no", "self", "truepredicate", "falsepredicate",
    ]
    guard isPlain, !names.contains(where: { literals.contains($0.lowercased()) }) else { return nil }
    return PropertyPath(names.map(String.init), origin: Origin(text: text, range: 0..<text.utf8.count))
  }
}
