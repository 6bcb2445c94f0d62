public import Modeling

extension Predicate {
  /// Parses a text and reports all its mistakes: those of the language, and with an entity those of names and types,
  /// also in the readable parts of a text that cannot be read as a whole.
  ///
  ///     Predicate.diagnose("titel HASPREFIX 'The' AND (yaer ==", in: book).issues.count     // 4
  ///
  /// Never throws. The predicate is nil where the text cannot be read; its names may be wrong. The issues stand in the
  /// order of the text, each within it.
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
      // An expression given as an argument was read from a text of its own.
      issues[index].origin = whole
    }
    return (parser.issues.isEmpty ? predicate : nil, issues.inOrderOfText)
  }
}
