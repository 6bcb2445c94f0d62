internal import SwiftParsing

// The entities of requests and of objects that are made in an expression.
extension EntityFlow {
  /// The entity of the request, or of the results, that a name is declared to be.
  mutating func entity(ofVariable name: String, at index: Int) -> String? {
    guard let binding = Bindings(file).binding(of: name, at: index) else { return nil }
    if let type = binding.type.flatMap({ file.type(at: $0) }), let found = entity(ofType: type) { return found }
    if let value = binding.value, let found = entity(ofRequestValueAt: value) { return found }
    return wrappedEntity(of: binding.name) ?? describedEntity(of: binding)
  }

  /// The entity in `request.entity = Quake.entity()`, where a request is given one.
  private func describedEntity(of request: Bindings.Binding) -> String? {
    guard let name = file.name(request.name) else { return nil }
    var found: Set<String> = []
    for place in file.uses(of: name, in: request.scope) where place > request.name {
      guard file.kind(place + 1) == .sign("."), file.name(place + 2) == "entity", file.kind(place + 3) == .sign("=")
      else { continue }
      guard let value = file.value(at: place + 4), let entity = entity(ofDescription: value, at: place + 4) else {
        return nil
      }
      found.insert(entity)
    }
    return found.count == 1 ? found.first : nil
  }

  /// The entity of a description: `Quake.entity()`, `NSEntityDescription.entity(forEntityName: "Quake", in: context)`, or a
  /// constant that is one.
  private func entity(ofDescription value: SwiftSyntax, at index: Int, depth: Int = 0) -> String? {
    switch value.unwrapped.kind {
    case .forced(let inner): return entity(ofDescription: inner, at: index, depth: depth)
    case .name(let name):
      guard depth < 4, let place = Bindings(file).constant(named: name, at: index), let value = file.value(at: place)
      else { return nil }
      return entity(ofDescription: value, at: place, depth: depth + 1)
    case .call(let callee, _, let arguments):
      guard case .member(let base, "entity") = callee.kind else { return nil }
      guard base?.typeName == "NSEntityDescription" else { return className(base, at: index) }
      guard let name = arguments.first, name.label == "forEntityName" else { return nil }
      return ConstantTexts(file).text(of: name.value, at: index)?.text
    default: return nil
    }
  }

  /// The entity in `@FetchRequest(...) var name`.
  private func wrappedEntity(of name: Int) -> String? {
    guard file.name(name - 1) == "var" else { return nil }
    var place = name - 1
    while place > 0, let word = file.name(place - 1), ["private", "public", "internal", "fileprivate"].contains(word) {
      place -= 1
    }
    guard place > 0, file.kind(place - 1) == .sign(")"), file.partners[place - 1] >= 0 else { return nil }
    let open = file.partners[place - 1]
    guard case .attribute(let wrapper) = file.kind(open - 1), FetchMakers.wrappers.contains(wrapper) else { return nil }
    return entity(ofRequestAt: open - 1, open)
  }

  /// The class in `NSFetchRequest<Quake>`, `FetchedResults<Quake>` or `[Quake]`.
  func entity(ofType type: TypeSyntax) -> String? {
    if type.name == "Optional", let inner = type.arguments.first { return entity(ofType: inner) }
    guard FetchMakers.results.contains(type.name), let name = type.arguments.last?.name else { return nil }
    return FetchMakers.unspecific.contains(name) ? nil : name
  }

  /// The entity of the request that begins at a token: `NSFetchRequest<Quake>(...)`, `Quake.fetchRequest()`.
  mutating func entity(ofRequestValueAt index: Int) -> String? {
    guard let value = file.value(at: index) else {
      guard let name = file.name(index), FetchMakers.requests.contains(name) else { return nil }
      return SiteFinder(file).parenthesis(behind: index).flatMap { entity(ofRequestAt: index, $0) }
    }
    return entity(ofRequest: value, at: index)
  }

