package import LuaBindings
package import LuaRuntime
package import Modeling
package import Queries

/// The meaning of a predicate that a person types.
package enum PredicateReading {
  /// There is no text: all objects.
  case everything
  case predicate(Predicate)
  /// Variables have no value, so that nothing can be asked yet.
  case needsValues(Predicate, [String])
  case mistakes([Mistake])

  /// A mistake and its place.
  package struct Mistake: Equatable {
    package var sentence: String
    /// The place in the text, in bytes of UTF-8.
    package var range: Range<Int>?

    package init(_ sentence: String, _ range: Range<Int>?) { (self.sentence, self.range) = (sentence, range) }
  }

  /// Reads a text about `entity`, variables bound to the fields of the table `values`.
  package init(_ text: String, _ entity: Entity, values: LuaReference?, _ engine: Engine) {
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
        Mistake(detail.message, detail.excerpt.flatMap { $0.text == text ? $0.range : nil })
      }
      self = .mistakes(mistakes.isEmpty ? [Mistake(report.message, nil)] : mistakes)
    }
  }

  /// The predicate to ask the store by, nil for all objects; nil in place of it if there is none.
  package var predicateToAsk: Predicate?? {
    switch self {
    case .everything: .some(nil)
    case .predicate(let predicate): .some(predicate)
    case .needsValues, .mistakes: nil
    }
  }

  /// The mistakes, in the order of the text.
  package var mistakes: [Mistake] {
    if case .mistakes(let mistakes) = self { mistakes } else { [] }
  }
}
