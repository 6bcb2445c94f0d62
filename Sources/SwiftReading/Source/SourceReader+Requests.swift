internal import Modeling
internal import Queries
internal import SwiftParsing

extension SourceReader {
  /// The request that a value describes; nil if it is not a request.
  ///
  /// Its entity is the one named in it, or that of the type of the property, or the given one; `.init` is that of the type,
  /// or of `maker`.
  mutating func request(
    from syntax: SwiftSyntax, type: TypeSyntax?, entity: Entity? = nil, maker: RequestMaker? = nil
  ) -> FetchRequest? {
    switch syntax.kind {
    case .forced(let inner): return request(from: inner, type: type, entity: entity, maker: maker)
    case .cast(let inner, _, let target):
      let isRequest = RequestMaker(rawValue: target.name) != nil
      return request(from: inner, type: isRequest ? target : type, entity: entity, maker: maker)
    case .tuple(let elements) where elements.count == 1:
      return request(from: elements[0].value, type: type, entity: entity, maker: maker)
    case .name(let name):
      if let maker = RequestMaker(rawValue: name) { return made(maker, syntax, [], [], type, entity) }
      return knownRequest(name, of: nil)
    case .member(let base, let name): return knownRequest(name, of: base)
    case .call(let callee, let generics, let arguments):
      switch callee.kind {
      case .closure(let closure) where arguments.isEmpty: return returned(by: closure, type)?.request
      case .member(nil, "init"):
        guard let maker = maker ?? type.flatMap({ RequestMaker(rawValue: $0.name) }) else { return nil }
        return made(maker, syntax, generics, arguments, type, entity)
      case .member(let base?, "init"):
        guard let (maker, generics) = base.requestMaker else { return nil }
        return made(maker, syntax, generics, arguments, type, entity)
      case .member(let base?, "fetchRequest"):
        if let found = knownRequest("fetchRequest", of: base, arguments) { return found }
        guard case .name(let name) = base.kind else { return nil }
        let isSelf = name == "self" || name == "Self"
        guard isSelf ? owner != nil : name.first?.isUppercase == true else {
          // `super.fetchRequest() as! NSFetchRequest<Tab>`
          let isTyped = type.flatMap { RequestMaker(rawValue: $0.name) } != nil && type?.arguments.isEmpty == false
          return isTyped ? self.entity(of: type).map { FetchRequest($0) } : nil
        }
        return self.entity(named: isSelf ? owner ?? name : name, at: base.range).map { FetchRequest($0) }
      case .name(let name):
        if let maker = RequestMaker(rawValue: name) { return made(maker, syntax, generics, arguments, type, entity) }
        return knownRequest(name, of: nil, arguments)
      case .member(let base, let name): return knownRequest(name, of: base, arguments)
      default: return nil
      }
    default: return nil
    }
  }

  /// A request that was declared, with the arguments of the function that makes it.
  private mutating func knownRequest(
    _ name: String, of base: SwiftSyntax?, _ arguments: [SwiftArgument] = []
  ) -> FetchRequest? {
    guard let key = key(name, of: base), case .request(var found)? = constants[key] else { return nil }
    guard let predicate = found.predicate else { return arguments.isEmpty ? found : unused(arguments, found) }
    guard let filled = fill(predicate, functions[key] ?? [], arguments) else { return nil }
    found.predicate = filled
    return found
  }

  /// A request of a function whose arguments were no part of the predicate.
  private mutating func unused(_ arguments: [SwiftArgument], _ request: FetchRequest) -> FetchRequest? {
    for argument in arguments where constants.value(of: argument.value) == nil {
      issues.report(.notRead(source(argument.value.range)), at: argument.value.range)
      return nil
    }
    return request
  }

  /// `FetchRequest(sortDescriptors: [...], predicate: ...)` and everything like it.
  private mutating func made(
    _ maker: RequestMaker, _ syntax: SwiftSyntax, _ generics: [String], _ arguments: [SwiftArgument],
    _ type: TypeSyntax?, _ context: Entity?
  ) -> FetchRequest? {
    if let given = arguments.first, maker.labelsOfRequest.contains(given.label) {
      let named = entity(of: maker, syntax, generics, [], type) ?? context
      let count = issues.found.count
      guard let found = request(from: given.value, type: nil, entity: named, maker: maker.inner) else {
        if issues.found.count == count {
          issues.report(.undeclaredRequest(source(given.value.range)), at: given.value.range)
        }
        return nil
      }
      return completed(found, maker, arguments.dropFirst())
    }
    let count = issues.found.count
    guard let entity = entity(of: maker, syntax, generics, arguments, type) ?? context else {
      if issues.found.count == count { issues.report(.missingEntity, at: syntax.range) }
      return nil
    }
    return completed(FetchRequest(entity), maker, arguments[...])
  }

