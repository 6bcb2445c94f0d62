internal import Modeling
internal import Queries

extension SourceReader {
  /// The request that a value describes; nil if it is not a request.
  ///
  /// Its entity is the one named in it, or that of the type of the property, or the one given.
  mutating func request(from syntax: SwiftSyntax, type: TypeSyntax?, entity: Entity? = nil) -> FetchRequest? {
    switch syntax.kind {
    case .forced(let inner), .cast(let inner, _, _): return request(from: inner, type: type, entity: entity)
    case .tuple(let elements) where elements.count == 1:
      return request(from: elements[0].value, type: type, entity: entity)
    case .name(let name) where Self.makers.contains(name): return made(syntax, [], [], type, entity)
    case .name(let name), .member(_, let name): return named(name)
    case .call(let callee, let generics, let arguments):
      switch callee.kind {
      case .closure(let closure) where arguments.isEmpty: return returned(by: closure)?.request
      case .member(let base?, "fetchRequest"):
        guard case .name(let name) = base.kind else { return nil }
        return self.entity(named: name, at: base.range).map { FetchRequest($0) }
      case .name(let name) where Self.makers.contains(name): return made(syntax, generics, arguments, type, entity)
      case .name(let name), .member(_, let name): return named(name)
      default: return nil
      }
    default: return nil
    }
  }

  private static let makers: Set<String> = [
    "NSFetchRequest", "FetchRequest", "SectionedFetchRequest", "FetchDescriptor", "Query", "ResultsObserver",
  ]

  private func named(_ name: String) -> FetchRequest? {
    if case .request(let found)? = constants[name] { found } else { nil }
  }

  /// `FetchRequest(sortDescriptors: [...], predicate: ...)` and everything like it.
  private mutating func made(
    _ syntax: SwiftSyntax, _ generics: [String], _ arguments: [SwiftArgument], _ type: TypeSyntax?, _ context: Entity?
  ) -> FetchRequest? {
    if let given = arguments.first, ["fetchRequest", "fetchDescriptor", "descriptor", nil].contains(given.label),
      let found = request(from: given.value, type: type, entity: context)
    {
      return completed(found, arguments.dropFirst())
    }
    guard let entity = entity(of: syntax, generics, arguments, type) ?? context else {
      if issues.found.isEmpty { issues.report(.missingEntity, at: syntax.range) }
      return nil
    }
    return completed(FetchRequest(entity), arguments[...])
  }

  /// The entity of a request: its generic argument, `entityName`, `entity`, the type of the property, or the macro's.
  private mutating func entity(
    of syntax: SwiftSyntax, _ generics: [String], _ arguments: [SwiftArgument], _ type: TypeSyntax?
  ) -> Entity? {
    for argument in arguments {
      switch (argument.label, argument.value.kind) {
      case ("entityName", .string(let name)): return entity(named: name.content, at: argument.value.range)
      case ("entity", .call(let callee, _, _)):
        guard case .member(let base?, "entity") = callee.kind, case .name(let name) = base.kind else { continue }
        return entity(named: name, at: base.range)
      default: continue
      }
    }
    let unspecific: Set<String> = ["NSFetchRequestResult", "NSManagedObject", "NSDictionary", "NSManagedObjectID"]
    // The last is what the sections are called.
    let isObserver =
      if case .call(let callee, _, _) = syntax.kind, case .name("ResultsObserver") = callee.kind { true } else { false }
    if let name = isObserver ? generics.first : generics.last, !unspecific.contains(name) {
      return entity(named: name, at: syntax.range)
    }
    if let type, !type.generics.isEmpty, !unspecific.contains(type.innermost) {
      return entity(named: type.innermost, at: type.range)
    }
    for argument in arguments {
      if case .name(let name) = argument.value.kind, case .predicate(let found)? = constants[name],
        let own = found.entity
      {
        return own
      }
      if let name = argument.value.rootType { return entity(named: name, at: argument.value.range) }
    }
    return nil
  }

  /// The request with what the arguments of its initialiser say.
  private mutating func completed(_ request: FetchRequest, _ arguments: ArraySlice<SwiftArgument>) -> FetchRequest {
    var request = request
    for argument in arguments { set(argument.label ?? "filter", argument, of: &request, place: argument.value.range) }
    // `order` belongs to the one key of `sort`.
    if let order = arguments.first(where: { $0.label == "order" })?.value, !request.sortDescriptors.isEmpty {
      request.sortDescriptors[0].isAscending = !order.isReverse
    }
    return request
  }

  // MARK: Properties

