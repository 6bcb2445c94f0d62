public import Modeling

extension Predicate {
  /// Parses a text and reports all its errors: syntax errors, and with an entity also wrong names and types, even in
  /// the readable parts of a text that cannot be parsed as a whole.
  ///
  ///     Predicate.diagnose("titel HASPREFIX 'The' AND (yaer ==", in: book).issues.count     // 4
  ///
  /// Never throws. The predicate is nil if the text cannot be parsed; its names may be wrong. The issues are in the
  /// order of the text, and their places within it.
  public static func diagnose(
    _ text: String, arguments: [PredicateArgument] = [], in entity: Entity? = nil
  ) -> (predicate: Predicate?, issues: [PredicateError.Issue]) {
    var parser = PredicateParser(text, arguments: arguments)
    let predicate = parser.readPredicate()
    var issues = parser.issues
    if let entity {
      var checker = Checker(entity: entity, purpose: .definition)
      checker.check(predicate.inlined)
      issues += checker.issues
    }
    let whole = Origin(text: text, range: 0..<text.utf8.count)
    for index in issues.indices where issues[index].origin?.text != text {
      // An expression passed as an argument has a text of its own.
      issues[index].origin = whole
    }
    return (parser.issues.isEmpty ? predicate : nil, issues.inOrderOfText)
  }
}
