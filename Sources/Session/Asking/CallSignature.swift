internal import LuaBindings

/// How a function is called, and the parameter that an argument is for.
///
///     Quake:where("magnitude > %@", 5        // Entity:where(predicate, ...) -> request, the second parameter
package struct CallSignature {
  /// The call as help writes it.
  package let text: String
  /// What it does, in one sentence.
  package let summary: String
  /// Where the parameters stand in the text, in bytes.
  package let parameters: [Range<Int>]
  /// The number of the argument, from 0.
  package let argument: Int
  /// The format that the call takes, whose arguments follow it.
  package private(set) var format: ScriptString?

  private init(_ text: String, _ summary: String, argument: Int) {
    (self.text, self.summary, self.argument) = (text, summary, argument)
    parameters = SignatureParameters(text).ranges
  }

  /// The parameter that the argument is for; the last one where that may be repeated.
  package var parameter: Int {
    let isRepeated = parameters.last.map { Array(text.utf8)[$0].elementsEqual("...".utf8) } == true
    return isRepeated ? min(argument, parameters.count - 1) : argument
  }

  /// A function of the predicate language; nil for a name that is none.
  package init?(predicateFunction name: String, argument: Int) {
    guard let topic = PredicateTopic.topic(name), topic.form.contains("(") else { return nil }
    self.init(topic.form, topic.text, argument: argument)
  }

  /// The function of the engine whose call a byte of a script stands in.
  init?(in text: String, at offset: Int, _ completer: LuaCompleter) {
    let bytes = Array(text.utf8.prefix(offset))
    var tokens = LuaToken.tokens(of: String(decoding: bytes, as: UTF8.self))
    if case .comment(isOpen: true)? = tokens.last?.kind { return nil }
    tokens.removeAll { if case .comment = $0.kind { true } else { false } }
    var isString = false
    if case .string(isOpen: true)? = tokens.last?.kind {
      isString = true
      tokens.removeLast()
    }
    guard let place = CallPlace(before: tokens[...], in: bytes, isString: isString), isString || place.open != nil,
      place.receiver != nil || !Self.isOwn(place, tokens, bytes, completer.scope),
      let entry = completer.entry(of: place)
    else { return nil }
    self.init(entry.signature, entry.summary, argument: place.argument)
    guard let open = place.open, argument > 0, tokens.indices.contains(open + 1),
      let string = completer.string(in: text, at: tokens[open + 1].range.lowerBound), string.kind == .predicate
    else { return }
    format = string
  }

  /// Whether a script makes the function itself: as a local, or where the place stands.
  private static func isOwn(_ place: CallPlace, _ tokens: [LuaToken], _ bytes: [UInt8], _ scope: ScriptScope?) -> Bool {
    if scope?[place.function] != nil { return true }
    guard let open = place.open, open > 1 else { return false }
    return tokens[open - 2].text(in: bytes) == "function"
  }
}