  private static let ignored: Set<String> = [
    "transaction", "entity", "entityName", "order", "fetchRequest", "affectedStores", "context", "modelContext",
  ]
  private static let names = [
    "predicate", "filter", "filterBy", "sortDescriptors", "sortBy", "sort", "sectionIdentifier", "sectionBy",
    "fetchLimit",
    "fetchOffset", "fetchBatchSize", "includesSubentities", "includesPendingChanges", "includePendingChanges",
    "includesPropertyValues", "returnsObjectsAsFaults", "returnsDistinctResults", "resultType", "propertiesToFetch",
    "propertiesToGroupBy", "havingPredicate", "relationshipKeyPathsForPrefetching", "shouldRefreshRefetchedObjects",
    "animation", "nsPredicate",
    "nsSortDescriptors",
  ]

  /// Sets a property of a request, by the name that Core Data, SwiftData or SwiftUI has for it.
  mutating func set(_ name: String, _ argument: SwiftArgument, of request: inout FetchRequest, place: Range<Int>) {
    let value = argument.value
    switch name {
    case "predicate", "filter", "filterBy", "nsPredicate":
      request.predicate = optionalPredicate(value, request.entity)
    case "havingPredicate": request.havingPredicate = optionalPredicate(value, request.entity)
    case "sortDescriptors", "sortBy", "sort", "nsSortDescriptors":
      request.sortDescriptors = sortDescriptors(from: value, entity: request.entity)
    case "sectionIdentifier", "sectionBy":
      request.sectionIdentifier = path(value, of: request.entity).map { .path($0) }
    case "fetchLimit": request.fetchLimit = integer(value) ?? request.fetchLimit
    case "fetchOffset": request.fetchOffset = integer(value) ?? 0
    case "fetchBatchSize": request.fetchBatchSize = integer(value) ?? 0
    case "includesSubentities": request.includesSubentities = flag(value) ?? true
    case "includesPendingChanges", "includePendingChanges": request.includesPendingChanges = flag(value) ?? true
    case "includesPropertyValues": request.includesPropertyValues = flag(value) ?? true
    case "returnsObjectsAsFaults": request.returnsObjectsAsFaults = flag(value) ?? true
    case "shouldRefreshRefetchedObjects": request.shouldRefreshRefetchedObjects = flag(value) ?? false
    case "returnsDistinctResults": request.returnsDistinctResults = flag(value) ?? false
    case "resultType": setResultType(value, of: &request)
    case "animation": request.animation = animation(value)
    case "propertiesToFetch":
      request.propertiesToFetch = paths(value, of: request.entity).map { FetchedColumn($0.text, .path($0)) }
    case "propertiesToGroupBy":
      request.propertiesToGroupBy = paths(value, of: request.entity).map { .path($0) }
    case "relationshipKeyPathsForPrefetching":
      request.relationshipKeyPathsForPrefetching = paths(value, of: request.entity)
    case _ where Self.ignored.contains(name): break
    default:
      issues.report(.unknownRequestProperty(name, nearest: nearestName(to: name, in: Self.names)), at: place)
    }
  }

  /// `.default`, `Animation.easeIn`, `.spring(duration: 1)`; nil for none.
  private func animation(_ value: SwiftSyntax) -> String? {
    switch value.unwrapped.kind {
    case .literal(.null), .unreadable: return nil
    case .name(let name): return name
    case .member(_, let name): return name == "none" ? nil : name
    case .call(let callee, _, _):
      guard case .member(_, let name) = callee.kind else { break }
      let arguments = String(decoding: bytes[callee.range.upperBound..<value.unwrapped.range.upperBound], as: UTF8.self)
      return name + arguments.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    default: break
    }
    return source(value.range)
  }

  private mutating func optionalPredicate(_ value: SwiftSyntax, _ entity: Entity) -> Predicate? {
    switch value.kind {
    case .literal(.null), .unreadable: return nil
    default: break
    }
    let count = issues.found.count
    if let found = predicate(from: value, entity: entity) { return found.predicate }
    if issues.found.count == count { issues.report(.notAConstant(source(value.range)), at: value.range) }
    return nil
  }

  private mutating func integer(_ syntax: SwiftSyntax) -> Int? {
    if case .int(let number)? = constants.value(of: syntax) { return Int(number) }
    issues.report(.notAConstant(source(syntax.range)), at: syntax.range)
    return nil
  }

  private mutating func flag(_ syntax: SwiftSyntax) -> Bool? {
    if case .bool(let flag)? = constants.value(of: syntax) { return flag }
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
}

extension SwiftSyntax {
  /// Whether it is `.reverse`.
  var isReverse: Bool { if case .member(_, "reverse") = kind { true } else { false } }

  /// The type that a key path, or the macro, begins with, within arrays and calls too.
  fileprivate var rootType: String? {
    switch kind {
    case .keyPath(let root, _): root?.name
    case .macro("Predicate", let generics, let arguments): generics.last ?? arguments.last?.value.rootType
    case .closure(let closure): closure.parameters?.first?.type?.innermost
    case .array(let elements): elements.firstResult(\.rootType)
    case .call(_, let generics, let arguments):
      generics.last ?? arguments.firstResult(\.value.rootType)
    default: nil
    }
  }
}
