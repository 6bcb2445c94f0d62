internal import Modeling
internal import Queries
internal import SwiftParsing

// NSPredicate and NSCompoundPredicate.
extension SourceReader {
  /// Objective-C's `predicateWithFormat` is Swift's `format`.
  static func swiftLabels(_ arguments: [SwiftArgument]) -> [SwiftArgument] {
    let labels = [
      "predicateWithFormat": "format", "predicateWithValue": "value",
      "andPredicateWithSubpredicates": "andPredicateWithSubpredicates",
    ]
    return arguments.map { SwiftArgument(label: $0.label.map { labels[$0] ?? $0 }, value: $0.value) }
  }

  mutating func made(
    by type: String, _ arguments: [SwiftArgument], _ syntax: SwiftSyntax
  ) -> SourcePredicate? {
    guard let first = arguments.first, let label = first.label else {
      issues.report(.noPredicate, at: syntax.range)
      return nil
    }
    let isFormat = type == "NSPredicate" && label == "format"
    let count = type == "NSCompoundPredicate" && label == "type" ? 2 : 1
    if !isFormat, arguments.count > count {
      let more = arguments[count]
      issues.report(
        .unknownArgument(more.label ?? source(more.value.range), of: type, nearest: nil), at: more.value.range)
      return nil
    }
    switch (type, label) {
    case ("NSPredicate", "format"): return format(first.value, Array(arguments.dropFirst()), syntax)
    case ("NSPredicate", "value"):
      guard case .bool(let flag)? = constants.value(of: first.value) else { return notAConstant(first.value) }
      return SourcePredicate(predicate: .constant(flag))
    case ("NSCompoundPredicate", "andPredicateWithSubpredicates"): return compound(first.value, isConjunction: true)
    case ("NSCompoundPredicate", "orPredicateWithSubpredicates"): return compound(first.value, isConjunction: false)
    case ("NSCompoundPredicate", "notPredicateWithSubpredicate"): return negation(first.value)
    case ("NSCompoundPredicate", "type") where arguments.count == 2 && arguments[1].label == "subpredicates":
      return compound(first.value, arguments[1].value)
    default:
      let known =
        type == "NSPredicate"
        ? ["format", "value"]
        : ["andPredicateWithSubpredicates", "orPredicateWithSubpredicates", "notPredicateWithSubpredicate"]
      let wrong = label == "type" && arguments.count == 2 ? arguments[1] : first
      issues.report(
        .unknownArgument(
          wrong.label ?? source(wrong.value.range), of: type, nearest: nearestName(to: label, in: known)),
        at: wrong.value.range)
      return nil
    }
  }

  mutating func notAConstant(_ syntax: SwiftSyntax) -> SourcePredicate? {
    if case .unreadable = syntax.kind { return nil }
    issues.report(.notAConstant(source(syntax.range)), at: syntax.range)
    return nil
  }

  // MARK: Formats

  /// `NSPredicate(format: "magnitude > %@", 5 as NSNumber)`
  private mutating func format(
    _ format: SwiftSyntax, _ arguments: [SwiftArgument], _ syntax: SwiftSyntax
  ) -> SourcePredicate? {
    var given = arguments.filter { $0.label == nil }.map(\.value)
    for argument in arguments {
      guard let label = argument.label else { continue }
      guard label == "argumentArray" || label == "arguments" else {
        issues.report(.unknownArgument(label, of: "NSPredicate", nearest: "argumentArray"), at: argument.value.range)
        continue
      }
      switch argument.value.unwrapped.kind {
      case .array(let elements): given += elements
      case .literal(.null): break
      case .call(let callee, _, let list) where callee.typeName == "getVaList":
        guard list.count == 1, case .array(let elements) = list[0].value.kind else {
          return notAConstant(argument.value)
        }
        given += elements
      default: return notAConstant(argument.value)
      }
    }
    // Objective-C ends a list of arguments with nil, where it is no argument.
    if case .message = syntax.kind, case .literal(.null)? = given.last?.kind, given.count > 1 { given.removeLast() }
    let values = given.map { self.argument($0) }
    let count = issues.found.count
    guard var text = formatText(format, values) else {
      return issues.found.count == count ? notAConstant(format) : nil
    }
    let kinds = FormatText.placeholders(text.format) ?? []
    for (kind, argument) in zip(kinds, text.arguments) where kind == "K" {
      // A key must be known; a value may be a variable.
      if case .expression(.variable(let name, let place)) = argument {
        issues.report(.notAConstant(place.map { source($0.range) } ?? name), at: place?.range ?? format.range)
        return nil
      }
    }
    // Foundation takes as many arguments as there are placeholders.
    if !kinds.isEmpty { text.arguments = Array(text.arguments.prefix(kinds.count)) }
    do {
      let predicate = try Predicate.parse(text.format, arguments: text.arguments)
      return SourcePredicate(predicate: predicate.withEntityNames.withLengths(in: model))
    } catch {
      issues.report(error, at: format.range)
      return nil
    }
  }

