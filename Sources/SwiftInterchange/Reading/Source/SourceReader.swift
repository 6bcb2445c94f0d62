internal import Modeling
internal import Queries

/// Goes through Swift source and gathers the predicates and requests that it declares.
///
/// Constants before them give captured names their values; functions, types and initialisers around them are looked into.
struct SourceReader {
  let model: Model?
  /// The entity of the predicate, if the caller knows it.
  let entity: Entity?
  let bytes: [UInt8]
  var issues: SwiftIssues
  var constants = SourceConstants()
  /// What was found last: by a statement of its own or returned, rather than declared by `let`.
  var predicate: SourcePredicate?
  var declaredPredicate: SourcePredicate?
  /// The last `#Expression`.
  var expression: Expression?
  /// The requests of `@Query` and its like, by the names of the properties.
  var properties: [(name: String, request: FetchRequest)] = []
  var request: FetchRequest?
  var declaredRequest: FetchRequest?
  /// The names of declarations that are requests, whether or not they could be read.
  var requestNames: [String] = []

  init(_ text: String, model: Model?, entity: Entity?, issues: SwiftIssues) {
    self.model = model
    self.entity = entity
    self.issues = issues
    bytes = Array(text.utf8)
  }

  // MARK: Statements

  /// Reads statements; `type` is what the function around returns.
  mutating func read(_ statements: [SwiftStatement], returning type: TypeSyntax? = nil) {
    for statement in statements {
      switch statement.kind {
      case .value(let value), .returned(let value): read(value, type)
      case .declaration(let declaration): read(declaration)
      case .assignment(let left, let right): assign(right, to: left)
      case .scope(let name, let returned, let inner): readScope(name, returned, inner)
      case .type(let type): read(type.statements)
      case .enumerationCase, .other: break
      }
    }
  }

  /// Reads the value that a function returns, or a plain value.
  private mutating func read(_ value: SwiftSyntax, _ type: TypeSyntax?) {
    if case .macro("Expression", let generics, let arguments) = value.unwrapped.kind {
      _ = expression(generics, arguments, value)
    } else if let found = request(from: value, type: type) {
      request = found
    } else if let found = predicate(from: value, entity: entity(of: type)) {
      predicate = found
    }
  }

  /// Reads a function or an initialiser; its own names end with it.
  private mutating func readScope(_ name: String, _ type: TypeSyntax?, _ statements: [SwiftStatement]) {
    let outer = (constants, predicate, request)
    (predicate, request) = (nil, nil)
    read(statements, returning: type)
    let (found, foundRequest) = (predicate, request)
    constants = outer.0
    if let foundRequest { constants[name] = .request(foundRequest) }
    if let found { constants[name] = .predicate(found) }
    predicate = found ?? outer.1
    request = foundRequest ?? outer.2
  }

  private mutating func read(_ declaration: SwiftDeclaration) {
    if let attribute = declaration.attributes.first(where: { $0.requestName != nil }) {
      requestNames.append(declaration.name)
      if let found = request(from: attribute, type: declaration.type) {
        properties.append((declaration.name, found))
      }
      return
    }
    if !declaration.body.isEmpty {
      return readScope(declaration.name, declaration.type, declaration.body)
    }
    guard let value = declaration.value else { return }
    declare(declaration.name, value, declaration.type)
  }

  /// Records the value of a name; an unknown value becomes a variable to bind.
  private mutating func declare(_ name: String, _ value: SwiftSyntax, _ type: TypeSyntax?) {
    constants[name] = nil
    if case .macro("Expression", let generics, let arguments) = value.unwrapped.kind {
      constants[name] = expression(generics, arguments, value).map { .expression($0) }
    } else if let found = request(from: value, type: type) {
      constants[name] = .request(found)
      declaredRequest = found
    } else if let found = predicate(from: value, entity: entity(of: type)) {
      constants[name] = .predicate(found)
      declaredPredicate = found
    } else if let range = range(value) {
      constants[name] = range
    } else if case .regularExpression(let pattern) = value.unwrapped.kind {
      constants[name] = .pattern(pattern)
    } else if let comparator = value.comparisonResult(type) {
      constants[name] = .ordering(comparator)
    } else if value.isSortDescriptorList {
      constants[name] = .sortDescriptors(sortDescriptors(from: value, entity: entity(of: type)))
    } else if let constant = constants.value(of: value) {
      constants[name] = .value(constant)
    }
  }

