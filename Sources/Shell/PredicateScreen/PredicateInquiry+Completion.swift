internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Storage

// What can stand at the cursor: key paths, operators, functions, and values that the store has.
extension PredicateInquiry {
  /// How long values are looked for.
  private static let valueTime = 0.05
  private static let mostValues = 50

  /// What can stand at the end of `text`, the beginning of a predicate, and whether that is all.
  func completions(_ text: String) throws -> (completions: Completions, isWhole: Bool) {
    let end = text.utf8.count
    if let place = ValuePlace(before: text), let (owner, attribute) = attribute(place.path) {
      let found = try values(of: attribute, in: owner, at: place)
      if place.quote != nil || !found.candidates.isEmpty {
        return (Completions(start: place.start, candidates: found.candidates), found.isWhole)
      }
    }
    if ValuePlace.openQuote(text) != nil { return (Completions(start: end), true) }
    var completions = PredicateCompleter(entity: entity, isPath: false).completions(text, at: 0)
    let word = String(decoding: Array(text.utf8)[completions.start...], as: UTF8.self)
    let isPath = text.utf8.dropLast(word.utf8.count).last == UInt8(ascii: ".")
    if !word.isEmpty, !isPath {
      let names = ExpressionFunction.callableNames.filter { $0.hasPrefix(word.lowercased()) && !$0.contains(":") }
      completions.candidates += names.map { Completions.Candidate($0 + "(", "function") }
    }
    return (completions, true)
  }

  /// The attribute that a key path leads to, and its entity.
  private func attribute(_ path: String) -> (Entity, Attribute)? {
    guard let resolved = try? PropertyPath(dotted: path).resolve(in: entity), resolved.elements.isEmpty,
      let attribute = resolved.finalAttribute, !attribute.isTransient
    else { return nil }
    return (resolved.end, attribute)
  }

  /// The most frequent values of an attribute that go on from what is typed, counted as far as the time allows.
  private func values(
    of attribute: Attribute, in owner: Entity, at place: ValuePlace
  ) throws -> (candidates: [Completions.Candidate], isWhole: Bool) {
    let isText = attribute.type.isTextual
    guard isText || (place.quote == nil && (attribute.type.isNumeric || attribute.type == .boolean)) else {
      return ([], true)
    }
    var request = FetchRequest(owner)
    let path = Expression.path(PropertyPath([attribute.name]))
    request.propertiesToFetch = [FetchedColumn(attribute.name, path)]
    request.resultType = .dictionaries
    // Of an index that has the attribute, the time may be enough for the first value only.
    if place.prefix.isEmpty { request.propertiesToFetch += Self.otherColumns(than: attribute, of: owner) }
    if isText, !place.prefix.isEmpty {
      let prefix = Expression.constant(.string(place.prefix))
      request.predicate = .comparison(Comparison(path, .beginsWith, prefix, options: .caseInsensitive))
    }
    var counts: [Value: Int] = [:]
    var isWhole = false
    let attempt = try attempt(seconds: Self.valueTime) {
      let cursor = try context.store.dictionaries(request)
      defer { cursor.close() }
      let deadline = monotonicSeconds() + Self.valueTime
      var row = 0
      while try cursor.step() {
        counts[cursor.value(0), default: 0] += 1
        row += 1
        if row & 63 == 0, monotonicSeconds() > deadline || shouldStop() { return }
      }
      isWhole = true
    }
    if case .failed = attempt { return ([], true) }
    counts[.null] = nil
    let texts = counts.map { (Self.literal($0.key, quote: place.quote), $0.value) }
    let fitting = isText ? texts : texts.filter { $0.0.hasPrefix(place.prefix) }
    let best = fitting.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }.prefix(Self.mostValues)
    let candidates = best.map { Completions.Candidate($0.0, Quantity.grouped($0.1) + (isWhole ? "" : "+")) }
    return (candidates, isWhole)
  }

  /// Columns that have the rows read from the table.
  private static func otherColumns(than attribute: Attribute, of owner: Entity) -> [FetchedColumn] {
    owner.attributes.filter { $0.derivation == nil && !$0.isTransient && $0.name != attribute.name }.map {
      FetchedColumn($0.name, .path(PropertyPath([$0.name])))
    }
  }

  /// A value as it is written in a predicate, from behind the quote that is open.
  private static func literal(_ value: Value, quote: Character?) -> String {
    let text: String
    switch value {
    case .string(let string), .url(let string): text = string
    default: return value.displayText
    }
    let mark = quote ?? "\""
    var literal = quote == nil ? String(mark) : ""
    for character in text {
      switch character {
      case "\\": literal += "\\\\"
      case mark: literal += "\\" + String(mark)
      case "\n": literal += "\\n"
      case "\t": literal += "\\t"
      case "\r": literal += "\\r"
      default: literal.append(character)
      }
    }
    return literal + String(mark)
  }
}
