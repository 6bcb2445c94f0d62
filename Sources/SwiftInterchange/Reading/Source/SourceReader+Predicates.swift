internal import Modeling
internal import Queries

extension SourceReader {
  /// The predicate that a value describes; nil if it is not a predicate.
  mutating func predicate(from syntax: SwiftSyntax, entity: Entity? = nil) -> SourcePredicate? {
    switch syntax.kind {
    case .macro("Predicate", let generics, let arguments): return macro(generics, arguments, entity, syntax)
    case .forced(let inner), .cast(let inner, _, _): return predicate(from: inner, entity: entity)
    case .tuple(let elements) where elements.count == 1: return predicate(from: elements[0].value, entity: entity)
    case .name(let name), .member(_, let name): return named(name)
    case .message(let receiver, let arguments): return made(by: receiver, Self.swiftLabels(arguments), syntax)
    case .call(let callee, _, let arguments):
      switch callee.kind {
      case .name(let type) where type == "NSPredicate" || type == "NSCompoundPredicate":
        return made(by: type, arguments, syntax)
      case .name(let name), .member(_, let name): return named(name)
      case .closure(let closure): return returned(by: closure)?.predicate
      default: return nil
      }
    default: return nil
    }
  }

  private func named(_ name: String) -> SourcePredicate? {
    if case .predicate(let found)? = constants[name] { found } else { nil }
  }

  /// What a closure answers that is called where it stands.
  mutating func returned(by closure: ClosureSyntax) -> (predicate: SourcePredicate?, request: FetchRequest?)? {
    let outer = (constants, predicate, request)
    (predicate, request) = (nil, nil)
    read(closure.statements)
    defer { (constants, predicate, request) = outer }
    return (predicate, request)
  }

  // MARK: #Predicate

  private mutating func macro(
    _ generics: [String], _ arguments: [SwiftArgument], _ context: Entity?, _ syntax: SwiftSyntax
  ) -> SourcePredicate? {
    guard case .closure(let closure)? = arguments.last?.value.kind else {
      let range = arguments.last?.value.range ?? syntax.range
      issues.report(.unexpected(found: source(range), expected: "a closure { ... }"), at: range)
      return nil
    }
    let count = issues.found.count
    var entity = context ?? self.entity
    if let name = generics.last {
      entity = self.entity(named: name, at: syntax.range.lowerBound..<closure.range.lowerBound)
    } else if let type = closure.parameters?.first?.type {
      entity = self.entity(named: type.innermost, at: type.range)
    }
    var lowering = PredicateLowering(closure, entity: entity, constants: constants, issues: issues)
    let predicate = lowering.predicate(of: closure)
    issues = lowering.issues
    if let entity, issues.found.count == count {
      do { try predicate.check(in: entity) } catch { issues.report(error, at: syntax.range) }
    }
    return SourcePredicate(predicate: predicate, entity: entity, closure: closure)
  }

  // MARK: #Expression

  /// The closure of `#Expression<Quake, Double> { ... }`, which predicates evaluate; its mistakes are reported here.
  mutating func expression(
    _ generics: [String], _ arguments: [SwiftArgument], _ syntax: SwiftSyntax
  ) -> ClosureSyntax? {
    guard case .closure(let closure)? = arguments.last?.value.kind else {
      issues.report(
        .unexpected(found: source(syntax.range), expected: "#Expression<Quake, Double> { ... }"), at: syntax.range)
      return nil
    }
    let place = syntax.range.lowerBound..<closure.range.lowerBound
    var inputs: [Entity?] = []
    for name in generics.dropLast() {
      inputs.append(AttributeType.isSwiftName(name) ? nil : entity(named: name, at: place))
    }
    if inputs.isEmpty, let type = closure.parameters?.first?.type {
      inputs = [entity(named: type.innermost, at: type.range)]
    }
    if inputs.isEmpty { inputs = [entity] }
    let count = issues.found.count
    var lowering = PredicateLowering(closure, entity: inputs.first ?? entity, constants: constants, issues: issues)
    let value = lowering.expression(of: closure, inputs)
    issues = lowering.issues
    guard issues.found.count == count else { return closure }
    expression = value
    if let object = inputs.firstResult({ $0 }) {
      checkExpression(value, of: object, returning: generics.count > 1 ? generics.last : nil, at: syntax.range)
    }
    return closure
  }

  /// Reports the mistakes of an expression that the entity shows, and a value of another type than it is declared to have.
  private mutating func checkExpression(
    _ expression: Expression, of entity: Entity, returning name: String?, at range: Range<Int>
  ) {
    do {
      let type = try expression.check(in: entity)
      guard let found = type.attributeType, let name,
        let declared = AttributeType(swiftName: name.last == "?" ? String(name.dropLast()) : name),
        !found.isSameKind(as: declared)
      else { return }
      issues.report(.otherResult(found.swiftName, declared: name), at: range)
    } catch { issues.report(error, at: range) }
  }

