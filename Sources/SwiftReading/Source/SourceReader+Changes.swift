internal import Modeling
internal import Queries
internal import SwiftParsing

// What changes a request after it was made.
extension SourceReader {
  // MARK: Assignments

  /// `request.fetchLimit = 10`, `_quakes = FetchRequest(...)`, `quakes.nsPredicate = nil`
  mutating func assign(_ value: SwiftSyntax, to target: SwiftSyntax) {
    switch target.kind {
    case .member(let base?, "wrappedValue"):
      if case .member = base.kind { return assign(value, to: base) }
    case .member(let base?, let property):
      switch base.kind {
      case .name("self"): return assign(value, toName: property, at: target.range)
      case .name(let name): if set(property, of: name, value, at: target.range) { return }
      // `self.request.fetchLimit`
      case .member(let owner?, let name):
        if case .name("self") = owner.kind, set(property, of: name, value, at: target.range) { return }
      default: break
      }
    case .name(let name): return assign(value, toName: name, at: target.range)
    default: break
    }
    guard let name = target.rootName, isFollowed(name) else { return refuseChanges(in: value) }
    issues.report(.notRead(source(target.range)), at: target.range)
  }

  /// Sets a property of the value of `name`; returns false if that is not followed.
  private mutating func set(
    _ property: String, of name: String, _ value: SwiftSyntax, at place: Range<Int>
  ) -> Bool {
    let argument = SwiftArgument(label: property, value: value)
    if case .request(var found)? = constants[name] {
      set(property, argument, of: &found, place: place)
      constants[name] = .request(found)
      declaredRequest = found
      return true
    }
    if case .transaction(var transaction)? = constants[name] {
      set(property, value, of: &transaction)
      constants[name] = .transaction(transaction)
      return true
    }
    if case .column(var column)? = constants[name] {
      set(property, value, of: &column)
      constants[name] = .column(column)
      return true
    }
    let results = name.hasPrefix("$") ? String(name.dropFirst()) : name
    if let index = properties.firstIndex(where: { $0.name == results }) {
      guard Self.configuration.contains(property) else { return false }
      var request = properties[index].request
      set(property, argument, of: &request, place: place)
      properties[index].request = request
      return true
    }
    return setConfiguration(property, of: name, value, at: place)
  }

  /// What can be set of results.
  private static let configuration: Set<String> = [
    "predicate", "nsPredicate", "sortDescriptors", "nsSortDescriptors", "sectionIdentifier",
  ]

  /// The predicate that results are given whose request is not in the text.
  private mutating func setConfiguration(
    _ property: String, of name: String, _ value: SwiftSyntax, at place: Range<Int>
  ) -> Bool {
    guard constants[name] == nil, Self.configuration.contains(property) else { return false }
    guard property.hasSuffix("redicate") else {
      if name.hasPrefix("$") || property.hasPrefix("ns") { issues.report(.undeclaredRequest(name), at: place) }
      return name.hasPrefix("$") || property.hasPrefix("ns")
    }
    undeclaredResults = (name, place)
    let count = issues.found.count
    if isNothing(value) {
      predicate = SourcePredicate(predicate: .constant(true))
    } else if let found = self.predicate(from: value, type: Self.predicateType(value.range)) {
      predicate = found
    } else if issues.found.count == count {
      _ = notAConstant(value)
    }
    if predicate != nil { lonePredicates.append(value.range) }
    return true
  }

  static func predicateType(_ range: Range<Int>) -> TypeSyntax { TypeSyntax(name: "NSPredicate", range: range) }

  private mutating func assign(_ value: SwiftSyntax, toName name: String, at place: Range<Int>) {
    guard name.hasPrefix("_"), name.count > 1 else { return declare(name, value, types[name]) }
    let property = String(name.dropFirst())
    let known = properties.firstIndex { $0.name == property }
    let entity = known.map { properties[$0].request.entity }
    let count = issues.found.count
    guard let found = request(from: value, type: nil, entity: entity, maker: makers[property]) else {
      guard issues.found.count == count else { return }
      if makers[property] != nil {
        _ = notAConstant(value)
      } else if value.hasLabelsOfRequest {
        issues.report(.undeclaredRequest(property), at: place)
      } else {
        refuseChanges(in: value)
      }
      return
    }
    if let known { properties[known].request = found } else { properties.append((property, found)) }
    if !requestNames.contains(property) { requestNames.append(property) }
  }

  // MARK: Statements that are not understood

  /// Whether a change of the value of `name` changes a request.
  private func isFollowed(_ name: String) -> Bool {
    let bare = name.hasPrefix("$") || name.hasPrefix("_") ? String(name.dropFirst()) : name
    return constants[name]?.isOfRequests == true || properties.contains { $0.name == bare }
  }

  /// Reports a statement that may change a request and is not read: `configure(&request)`.
  mutating func refuseChanges(in value: SwiftSyntax) {
    if append(value) { return }
    guard let place = changed(in: value) else { return }
    issues.report(.notRead(source(place)), at: place)
  }

