internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Queries

/// The meaning of the text on a predicate's screen.
enum PredicateReading {
  /// There is no text: all objects.
  case everything
  case predicate(Predicate)
  /// Variables have no value, so that nothing can be asked yet.
  case needsValues(Predicate, [String])
  case mistakes([Mistake])

  /// A mistake and its place.
  struct Mistake: Equatable {
    var sentence: String
    /// The place in the text, in bytes of UTF-8.
    var range: Range<Int>?
  }

  /// Reads a text about `entity`, variables bound to the fields of the table `values`.
  init(_ text: String, _ entity: Entity, values: LuaReference?, _ engine: Engine) {
    guard text.contains(where: { !$0.isWhitespace }) else {
      self = .everything
      return
    }
    do {
      var predicate = try Predicate.parse(text)
      if let values { predicate = try engine.predicates.bind(predicate, values) }
      var request = FetchRequest(entity)
      request.predicate = predicate
      try request.validate(for: .definition)
      let missing = predicate.variables
      if missing.isEmpty { try request.validate(for: .fetch) }
      self = missing.isEmpty ? .predicate(predicate) : .needsValues(predicate, missing)
    } catch {
      let report = engine.report(error)
      let mistakes = report.details.map { detail in
        Mistake(sentence: detail.message, range: detail.excerpt.flatMap { $0.text == text ? $0.range : nil })
      }
      self = .mistakes(mistakes.isEmpty ? [Mistake(sentence: report.message, range: nil)] : mistakes)
    }
  }

  /// The predicate to ask the store by, nil for all objects; nil in place of it if there is none.
  var predicateToAsk: Predicate?? {
    switch self {
    case .everything: .some(nil)
    case .predicate(let predicate): .some(predicate)
    case .needsValues, .mistakes: nil
    }
  }

  /// The mistakes, in the order of the text.
  var mistakes: [Mistake] {
    if case .mistakes(let mistakes) = self { mistakes } else { [] }
  }
}