  private func range(_ syntax: SwiftSyntax) -> SourceConstants.Constant? {
    func end(_ syntax: SwiftSyntax) -> Value? { constants.value(of: syntax) }
    switch syntax.unwrapped.kind {
    case .infix(let sign, let ends) where sign == "..." || sign == "..<":
      guard let lower = end(ends[0]), let upper = end(ends[1]) else { return nil }
      return .range(lower, upper, isClosed: sign == "...")
    case .prefix(let sign, let upper) where sign == "..." || sign == "..<":
      return end(upper).map { .range(nil, $0, isClosed: sign == "...") }
    case .postfix(let lower, _): return end(lower).map { .range($0, nil, isClosed: true) }
    default: return nil
    }
  }

  /// `request.fetchLimit = 10`, `_quakes = FetchRequest(...)`
  private mutating func assign(_ value: SwiftSyntax, to target: SwiftSyntax) {
    switch target.kind {
    case .member(let base?, let property):
      if case .name("self") = base.kind { return assign(value, toName: property) }
      guard case .name(let name) = base.kind, case .request(var found)? = constants[name] else { return }
      set(property, SwiftArgument(label: property, value: value), of: &found, place: target.range)
      constants[name] = .request(found)
      declaredRequest = found
    case .name(let name): assign(value, toName: name)
    default: break
    }
  }

  private mutating func assign(_ value: SwiftSyntax, toName name: String) {
    guard name.hasPrefix("_") else { return declare(name, value, nil) }
    let property = String(name.dropFirst())
    let known = properties.firstIndex { $0.name == property }
    let entity = known.map { properties[$0].request.entity }
    guard let found = request(from: value, type: nil, entity: entity) else { return }
    if let known { properties[known].request = found } else { properties.append((property, found)) }
    if !requestNames.contains(property) { requestNames.append(property) }
  }

  func source(_ range: Range<Int>) -> String {
    let words = String(decoding: bytes[range].prefix(400), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let line = words.joined(separator: " ")
    return line.count > 60 ? line.prefix(57) + "..." : line
  }

  func origin(_ range: Range<Int>) -> Origin { Origin(text: issues.text, range: range) }
}

extension SwiftSyntax {
  /// The name of the property wrapper, if it is one that makes a request.
  var requestName: String? {
    let name: String
    switch kind {
    case .name(let own): name = own
    case .call(let callee, _, _):
      guard case .name(let own) = callee.kind else { return nil }
      name = own
    default: return nil
    }
    return ["FetchRequest", "SectionedFetchRequest", "Query"].contains(name) ? name : nil
  }

  /// What `ComparisonResult.orderedSame` says, or `.orderedSame` where the type is declared.
  fileprivate func comparisonResult(_ type: TypeSyntax?) -> Comparator? {
    guard case .member(let base, let name) = unwrapped.kind else { return nil }
    let owner: String? =
      switch base?.kind {
      case .name(let name): name
      case nil: type?.name
      default: nil
      }
    return owner == "ComparisonResult" ? Comparator(comparisonResult: name) : nil
  }

  /// Whether it is an array of sort descriptors.
  var isSortDescriptorList: Bool {
    guard case .array(let elements) = kind, let first = elements.first, case .call(let callee, _, _) = first.kind,
      case .name(let name) = callee.kind
    else { return false }
    return name == "SortDescriptor" || name == "NSSortDescriptor"
  }
}
