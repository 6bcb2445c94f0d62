internal import Modeling
internal import Queries
internal import SwiftParsing

extension SourceReader {
  /// The predicate that a value describes; nil if it is not a predicate. `.init` is that of `type`.
  mutating func predicate(
    from syntax: SwiftSyntax, entity: Entity? = nil, type: TypeSyntax? = nil
  ) -> SourcePredicate? {
    switch syntax.kind {
    case .macro("Predicate", let generics, let arguments): return macro(generics, arguments, entity, syntax)
    case .forced(let inner), .cast(let inner, _, _): return predicate(from: inner, entity: entity, type: type)
    case .tuple(let elements) where elements.count == 1:
      return predicate(from: elements[0].value, entity: entity, type: type)
    case .name(let name): return knownPredicate(name, of: nil)
    case .member(let base, let name): return knownPredicate(name, of: base)
    case .message(let receiver, let arguments): return made(by: receiver, Self.swiftLabels(arguments), syntax)
    case .ternary(let test, let first, let second):
      if let name = listCounted(by: test) { return joined(name, first, second) }
      return choice(test, first, second, entity, type)
    case .conditional(let conditional): return choice(conditional, entity, type)
    // `search.map { NSPredicate(...) } ?? other`, which can be read only if the left side is known.
    case .infix("??", let operands):
      return isNothing(operands[0])
        ? predicate(from: operands[1], entity: entity, type: type)
        : predicate(from: operands[0], entity: entity, type: type)
    case .infix, .prefix: return keyPathComparison(syntax, entity)
    case .call(let callee, _, let arguments):
      switch callee.kind {
      case .name(let type) where type == "NSPredicate" || type == "NSCompoundPredicate":
        return made(by: type, arguments, syntax)
      case .member(let base, "init"):
        guard let name = base.map(\.typeName) ?? type?.name, name == "NSPredicate" || name == "NSCompoundPredicate"
        else {
          return nil
        }
        return made(by: name, arguments, syntax)
      case .name(let name): return knownPredicate(name, of: nil, arguments)
      case .member(let base, let name): return knownPredicate(name, of: base, arguments)
      case .closure(let closure): return returned(by: closure, type)?.predicate
      default: return nil
      }
    default: return nil
    }
  }

  /// A predicate that was declared, with the arguments of the function that makes it.
  private mutating func knownPredicate(
    _ name: String, of base: SwiftSyntax?, _ arguments: [SwiftArgument]? = nil
  ) -> SourcePredicate? {
    guard let key = key(name, of: base), case .predicate(var found)? = constants[key] else { return nil }
    guard let parameters = functions[key], !parameters.isEmpty || arguments?.isEmpty == false else { return found }
    guard let filled = fill(found.predicate, parameters, arguments ?? []) else { return nil }
    if filled != found.predicate { found.closure = nil }
    found.predicate = filled
    return found
  }

  /// The value of a closure that is called where it stands.
  mutating func returned(
    by closure: ClosureSyntax, _ type: TypeSyntax? = nil
  ) -> (predicate: SourcePredicate?, request: FetchRequest?)? {
    let outer = (constants, predicate, request, hasEnded, earlier)
    (predicate, request) = (nil, nil)
    readInner(closure.statements, returning: type)
    defer { (constants, predicate, request, hasEnded, earlier) = outer }
    return (predicate.map { afterEarlierReturns($0) }, request)
  }

  /// `\Note.pinned == true && \Note.rank > 1`: comparisons of key paths, as operators of libraries take them.
  private mutating func keyPathComparison(_ syntax: SwiftSyntax, _ context: Entity?) -> SourcePredicate? {
    guard let root = syntax.comparedRoot else { return nil }
    var entity = context ?? self.entity
    if let root { entity = self.entity(named: root.name, at: root.range) }
    let statement = SwiftStatement(kind: .value(syntax), range: syntax.range)
    let closure = ClosureSyntax(parameters: nil, statements: [statement], range: syntax.range)
    let count = issues.found.count
    var lowering = PredicateLowering(closure, entity: entity, constants: constants, issues: issues)
    lowering.takesKeyPaths = true
    let predicate = lowering.predicate(of: closure)
    issues = lowering.issues
    if let entity, issues.found.count == count {
      do { try predicate.check(in: entity) } catch { issues.report(error, at: syntax.range) }
    }
    return SourcePredicate(predicate: predicate, entity: entity)
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
      let place = syntax.range.lowerBound..<closure.range.lowerBound
      let named = self.entity(named: name == "Self" ? owner ?? name : name, at: place)
      if let context, let named, !context.isKind(of: named), !named.isKind(of: context) {
        issues.report(.wrongEntity(name, expected: context.name), at: place)
      }
      entity = named
    } else if let type = closure.parameters?.first?.type {
      entity = self.entity(named: type.innermost, at: type.range)
    }
    var lowering = PredicateLowering(closure, entity: entity, constants: constants, issues: issues)
    lowering.knowsOptionals = model?.hasSwiftTypes == true
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
      if let other = try expression.otherResult(in: entity, than: name) { issues.report(other, at: range) }
    } catch { issues.report(error, at: range) }
  }
}

extension Expression {
  /// That the value is of another type than is declared; nil where it is not, or one of the two is not known.
  ///
  /// - Throws: PredicateError.
  func otherResult(in entity: Entity, than name: String?) throws(PredicateError) -> SwiftReadingError.Fact? {
    let type = try check(in: entity)
    guard let found = type.attributeType, let name,
      let declared = AttributeType(swiftName: name.last == "?" ? String(name.dropLast()) : name),
      !found.isSameKind(as: declared)
    else { return nil }
    return .otherResult(found.swiftName, declared: name)
  }
}

extension SwiftSyntax {
  /// The type that a key path begins with which is compared with something: nil for no comparison of key paths, an inner nil for
  /// a key path without a type.
  fileprivate var comparedRoot: TypeSyntax?? {
    switch unwrapped.kind {
    case .infix(let sign, let operands):
      if sign == "&&" || sign == "||" { return operands.firstResult(\.comparedRoot) }
      guard ["==", "!=", "<", "<=", ">", ">="].contains(sign) else { return nil }
      for operand in operands {
        if case .keyPath(let root, _) = operand.unwrapped.kind { return .some(root) }
      }
      return nil
    case .prefix("!", let operand): return operand.comparedRoot
    default: return nil
    }
  }
}
