internal import Modeling
internal import Queries
internal import SwiftParsing

extension SourceReader {
  /// `NSCompoundPredicate(type: .and, subpredicates: [...])`
  mutating func compound(_ type: SwiftSyntax, _ list: SwiftSyntax) -> SourcePredicate? {
    switch type.kind {
    case .member(_, "and"): return compound(list, isConjunction: true)
    case .member(_, "or"): return compound(list, isConjunction: false)
    case .member(_, "not"):
      guard case .array(let elements) = list.kind, elements.count == 1 else { return notAConstant(list) }
      return negation(elements[0])
    default: return notAConstant(type)
    }
  }

  mutating func compound(_ list: SwiftSyntax, isConjunction: Bool) -> SourcePredicate? {
    guard let parts = predicates(of: list) else { return nil }
    // An empty conjunction is true, an empty disjunction false, as in Foundation.
    if parts.isEmpty { return SourcePredicate(predicate: .constant(isConjunction)) }
    let terms = parts.map { part -> Predicate in
      guard let condition = part.condition else { return part.predicate }
      return isConjunction ? condition.opposite | part.predicate : condition & part.predicate
    }
    let joined = terms.dropFirst().reduce(terms[0]) { isConjunction ? $0 & $1 : $0 | $1 }
    return joining(parts, joined, list)
  }

  /// The list of predicates whose elements a condition counts: `predicates.isEmpty`, `predicates.count > 1`.
  func listCounted(by test: SwiftSyntax) -> String? {
    switch test.unwrapped.kind {
    case .infix(_, let operands): return operands.firstResult { listCounted(by: $0) }
    case .prefix("!", let operand): return listCounted(by: operand)
    case .member(let base?, let member):
      guard member == "isEmpty" || member == "count", case .name(let name) = base.kind,
        case .predicates? = constants[name]
      else { return nil }
      return name
    default: return nil
    }
  }

  /// `predicates.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: predicates) : predicates.first`, which is the
  /// conjunction, of however many.
  mutating func joined(_ name: String, _ first: SwiftSyntax, _ second: SwiftSyntax) -> SourcePredicate? {
    for branch in [first, second] {
      guard case .call(_, _, let arguments) = branch.unwrapped.kind, arguments.count == 1,
        arguments[0].label == "andPredicateWithSubpredicates", arguments[0].value.typeName == name
      else { continue }
      return compound(arguments[0].value, isConjunction: true)
    }
    return notAConstant(first)
  }

  mutating func negation(_ syntax: SwiftSyntax) -> SourcePredicate? {
    guard let part = required(syntax) else { return nil }
    return joining([part], .not(part.predicate), syntax)
  }

  /// The predicates of an array, or of a name for one.
  private mutating func predicates(of list: SwiftSyntax) -> [SourcePredicate]? {
    switch list.unwrapped.kind {
    case .array(let elements):
      var parts: [SourcePredicate] = []
      for element in elements {
        guard let part = required(element) else { return nil }
        parts.append(part)
      }
      return parts
    case .name(let name):
      if case .predicates(let found)? = constants[name] { return found }
    case .cast(let inner, _, _), .forced(let inner): return predicates(of: inner)
    case .infix("+", let lists):
      guard let first = predicates(of: lists[0]), let second = predicates(of: lists[1]) else { return nil }
      return first + second
    // `[a, b].compactMap { $0 }`
    case .call(let callee, _, _):
      if case .member(let base?, "compactMap") = callee.kind, case .array(let elements) = base.kind {
        let some = elements.filter { !isNothing($0) }
        return predicates(of: SwiftSyntax(kind: .array(some), range: base.range))
      }
    default: break
    }
    _ = notAConstant(list)
    return nil
  }

  /// The elements of a list of predicates that is declared; nil where it is none.
  mutating func predicateList(_ syntax: SwiftSyntax, _ type: TypeSyntax?) -> [SourcePredicate]? {
    let isDeclared =
      type?.name == "Array" && type?.arguments.first.map { Self.predicateTypes.contains($0.name) } == true
    switch syntax.kind {
    case .array(let elements):
      if elements.isEmpty { return isDeclared ? [] : nil }
      var list: [SourcePredicate] = []
      for element in elements {
        guard let found = predicate(from: element, type: isDeclared ? Self.predicateType(element.range) : nil) else {
          return nil
        }
        list.append(found)
      }
      return list
    // `[NSPredicate]()`
    case .call(let callee, _, let arguments):
      guard case .array(let elements) = callee.kind, elements.count == 1, arguments.isEmpty,
        case .name(let name) = elements[0].kind, Self.predicateTypes.contains(name)
      else { return nil }
      return []
    default: return nil
    }
  }

  /// The predicate that a value must be. Reports an error if it is not one, unless its own errors were reported.
  private mutating func required(_ syntax: SwiftSyntax) -> SourcePredicate? {
    let count = issues.found.count
    if let found = predicate(from: syntax, type: Self.predicateType(syntax.range)) { return found }
    return issues.found.count == count ? notAConstant(syntax) : nil
  }

  private mutating func joining(
    _ parts: [SourcePredicate], _ predicate: Predicate, _ syntax: SwiftSyntax
  ) -> SourcePredicate? {
    var whole = SourcePredicate(predicate: predicate, entity: parts.firstResult(\.entity))
    whole.weight = parts.reduce(1) { $0 + $1.weight }
    whole.depth = 1 + (parts.map(\.depth).max() ?? 0)
    guard whole.weight <= SourcePredicate.mostWeight, whole.depth <= Nesting.swiftPredicates else {
      issues.report(.tooDeep, at: syntax.range)
      return nil
    }
    return whole
  }
}
