internal import Modeling

extension PredicateParser {
  /// Reads the rest of `FUNCTION(receiver, "selector:", arguments)`, which calls a method. Known methods of numbers,
  /// texts, dates and collections become their equivalents.
  mutating func selectorCall(at place: Origin) -> Expression {
    let start = current.range.lowerBound
    var arguments = callArguments()
    guard arguments.count >= 2, case .string(let selector) = arguments[1].constantValue else {
      report(.unexpected(found: "no selector", expected: "FUNCTION(value, \"selector\", …)"), at: origin(from: start))
      return .hole(keeping: arguments)
    }
    arguments.remove(at: 1)
    let key = selector.lowercased()
    if let path = Self.keyPath(key, arguments) { return follow(path, from: arguments[0], at: start) }
    if let meaning = SelectorMeaning.all[key] {
      if arguments.count == selector.count(where: { $0 == ":" }) + 1, let call = meaning(arguments, place) {
        return deepen(beside: height + 2) ? call : .hole
      }
      report(
        .wrongArgumentCount(
          function: selector, expected: "\(selector.count { $0 == ":" })", given: arguments.count - 1),
        at: place)
      return .hole(keeping: arguments)
    }
    if let hole = refused(selector, arguments, at: place) { return hole }
    guard ExpressionFunction(named: selector) != nil else {
      let nearest = SelectorMeaning.nearest(to: selector)
      report(.unknownFunction(selector, nearest: nearest), at: place)
      return .hole(keeping: arguments)
    }
    return functionCall(selector, arguments, at: place)
  }

  /// The key path of `FUNCTION(x, "valueForKeyPath:", "a.b")`.
  private static func keyPath(_ selector: String, _ arguments: [Expression]) -> String? {
    guard selector == "valueforkeypath:" || selector == "valueforkey:", arguments.count == 2,
      case .string(let path) = arguments[1].constantValue, !path.isEmpty
    else { return nil }
    return path
  }

  private mutating func follow(_ path: String, from receiver: Expression, at start: Int) -> Expression {
    var result = receiver
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for key in keys.prefix(Self.heightLimit) {
      if key.hasPrefix("@") {
        guard let function = collectionOperator(key, from: start), deepen() else { return .hole(keeping: [result]) }
        result = .collection(function, of: result, key: nil)
      } else {
        result = append(key, isEscaped: false, to: result, from: start)
      }
    }
    return result
  }
}

/// The equivalents in the format language of Foundation's methods that FUNCTION calls.
///
/// To add one: its selector in lower case and the equivalent expression.
enum SelectorMeaning {
  typealias Meaning = @Sendable ([Expression], Origin?) -> Expression?

  /// Functions and methods that are known but not supported, with their remedies.
  static let refused: [String: PredicateError.Remedy] = [
    "distancetolocation:fromlocation:": .compareCoordinates, "distancefromlocation:": .compareCoordinates,
    "random": .giveNumber, "random:": .giveNumber, "randomn": .giveNumber, "randomn:": .giveNumber,
    "gamma:": .none, "first:": .write("list[FIRST]"), "last:": .write("list[LAST]"),
    "stringbyappendingstring:": .none, "substringtoindex:": .write("BEGINSWITH"),
    "substringfromindex:": .write("ENDSWITH"), "capitalizedstring": .write("==[c]"),
    "compare:": .write("<, == or >"), "caseinsensitivecompare:": .write("<[c], ==[c] or >[c]"),
    "valueforkey:": .write("a key after a point"), "valueforkeypath:": .write("a key path after a point"),
  ]

  static let all: [String: Meaning] = [
    // Dates
    "timeintervalsincedate:": { .function(.subtract, $0, $1) },
    "datebyaddingtimeinterval:": { .function(.add, $0, $1) },
    "timeintervalsincereferencedate": { arguments, _ in .cast(arguments[0], to: .number) },
    "timeintervalsince1970": { arguments, place in
      .call(
        .add, .cast(arguments[0], to: .number), .constant(.double(Timestamp.referenceDate)), at: place)
    },
    "timeintervalsincenow": { .call(.subtract, $0[0], .call(.now), at: $1) },
    "earlierdate:": { arguments, place in .call(.min, .aggregate(arguments), at: place) },
    "laterdate:": { arguments, place in .call(.max, .aggregate(arguments), at: place) },
    // Texts
    "hasprefix:": { arguments, _ in truth(arguments, .beginsWith) },
    "hassuffix:": { arguments, _ in truth(arguments, .endsWith) },
    "containsstring:": { arguments, _ in truth(arguments, .contains) },
    "localizedcaseinsensitivecontainsstring:": { arguments, _ in truth(arguments, .contains, .caseInsensitive) },
    "localizedstandardcontainsstring:": { arguments, _ in
      truth(arguments, .contains, [.caseInsensitive, .diacriticInsensitive])
    },
    // Any two values
    "isequal:": { arguments, _ in truth(arguments, .equal) },
    "isequaltostring:": { arguments, _ in truth(arguments, .equal) },
    "isequaltonumber:": { arguments, _ in truth(arguments, .equal) },
    "isequaltodate:": { arguments, _ in truth(arguments, .equal) },
    // Conversions
    "stringvalue": { arguments, _ in .cast(arguments[0], to: .string) },
    "intvalue": { arguments, _ in .cast(arguments[0], to: .integer) },
    "integervalue": { arguments, _ in .cast(arguments[0], to: .integer) },
    "longlongvalue": { arguments, _ in .cast(arguments[0], to: .integer) },
    "doublevalue": { arguments, _ in .cast(arguments[0], to: .double) },
    "floatvalue": { arguments, _ in .cast(arguments[0], to: .double) },
    "boolvalue": { arguments, _ in .cast(arguments[0], to: .bool) },
    // Collections
    "firstobject": { arguments, _ in .subscripted(arguments[0], .first) },
    "anyobject": { arguments, _ in .subscripted(arguments[0], .first) },
    "lastobject": { arguments, _ in .subscripted(arguments[0], .last) },
    "objectatindex:": { arguments, _ in .subscripted(arguments[0], .index(arguments[1])) },
    "containsobject:": { arguments, _ in truth(arguments, .contains) },
  ]

  static func nearest(to selector: String) -> String? {
    nearestName(to: selector, in: ExpressionFunction.callableNames + all.keys.sorted())
  }

  /// A condition as a value, because methods return values and conditions are not values.
  private static func truth(
    _ arguments: [Expression], _ comparator: Comparator, _ options: ComparisonOptions = []
  ) -> Expression {
    let comparison = Comparison(arguments[0], comparator, arguments[1], options: options, origin: arguments[0].origin)
    return .ternary(.comparison(comparison), .constant(.bool(true)), .constant(.bool(false)))
  }
}