  /// The entity of a request: its generic argument, `entityName`, `entity`, the type of the property, or the macro's.
  private mutating func entity(
    of maker: RequestMaker, _ syntax: SwiftSyntax, _ generics: [String], _ arguments: [SwiftArgument],
    _ type: TypeSyntax?
  ) -> Entity? {
    for argument in arguments {
      switch argument.label {
      case "entityName":
        if case .string(let name)? = constants.value(of: argument.value) {
          return entity(named: name, at: argument.value.range)
        }
        // `String(describing: Item.self)`, `Item.entity().name!`
        if let name = argument.value.typeInText { return entity(named: name, at: argument.value.range) }
        // A name that the class itself keeps: `NSFetchRequest<Item>(entityName: Item.entityName)`.
        if let name = generics.last ?? type?.generics.last, case .member(let base?, _) = argument.value.kind,
          base.typeName == name
        {
          return entity(named: name, at: syntax.range)
        }
        issues.report(.notAConstant(source(argument.value.range)), at: argument.value.range)
        return nil
      case "entity":
        let count = issues.found.count
        if let found = describedEntity(argument.value) { return found }
        if issues.found.count == count {
          issues.report(.notAConstant(source(argument.value.range)), at: argument.value.range)
        }
        return nil
      default: continue
      }
    }
    let unspecific: Set<String> = [
      "NSFetchRequestResult", "NSManagedObject", "NSDictionary", "NSManagedObjectID", "NSNumber",
    ]
    // The last is what the sections are called.
    if let name = maker == .resultsObserver ? generics.first : generics.last, !unspecific.contains(name) {
      return entity(named: name == "Self" ? owner ?? name : name, at: syntax.range)
    }
    if let type, !type.generics.isEmpty, !unspecific.contains(type.innermost) {
      return entity(named: type.innermost == "Self" ? owner ?? "Self" : type.innermost, at: type.range)
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

  /// The request with the arguments of its initialiser.
  private mutating func completed(
    _ request: FetchRequest, _ maker: RequestMaker, _ arguments: ArraySlice<SwiftArgument>
  ) -> FetchRequest {
    var request = request
    for argument in arguments {
      guard let label = argument.label, maker.labels.contains(label) else {
        refuse(argument, of: maker)
        continue
      }
      switch label {
      case "entity", "entityName", "order": continue
      case _ where RequestMaker.places.contains(label): continue
      default: set(label, argument, of: &request, place: argument.value.range)
      }
    }
    if maker == .sectionedFetchRequest, request.sectionIdentifier == nil,
      !arguments.contains(where: { $0.label == "sectionIdentifier" }), !arguments.isEmpty
    {
      issues.report(
        .missingArgument("sectionIdentifier", of: maker.rawValue), at: arguments[arguments.startIndex].value.range)
    }
    if let order = arguments.first(where: { $0.label == "order" })?.value { setOrder(order, of: &request, arguments) }
    return request
  }

  private mutating func refuse(_ argument: SwiftArgument, of maker: RequestMaker) {
    if case .unreadable = argument.value.kind { return }
    let known = maker.labels + maker.labelsOfRequest.compactMap(\.self)
    let fact: SwiftReadingError.Fact =
      if let label = argument.label {
        .unknownArgument(label, of: maker.rawValue, nearest: nearestName(to: label, in: known))
      } else {
        .unexpected(
          found: source(argument.value.range),
          expected: "an argument with one of the labels \(known.joined(separator: ", "))")
      }
    issues.report(fact, at: argument.value.range)
  }

  /// `order` belongs to the one key of `sort`.
  private mutating func setOrder(
    _ order: SwiftSyntax, of request: inout FetchRequest, _ arguments: ArraySlice<SwiftArgument>
  ) {
    let sort = arguments.first { $0.label == "sort" }?.value.kind
    let isOneKey = if case .keyPath? = sort { true } else { false }
    guard isOneKey, let isReverse = isReverse(order) else {
      issues.report(.notAConstant(source(order.range)), at: order.range)
      return
    }
    if !request.sortDescriptors.isEmpty { request.sortDescriptors[0].isAscending = !isReverse }
  }

  /// Whether an order is `.reverse`; nil where it is not known.
  func isReverse(_ syntax: SwiftSyntax) -> Bool? {
    guard case .member(let base, let name) = syntax.unwrapped.kind else { return nil }
    if let base {
      guard case .name(let type) = base.kind, type == "SortOrder" else { return nil }
    }
    return ["forward": false, "reverse": true][name]
  }
}

extension SwiftSyntax {
  /// What `FetchDescriptor<Item>` before `.init` makes.
  var requestMaker: (RequestMaker, [String])? {
    switch kind {
    case .name(let name): RequestMaker(rawValue: name).map { ($0, []) }
    case .call(let callee, let generics, _): callee.requestMaker.map { ($0.0, generics) }
    default: nil
    }
  }

  /// The type in `String(describing: Item.self)` and `Item.entity().name!`.
  fileprivate var typeInText: String? {
    switch kind {
    case .forced(let inner), .cast(let inner, _, _): return inner.typeInText
    case .infix("??", let operands): return operands[0].typeInText
    case .member(let base?, "name"):
      guard case .call(let callee, _, let arguments) = base.kind, arguments.isEmpty,
        case .member(let type?, "entity") = callee.kind, case .name(let name) = type.kind
      else { return nil }
      return name
    case .call(let callee, _, let arguments):
      guard case .name("String") = callee.kind, arguments.count == 1, arguments[0].label == "describing",
        case .member(let type?, "self") = arguments[0].value.kind, case .name(let name) = type.kind
      else { return nil }
      return name
    default: return nil
    }
  }

  /// The type that a key path, or the macro, begins with, within arrays and calls too.
  fileprivate var rootType: String? {
    switch kind {
    case .keyPath(let root, _): root?.name
    case .macro("Predicate", let generics, let arguments): generics.last ?? arguments.last?.value.rootType
    case .closure(let closure): closure.parameters?.first?.type?.innermost
    case .array(let elements): elements.firstResult(\.rootType)
    case .ternary(_, let first, let second): first.rootType ?? second.rootType
    case .call(_, let generics, let arguments):
      generics.last ?? arguments.firstResult(\.value.rootType)
    default: nil
    }
  }
}