  private mutating func entity(ofRequest value: SwiftSyntax, at index: Int) -> String? {
    switch value.kind {
    case .forced(let inner): return entity(ofRequest: inner, at: index)
    case .cast(let inner, _, let type): return entity(ofType: type) ?? entity(ofRequest: inner, at: index)
    case .tuple(let elements) where elements.count == 1: return entity(ofRequest: elements[0].value, at: index)
    case .call(let callee, _, let arguments):
      if case .member(let base, "fetchRequest") = callee.kind, arguments.isEmpty { return className(base, at: index) }
      if case .name("fetchRequest") = callee.kind, arguments.isEmpty { return file.owner(of: index) }
      if let found = entity(ofResultOf: callee, at: index) { return found }
      guard let name = file.name(index), FetchMakers.requests.contains(name) else { return nil }
      return SiteFinder(file).parenthesis(behind: index).flatMap { entity(ofRequestAt: index, $0) }
    case .name(let name): return entity(ofVariable: name, at: index)
    default: return nil
    }
  }

  private func className(_ base: SwiftSyntax?, at index: Int) -> String? {
    guard let name = base?.memberPath?.last else { return nil }
    if name == "self" || name == "Self" { return file.owner(of: index) }
    return name.first?.isUppercase == true ? name : nil
  }

  /// The entity of `FetchRequest<Quake>(...)`: that of its generic argument, of what it is given, or of what it is declared to be.
  func entity(ofRequestAt index: Int, _ open: Int) -> String? {
    if file.kind(index + 1) == .sign("<"), let type = file.type(at: index), let name = type.arguments.last?.name,
      !FetchMakers.unspecific.contains(name)
    {
      return name == "Self" ? file.owner(of: index) : name
    }
    for argument in file.arguments(at: open) ?? [] {
      if let found = namedEntity(argument, at: index) { return found }
    }
    if case .attribute = file.kind(index) { return declaredEntity(behind: file.partners[open]) }
    var flow = self
    return flow.entityDeclared(forValueAt: index)
  }

  /// The entity that an argument of a request names.
  private func namedEntity(_ argument: SwiftArgument, at index: Int) -> String? {
    switch (argument.label, argument.value.unwrapped.kind) {
    case ("entityName", .call(let callee, _, let inner)):
      guard case .name("String") = callee.kind, inner.first?.label == "describing",
        case .member(let type, "self")? = inner.first?.value.kind
      else { return nil }
      return className(type, at: index)
    case ("entityName", _): return ConstantTexts(file).text(of: argument.value, at: index)?.text
    case ("entity", _): return entity(ofDescription: argument.value, at: index)
    case (_, .keyPath(let root?, _)): return root.name
    case (_, .macro("Predicate", let generics, _)): return generics.first
    default: return nil
    }
  }

  /// The entity of the property behind a wrapper: `@Query(...) private var quakes: [Quake]`.
  private func declaredEntity(behind close: Int) -> String? {
    guard close >= 0 else { return nil }
    var place = close + 1
    while place < min(close + 12, file.tokens.count), file.name(place) != "var" { place += 1 }
    guard file.name(place) == "var", file.kind(place + 2) == .sign(":") else { return nil }
    return file.type(at: place + 3).flatMap(entity(ofType:))
  }

  /// The entity of the type that a request's place is declared to have.
  mutating func entityDeclared(forValueAt index: Int) -> String? {
    guard index > 0, file.kind(index - 1) == .sign("=") else { return nil }
    let start = statement(before: index - 1)
    if let name = declaredName(in: start..<(index - 1)) {
      guard file.kind(name + 1) == .sign(":") else { return nil }
      return file.type(at: name + 2).flatMap(entity(ofType:))
    }
    guard let path = memberPath(start..<(index - 1)), let last = path.last else { return nil }
    return last.hasPrefix("_") ? entity(ofVariable: String(last.dropFirst()), at: index) : nil
  }

  // MARK: Objects

  /// The entity of the object before a point that is made by the name of its entity:
  /// `NSEntityDescription.insertNewObject(forEntityName: "Quake", into: context)`.
  func entityOfObject(before point: Int) -> String? {
    guard let name = file.name(point - 1), file.kind(point - 2) != .sign("."),
      let value = Bindings(file).binding(of: name, at: point)?.value, let syntax = file.value(at: value)
    else { return nil }
    var made = syntax
    while case .cast(let inner, _, let type) = made.kind {
      // The class may have properties that the model does not have.
      guard type.name == "NSManagedObject" else { return nil }
      made = inner
    }
    guard case .call(let callee, _, let arguments) = made.kind,
      case .member(let base?, "insertNewObject") = callee.kind, base.typeName == "NSEntityDescription",
      let first = arguments.first, first.label == "forEntityName", case .string(let string) = first.value.kind,
      string.interpolation == nil
    else { return nil }
    return string.content
  }
}
