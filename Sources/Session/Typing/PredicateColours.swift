internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Queries

/// The colours of the predicates in the strings of a block.
final class PredicateColours {
  /// A predicate that was read before: reading all of a long block at each key takes too long.
  private struct Text: Hashable {
    var text: String
    var entity: String
  }

  private let finder: PredicateStringFinder
  private var words: [Text: [(word: PredicateWord, isUnknown: Bool)]] = [:]

  init(_ engine: Engine) {
    finder = PredicateStringFinder(engine: engine)
  }

  /// The colours of a string, its quotes included; nil if it is no predicate.
  func marks(of index: Int, in outline: LuaOutline, at point: Int) -> [LuaColours.Mark]? {
    guard let found = finder.predicate(index, in: outline),
      let literal = LuaStringBeginning(content: outline.tokens[index], in: outline.bytes)
    else { return nil }
    let range = outline.tokens[index].range
    let start = literal.place(ofByte: 0)
    let end = literal.place(ofByte: literal.text.utf8.count)
    var marks: [LuaColours.Mark] = [(range.lowerBound..<start, .string)]
    for (word, isUnknown) in words(of: literal.text, found.entity) {
      let place = literal.place(ofByte: word.range.lowerBound)..<literal.place(ofByte: word.range.upperBound)
      // A name whose end is being typed may become one that there is.
      if let role = isUnknown && place.upperBound != point ? .unknown : Self.role(word.kind) {
        marks.append((place, role))
      }
    }
    if end < range.upperBound { marks.append((end..<range.upperBound, .string)) }
    return marks
  }

  private func words(of text: String, _ entity: Entity?) -> [(word: PredicateWord, isUnknown: Bool)] {
    let key = Text(text: text, entity: entity?.name ?? "")
    if let known = words[key] { return known }
    let unknown = entity.map { PredicateWord.unknownNames(in: text, of: $0) } ?? []
    let found = PredicateWord.words(of: text).map { word in
      (word, word.kind == .property && unknown.contains { $0.overlaps(word.range) })
    }
    words[key] = found
    return found
  }

  private static func role(_ kind: PredicateWord.Kind) -> Style.Role? {
    switch kind {
    case .keyword: .keyword
    case .property: .name
    case .string: .string
    case .number: .number
    case .placeholder: .placeholder
    case .function, .sign: nil
    }
  }
}
