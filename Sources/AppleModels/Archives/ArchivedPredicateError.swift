/// Why an archived predicate has no text in the format language.
enum ArchivedPredicateError: Error, Hashable {
  /// There is something of a class or kind that has no spelling: `NSBlockPredicate`.
  case unknownPart(String)
  /// It nests or repeats itself beyond what can be read.
  case tooLarge
  /// Its text is not understood here.
  case unreadable(String)

  /// What a note about it says.
  var note: String {
    switch self {
    case .unknownPart(let name): "it uses \(name), which has no spelling"
    case .tooLarge: "it is too large"
    case .unreadable(let text): "it is not understood: \(text)"
    }
  }
}
