internal import Modeling
internal import Queries
internal import SwiftParsing

// The properties of requests.
extension SourceReader {
  private static let names = [
    "predicate", "filter", "filterBy", "sortDescriptors", "sortBy", "sort", "sectionIdentifier", "sectionBy",
    "sectionNameKeyPath", "fetchLimit", "fetchOffset", "fetchBatchSize", "includesSubentities",
    "includesPendingChanges", "includePendingChanges", "includesPropertyValues", "returnsObjectsAsFaults",
    "returnsDistinctResults", "resultType", "propertiesToFetch", "propertiesToGroupBy", "havingPredicate",
    "relationshipKeyPathsForPrefetching", "shouldRefreshRefetchedObjects", "animation", "transaction", "nsPredicate",
    "nsSortDescriptors", "entity", "affectedStores",
  ]

  /// Sets a property of a request, by the name that Core Data, SwiftData or SwiftUI has for it.
  mutating func set(_ name: String, _ argument: SwiftArgument, of request: inout FetchRequest, place: Range<Int>) {
    let value = argument.value
    switch name {
    case "predicate", "filter", "filterBy", "nsPredicate":
      request.predicate = optionalPredicate(value, request.entity)
    case "havingPredicate": request.havingPredicate = optionalPredicate(value, request.entity)
    case "sortDescriptors", "sortBy", "sort", "nsSortDescriptors":
      request.sortDescriptors = isNothing(value) ? [] : sortDescriptors(from: value, entity: request.entity)
    case "sectionIdentifier", "sectionBy", "sectionNameKeyPath":
      request.sectionIdentifier = isNothing(value) ? nil : path(value, of: request.entity).map { .path($0) }
    case "fetchLimit": if let number = integer(value) { request.fetchLimit = number }
    case "fetchOffset": if let number = integer(value) { request.fetchOffset = number }
    case "fetchBatchSize": if let number = integer(value) { request.fetchBatchSize = number }
    case "includesSubentities": set(\.includesSubentities, value, of: &request)
    case "includesPendingChanges", "includePendingChanges": set(\.includesPendingChanges, value, of: &request)
    case "includesPropertyValues": set(\.includesPropertyValues, value, of: &request)
    case "returnsObjectsAsFaults": set(\.returnsObjectsAsFaults, value, of: &request)
    case "shouldRefreshRefetchedObjects": set(\.shouldRefreshRefetchedObjects, value, of: &request)
    case "returnsDistinctResults": set(\.returnsDistinctResults, value, of: &request)
    case "resultType": setResultType(value, of: &request)
    case "animation": request.animation = animation(value)
    case "transaction": setTransaction(value, of: &request)
    case "propertiesToFetch":
      request.propertiesToFetch = isNothing(value) ? [] : columns(value, of: request.entity)
    case "propertiesToGroupBy":
      request.propertiesToGroupBy = isNothing(value) ? [] : paths(value, of: request.entity).map { .path($0) }
    case "relationshipKeyPathsForPrefetching":
      request.relationshipKeyPathsForPrefetching = isNothing(value) ? [] : paths(value, of: request.entity)
    case "entity":
      let count = issues.found.count
      if let entity = describedEntity(value) {
        request.entity = entity
      } else if issues.found.count == count {
        _ = notAConstant(value)
      }
    // There is one store here.
    case "affectedStores": if !isNothing(value) { issues.report(.notRead(source(place)), at: place) }
    default:
      issues.report(.unknownRequestProperty(name, nearest: nearestName(to: name, in: Self.names)), at: place)
    }
  }

  private mutating func set(
    _ path: WritableKeyPath<FetchRequest, Bool>, _ value: SwiftSyntax, of request: inout FetchRequest
  ) {
    if case .bool(let flag)? = constants.value(of: value) {
      request[keyPath: path] = flag
    } else {
      issues.report(.notAConstant(source(value.range)), at: value.range)
    }
  }

  private mutating func optionalPredicate(_ value: SwiftSyntax, _ entity: Entity) -> Predicate? {
    if isNothing(value) { return nil }
    if case .unreadable = value.kind { return nil }
    let count = issues.found.count
    if let found = predicate(from: value, entity: entity, type: Self.predicateType(value.range)) {
      return found.predicate
    }
    if issues.found.count == count { issues.report(.notAConstant(source(value.range)), at: value.range) }
    return nil
  }