  // MARK: NSPredicate

  /// Objective-C's `predicateWithFormat` is Swift's `format`.
  private static func swiftLabels(_ arguments: [SwiftArgument]) -> [SwiftArgument] {
    let labels = [
      "predicateWithFormat": "format", "predicateWithValue": "value",
      "andPredicateWithSubpredicates": "andPredicateWithSubpredicates",
    ]
    return arguments.map { SwiftArgument(label: $0.label.map { labels[$0] ?? $0 }, value: $0.value) }
  }

  private mutating func made(
    by type: String, _ arguments: [SwiftArgument], _ syntax: SwiftSyntax
  ) -> SourcePredicate? {
    guard let first = arguments.first, let label = first.label else {
      issues.report(.noPredicate, at: syntax.range)
      return nil
    }
    switch (type, label) {
    case ("NSPredicate", "format"): return format(first.value, Array(arguments.dropFirst()), syntax)
    case ("NSPredicate", "value"):
      guard case .bool(let flag)? = constants.value(of: first.value) else { return notAConstant(first.value) }
      return SourcePredicate(predicate: .constant(flag))
    case ("NSCompoundPredicate", "andPredicateWithSubpredicates"):
      return compound(first.value) { .and($0) }
    case ("NSCompoundPredicate", "orPredicateWithSubpredicates"):
      return compound(first.value) { .or($0) }
    case ("NSCompoundPredicate", "notPredicateWithSubpredicate"): return negation(first.value)
    case ("NSCompoundPredicate", "type") where arguments.count == 2: return compound(first.value, arguments[1].value)
    default:
      let known =
        type == "NSPredicate"
        ? ["format", "value"]
        : ["andPredicateWithSubpredicates", "orPredicateWithSubpredicates", "notPredicateWithSubpredicate"]
      issues.report(
        .unknownArgument(label, of: type, nearest: nearestName(to: label, in: known)), at: first.value.range)
      return nil
    }
  }

  mutating func notAConstant(_ syntax: SwiftSyntax) -> SourcePredicate? {
    if case .unreadable = syntax.kind { return nil }
    issues.report(.notAConstant(source(syntax.range)), at: syntax.range)
    return nil
  }

  /// `NSPredicate(format: "magnitude > %@", 5 as NSNumber)`
  private mutating func format(
    _ format: SwiftSyntax, _ arguments: [SwiftArgument], _ syntax: SwiftSyntax
  ) -> SourcePredicate? {
    if case .string(let string) = format.kind, let place = string.interpolation {
      issues.report(.interpolation, at: place)
      return nil
    }
    guard case .string(let text)? = constants.value(of: format) else { return notAConstant(format) }
    var given = arguments.filter { $0.label == nil }.map(\.value)
    for argument in arguments {
      guard let label = argument.label else { continue }
      guard label == "argumentArray" || label == "arguments" else {
        issues.report(.unknownArgument(label, of: "NSPredicate", nearest: "argumentArray"), at: argument.value.range)
        continue
      }
      switch argument.value.kind {
      case .array(let elements): given += elements
      case .literal(.null): break
      default: return notAConstant(argument.value)
      }
    }
    // Objective-C ends a list of arguments with nil, where it is no argument.
    if case .message = syntax.kind, case .literal(.null)? = given.last?.kind, given.count > 1 { given.removeLast() }
    do {
      let predicate = try Predicate.parse(text, arguments: given.map { self.argument($0) })
      return SourcePredicate(predicate: predicate.withEntityNames)
    } catch {
      issues.report(error, at: format.range)
      return nil
    }
  }

  /// What fills a placeholder: a value that is known, or a variable.
  private mutating func argument(_ syntax: SwiftSyntax) -> PredicateArgument {
    // `Car.entity()`, which `entity` is compared with.
    if case .call(let callee, _, let arguments) = syntax.unwrapped.kind, arguments.isEmpty,
      case .member(let type?, "entity") = callee.kind, case .name(let name) = type.kind
    {
      return .expression(.call(.entityName, .constant(.string(name)), at: origin(syntax.range)))
    }
    switch syntax.unwrapped.kind {
    case .cast(let inner, _, _), .forced(let inner): return argument(inner)
    case .name(let name):
      guard let value = constants.value(of: syntax) else { return .expression(.variable(name, origin(syntax.range))) }
      return .expression(.argument(value, name: name))
    case .array(let elements):
      if let value = constants.value(of: syntax) { return .value(value) }
      return .expression(.aggregate(elements.map { self.expression($0) }))
    default:
      if let value = constants.value(of: syntax) { return .value(value) }
      _ = notAConstant(syntax)
      return .value(.null)
    }
  }

  private mutating func expression(_ syntax: SwiftSyntax) -> Expression {
    switch argument(syntax) {
    case .value(let value): .argument(value, name: nil)
    case .expression(let expression): expression
    }
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
}