  /// Where a value changes something that is followed.
  private func changed(in syntax: SwiftSyntax) -> Range<Int>? {
    switch syntax.kind {
    case .prefix("&", let operand):
      if let name = operand.rootName, isFollowed(name) { return syntax.range }
    case .call(let callee, _, let arguments):
      if isChange(callee, arguments) { return syntax.range }
    case .closure(let closure):
      for statement in closure.statements {
        if case .assignment(let target, _) = statement.kind, let name = target.rootName, isFollowed(name) {
          return statement.range
        }
        if case .other = statement.kind, statement.names.contains(where: isFollowed) { return statement.range }
      }
    default: break
    }
    return syntax.children.firstResult { changed(in: $0) }
  }

  /// Whether a call changes its receiver, or an object that it is given.
  private func isChange(_ callee: SwiftSyntax, _ arguments: [SwiftArgument]) -> Bool {
    let changing: Set<String> = [
      "append", "insert", "remove", "removeAll", "removeLast", "removeFirst", "reverse", "sort", "setValue", "swapAt",
      "replaceSubrange", "update", "send",
    ]
    var function: String?
    if case .name(let name) = callee.kind { function = name }
    if case .member(let base, let method) = callee.kind {
      function = method
      if let base, let root = base.rootName, isFollowed(root) {
        if changing.contains(method) { return true }
        if case .name = base.kind, requestObjects.contains(root), !["execute", "copy"].contains(method) { return true }
      }
    }
    let reading: Set<String> = [
      "fetch", "count", "execute", "print", "debugPrint", "dump", "perform", "performFetch", "delete", "firstValue",
      "NSBatchDeleteRequest", "NSAsynchronousFetchRequest", "assert", "fetchCount", "publisher",
    ]
    if let function, reading.contains(function) || RequestMaker(rawValue: function) != nil { return false }
    return arguments.contains { argument in
      if case .name(let name) = argument.value.kind { requestObjects.contains(name) && isFollowed(name) } else { false }
    }
  }

  /// Reads `predicates.append(predicate)` of a list that is known.
  private mutating func append(_ value: SwiftSyntax) -> Bool {
    guard case .call(let callee, _, let arguments) = value.kind, case .member(let base?, "append") = callee.kind,
      case .name(let name) = base.kind, arguments.count == 1, [nil, "contentsOf"].contains(arguments[0].label)
    else { return false }
    let isList = arguments[0].label != nil
    let added = arguments[0].value
    switch constants[name] {
    case .predicates(var list):
      let count = issues.found.count
      let elements: [SwiftSyntax] = if isList, case .array(let elements) = added.kind { elements } else { [added] }
      for element in elements {
        if let found = predicate(from: element, type: Self.predicateType(element.range)) {
          list.append(found)
        } else if case .name(let other) = element.kind, isList, case .predicates(let more)? = constants[other] {
          list += more
        } else if issues.found.count == count {
          _ = notAConstant(element)
        }
      }
      constants[name] = .predicates(list)
    case .sortKeys(let keys):
      let elements: [SwiftSyntax] = if isList, case .array(let elements) = added.kind { elements } else { [added] }
      constants[name] = .sortKeys(keys + withoutNames(elements))
    default: return false
    }
    return true
  }

  /// Reports a statement that is skipped, such as `switch`, where it makes a request or changes one; what else it names is not
  /// known behind it.
  mutating func readSkipped(_ word: String, _ statement: SwiftStatement) {
    let makers: Set<String> = [
      "NSPredicate", "NSCompoundPredicate", "Predicate", "NSFetchRequest", "FetchDescriptor", "FetchRequest",
      "SectionedFetchRequest", "Query", "NSSortDescriptor", "SortDescriptor",
    ]
    guard word != "catch", word != "import", word != "typealias" else { return }
    let isReading = !statement.names.isDisjoint(with: ["fetch", "execute", "count"])
    let touched = statement.names.filter(isFollowed)
    if !statement.names.isDisjoint(with: makers) || !touched.isEmpty && !isReading {
      issues.report(.notRead(word), at: statement.range)
    }
    for name in statement.names {
      if case .value? = constants[name] { constants[name] = nil }
    }
  }
}

extension SourceConstants.Constant {
  /// Whether it is a part of a request, or one.
  var isOfRequests: Bool {
    switch self {
    case .request, .predicate, .predicates, .sortKeys, .column: true
    default: false
    }
  }
}

extension SwiftSyntax {
  /// The name that a chain of members begins with.
  var rootName: String? {
    switch kind {
    case .name(let name): name
    case .member(let base?, let name): if case .name("self") = base.kind { name } else { base.rootName }
    case .optionalChain(let base), .forced(let base), .subscripted(let base, _), .prefix("&", let base): base.rootName
    case .call(let callee, _, _): callee.rootName
    default: nil
    }
  }

  /// Whether it is `.init(filter: ..., sort: ...)`, with labels that only requests have.
  fileprivate var hasLabelsOfRequest: Bool {
    guard case .call(let callee, _, let arguments) = kind, case .member(nil, "init") = callee.kind else { return false }
    let labels: Set<String?> = [
      "filter", "sort", "sortDescriptors", "predicate", "fetchRequest", "sectionIdentifier", "sortBy",
    ]
    return arguments.contains { labels.contains($0.label) }
  }
}