  /// The text of a format with placeholders for interpolations, and the arguments for all placeholders.
  private mutating func formatText(
    _ format: SwiftSyntax, _ given: [PredicateArgument]
  ) -> (format: String, arguments: [PredicateArgument])? {
    if case .string(let text)? = constants.value(of: format) { return (text, given) }
    switch format.unwrapped.kind {
    case .string(let string):
      guard let parts = SourceInterpolation.parts(of: string, in: bytes) else {
        issues.report(.interpolation, at: string.interpolation ?? format.range)
        return nil
      }
      var text = FormatText(arguments: given)
      for part in parts {
        switch part {
        case .text(let piece): text.append(piece)
        case .value(let syntax, let place):
          if case .string(let known)? = constants.value(of: syntax) {
            text.append(known)
          } else if case .int(let known)? = constants.value(of: syntax) {
            text.append(String(known))
          } else if !text.insert({ argument(syntax) }) {
            issues.report(.notAConstant(source(syntax.range)), at: place)
            return nil
          }
        }
      }
      return text.isComplete
        ? (text.format, text.arguments)
        : {
          issues.report(.interpolation, at: string.interpolation ?? format.range)
          return nil
        }()
    // `"label == '" + label + "'"`
    case .infix("+", _):
      var text = FormatText(arguments: given)
      for piece in format.summands {
        if case .string(let known)? = constants.value(of: piece) {
          text.append(known)
        } else if !text.insert({ argument(piece) }) {
          issues.report(.notAConstant(source(piece.range)), at: piece.range)
          return nil
        }
      }
      return text.isComplete ? (text.format, text.arguments) : nil
    default: return nil
    }
  }

  /// What fills a placeholder: a value that is known, or a variable.
  mutating func argument(_ syntax: SwiftSyntax) -> PredicateArgument {
    // `Car.entity()`, which `entity` is compared with.
    if case .call(let callee, _, let arguments) = syntax.unwrapped.kind, arguments.isEmpty,
      case .member(let type?, "entity") = callee.kind, case .name(let name) = type.kind
    {
      return .expression(.call(.entityName, .constant(.string(name)), at: origin(syntax.range)))
    }
    switch syntax.unwrapped.kind {
    case .cast(let inner, _, _), .forced(let inner): return argument(inner)
    case .name(let name):
      guard let value = constants.value(of: syntax) else {
        return .expression(.variable(outsideName(of: syntax), origin(syntax.range)))
      }
      return .expression(.argument(value, name: name))
    case .array(let elements):
      if let value = constants.value(of: syntax) { return .value(value) }
      return .expression(.aggregate(elements.map { self.expression($0) }))
    case .closure, .dictionary, .conditional, .unreadable, .message, .regularExpression, .literal:
      if let value = constants.value(of: syntax) { return .value(value) }
      _ = notAConstant(syntax)
      return .value(.null)
    default:
      if let value = constants.value(of: syntax) { return .value(value) }
      return .expression(.variable(outsideName(of: syntax), origin(syntax.range)))
    }
  }

  private mutating func expression(_ syntax: SwiftSyntax) -> Expression {
    switch argument(syntax) {
    case .value(let value): .argument(value, name: nil)
    case .expression(let expression): expression
    }
  }
}

extension SwiftSyntax {
  /// The operands of a sum, from the left.
  fileprivate var summands: [SwiftSyntax] {
    if case .infix("+", let operands) = unwrapped.kind { return operands.flatMap(\.summands) }
    return [self]
  }
}

extension Predicate {
  /// The predicate with `entity == %@` of an entity's description as a test for the name of the object's entity.
  ///
  /// A description was read as `entityName("Car")`, a form that has no other meaning.
  fileprivate var withEntityNames: Predicate {
    var isAsked = false
    let named = replacing { (part, _) -> Expression? in
      guard case .function(.entityName, let arguments, _) = part, case .constant(let name)? = arguments.first else {
        return nil
      }
      isAsked = true
      return .constant(name)
    }
    guard isAsked else { return self }
    return named.replacing { (part, _) -> Expression? in
      switch part {
      case .path(let path) where path.names.last == "entity":
        let owner = PropertyPath(Array(path.components.dropLast()))
        return .call(.entityName, owner.components.isEmpty ? .object : .path(owner), at: path.origin)
      case .variablePath(let name, let path) where path.names.last == "entity":
        let owner = PropertyPath(Array(path.components.dropLast()))
        let object = owner.components.isEmpty ? Expression.variable(name) : .variablePath(name, owner)
        return .call(.entityName, object, at: path.origin)
      default: return nil
      }
    }
  }

  /// The predicate with `name.length` as the length of a text, which NSString has and no model declares.
  fileprivate func withLengths(in model: Model?) -> Predicate {
    guard let model else { return self }
    return replacing { (part, _) -> Expression? in
      guard case .path(let path) = part, path.names.last == "length", path.components.count > 1 else { return nil }
      let owner = PropertyPath(Array(path.components.dropLast()), origin: path.origin)
      let isDeclared = model.entities.contains { (try? path.resolve(in: $0)) != nil }
      let isText = model.entities.contains { (try? owner.resolve(in: $0))?.finalAttribute?.type == .string }
      return isText && !isDeclared ? .call(.length, .path(owner), at: path.origin) : nil
    }
  }
}