  private mutating func integer(_ syntax: SwiftSyntax) -> Int? {
    if case .int(let number)? = constants.value(of: syntax) { return Int(number) }
    issues.report(.notAConstant(source(syntax.range)), at: syntax.range)
    return nil
  }

  private mutating func setResultType(_ syntax: SwiftSyntax, of request: inout FetchRequest) {
    let types: [String: FetchRequest.ResultType] = [
      "managedObjectResultType": .objects, "managedObjectIDResultType": .objectIDs,
      "dictionaryResultType": .dictionaries, "countResultType": .count,
    ]
    guard case .member(_, let name) = syntax.kind, let type = types[name] else {
      issues.report(.notAConstant(source(syntax.range)), at: syntax.range)
      return
    }
    request.resultType = type
  }

  // MARK: Animations

  /// `.default`, `Animation.easeIn`, `.spring(duration: 1)`; nil for none.
  mutating func animation(_ value: SwiftSyntax) -> String? {
    switch value.unwrapped.kind {
    case .literal(.null), .unreadable: return nil
    case .member(let base, let name):
      if base == nil || base?.typeName == "Animation" { return name == "none" ? nil : name }
      if base?.typeName == "Optional", name == "none" { return nil }
      if case .transaction(let known)? = constants.declared(name, of: base) { return known.animation }
      if let base, case .call = base.kind, let start = animation(base) {
        return start + source(base.range.upperBound..<value.unwrapped.range.upperBound)
      }
    case .name(let name): if case .transaction(let known)? = constants[name] { return known.animation }
    case .call(let callee, _, _):
      guard case .member(let base, let name) = callee.kind else { break }
      let range = callee.range.upperBound..<value.unwrapped.range.upperBound
      let arguments = String(decoding: bytes[range], as: UTF8.self).split(whereSeparator: \.isWhitespace)
      if base == nil || base?.typeName == "Animation" { return name + arguments.joined(separator: " ") }
      // `.easeIn(duration: 1).delay(2)`
      if let base, case .call = base.kind, let start = animation(base) {
        return start + "." + name + arguments.joined(separator: " ")
      }
    default: break
    }
    issues.report(.notAConstant(source(value.range)), at: value.range)
    return nil
  }

  /// `Transaction(animation: .easeIn)`, or a name for it; nil where it is none.
  mutating func transaction(_ value: SwiftSyntax, _ type: TypeSyntax? = nil) -> SourceTransaction? {
    switch value.unwrapped.kind {
    case .name(let name): if case .transaction(let known)? = constants[name] { return known }
    case .member(let base, let name):
      if case .transaction(let known)? = constants.declared(name, of: base) { return known }
    case .call(let callee, _, let arguments):
      let isTransaction =
        switch callee.kind {
        case .name(let name): name == "Transaction"
        case .member(nil, "init"): type?.name == "Transaction"
        case .member(let base?, "init"): base.typeName == "Transaction"
        default: false
        }
      guard isTransaction else { return nil }
      guard let first = arguments.first else { return SourceTransaction(nil) }
      guard first.label == "animation", arguments.count == 1 else {
        issues.report(
          .unknownArgument(first.label ?? source(first.value.range), of: "Transaction", nearest: "animation"),
          at: first.value.range)
        return SourceTransaction(nil)
      }
      return SourceTransaction(animation(first.value))
    default: break
    }
    return nil
  }

  private mutating func setTransaction(_ value: SwiftSyntax, of request: inout FetchRequest) {
    let count = issues.found.count
    let type = TypeSyntax(name: "Transaction", range: value.range)
    if let found = transaction(value, type) {
      request.animation = found.shown
    } else if issues.found.count == count {
      _ = notAConstant(value)
    }
  }

  /// `transaction.disablesAnimations = true`
  mutating func set(_ property: String, _ value: SwiftSyntax, of transaction: inout SourceTransaction) {
    switch (property, constants.value(of: value)) {
    case ("animation", _): transaction.animation = animation(value)
    case ("disablesAnimations", .bool(let flag)?): transaction.disablesAnimations = flag
    // The other arguments are for views and do not belong to a request.
    case ("isContinuous", _): break
    default: _ = notAConstant(value)
    }
  }
}

extension SwiftSyntax {
  /// The name of a type before a point.
  var typeName: String? { if case .name(let name) = kind { name } else { nil } }
}
