internal import Modeling
internal import Queries
internal import SwiftParsing

/// Goes through Swift source and gathers the predicates and requests that it declares.
///
/// Constants before them give captured names their values; functions, types and initialisers around them are looked into.
/// Source that is not understood and may change the result is a mistake: an argument, an assignment, a statement with a
/// known request in it. The uses of results by views are left out.
struct SourceReader {
  let model: Model?
  /// The entity of the predicate, if the caller knows it.
  let entity: Entity?
  let bytes: [UInt8]
  var issues: SwiftIssues
  var constants: SourceConstants
  /// The request or predicate that was found last, in a statement of its own or a `return`, rather than in a `let`.
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
  /// What wraps the properties.
  var makers: [String: RequestMaker] = [:]
  /// The names of requests that are objects: a function may change one that it gets.
  var requestObjects: Set<String> = []
  /// The predicates that stand alone, and those that a name was given.
  var lonePredicates: [Range<Int>] = []
  var namedPredicates: [String] = []
  /// The parameters of functions by the functions' names.
  var functions: [String: [SwiftDeclaration]] = [:]
  /// The types of names without a value.
  var types: [String: TypeSyntax] = [:]
  /// The names of the types around.
  private var owners: [String] = []
  /// The number of enclosing functions.
  private var depth = 0
  /// Whether a statement returned, so that those behind it do not count.
  var hasEnded = false
  /// The predicate that a statement returned, and whether it returned a request.
  var returned: SourcePredicate?
  var returnsRequest = false
  /// The earlier conditional returns.
  var earlier: [(condition: Predicate, predicate: SourcePredicate)] = []
  /// The statements behind the one that is read.
  private(set) var following: ArraySlice<SwiftStatement> = []
  var outside = OutsideNames()
  /// Results that are given a predicate and whose request is not in the text.
  var undeclaredResults: (name: String, place: Range<Int>)?

  init(_ text: String, model: Model?, entity: Entity?, issues: SwiftIssues) {
    self.model = model
    self.entity = entity
    self.issues = issues
    bytes = Array(text.utf8)
    constants = SourceConstants(bytes: bytes)
  }

  // MARK: Statements

  /// Reads statements; `type` is what the function around returns.
  mutating func read(_ statements: [SwiftStatement], returning type: TypeSyntax? = nil) {
    let ordered = Self.ordered(statements)
    for (index, statement) in ordered.enumerated() where !hasEnded {
      following = ordered[(index + 1)...]
      switch statement.kind {
      case .value(let value):
        if case .conditional(let conditional) = value.kind {
          read(conditional, returning: type, at: statement.range)
        } else {
          read(value, type)
        }
      case .returned(let value):
        readReturned(value, type)
        hasEnded = depth > 0
      case .declaration(let declaration): read(declaration)
      case .assignment(let left, let right): assign(right, to: left)
      case .scope(let name, let returned, let inner): readScope(name, returned, inner)
      case .type(let type):
        owners.append(type.name)
        read(type.statements)
        owners.removeLast()
      case .enumerationCase: break
      case .other(let word): readSkipped(word, statement)
      }
    }
  }

  /// Declarations of a type may be used before they stand in the text: extensions and static declarations come first.
  private static func ordered(_ statements: [SwiftStatement]) -> [SwiftStatement] {
    func isEarly(_ statement: SwiftStatement) -> Bool {
      switch statement.kind {
      case .type(let type): type.keyword == "extension"
      case .declaration(let declaration): declaration.isStatic
      default: false
      }
    }
    guard statements.contains(where: isEarly) else { return statements }
    return statements.filter(isEarly) + statements.filter { !isEarly($0) }
  }

  /// Reads the value that a function returns, or a plain value.
  private mutating func read(_ value: SwiftSyntax, _ type: TypeSyntax?) {
    if case .macro("Expression", let generics, let arguments) = value.unwrapped.kind {
      _ = expression(generics, arguments, value)
    } else if let found = request(from: value, type: type) {
      request = found
    } else if let found = predicate(from: value, entity: entity(of: type)) {
      predicate = found
      if depth == 0 { lonePredicates.append(value.range) }
    } else {
      refuseChanges(in: value)
    }
  }

  private mutating func readReturned(_ value: SwiftSyntax, _ type: TypeSyntax?) {
    let count = issues.found.count
    let before = (predicate, request)
    (predicate, request) = (nil, nil)
    if case .literal(.null) = value.kind, let type, Self.predicateTypes.contains(type.name) {
      predicate = SourcePredicate(predicate: .constant(true))
    } else if case .conditional(let conditional) = value.kind {
      read(conditional, returning: type, at: value.range)
    } else {
      read(value, type)
    }
    (returned, returnsRequest) = (predicate, request != nil)
    if predicate == nil, request == nil {
      (predicate, request) = before
      if let type, Self.isAsked(for: type), issues.found.count == count { _ = notAConstant(value) }
    }
  }

  static let predicateTypes: Set<String> = ["NSPredicate", "NSCompoundPredicate", "Predicate"]

  /// Whether a function that returns the type is about a predicate or a request.
  private static func isAsked(for type: TypeSyntax) -> Bool {
    predicateTypes.contains(type.name) || RequestMaker(rawValue: type.name) != nil
  }

  /// Reads a function or an initialiser; its own names end with it.
  private mutating func readScope(_ name: String, _ type: TypeSyntax?, _ statements: [SwiftStatement]) {
    let outer = (constants, predicate, request, types)
    let around = (hasEnded, earlier)
    (predicate, request, hasEnded, earlier) = (nil, nil, false, [])
    depth += 1
    read(statements, returning: type)
    depth -= 1
    let (found, foundRequest) = (predicate.map { afterEarlierReturns($0) }, request)
    (constants, types) = (outer.0, outer.3)
    (hasEnded, earlier) = around
    let parameters = statements.compactMap { statement -> SwiftDeclaration? in
      if case .declaration(let declaration) = statement.kind, declaration.label != nil { declaration } else { nil }
    }
    for key in keys(of: name) {
      functions[key] = parameters
      if let foundRequest { constants[key] = .request(foundRequest) }
      if let found { constants[key] = .predicate(found) }
    }
    if found != nil { namedPredicates.append(name) }
    declaredPredicate = found ?? declaredPredicate
    declaredRequest = foundRequest ?? declaredRequest
    (predicate, request) = (outer.1, outer.2)
  }

  /// Reads the statements of a closure that is called where it stands.
  mutating func readInner(_ statements: [SwiftStatement], returning type: TypeSyntax?) {
    (hasEnded, earlier) = (false, [])
    depth += 1
    read(statements, returning: type)
    depth -= 1
  }

  /// The names under which a declaration is known: `all`, and `Item.all` in a type.
  private func keys(of name: String) -> [String] { [name] + (owners.last.map { ["\($0).\(name)"] } ?? []) }

  /// The type around that `Self` is.
  var owner: String? { owners.last }

  private mutating func read(_ declaration: SwiftDeclaration) {
    if let attribute = declaration.attributes.first(where: { $0.requestName != nil }) {
      requestNames.append(declaration.name)
      makers[declaration.name] = attribute.requestName.flatMap(RequestMaker.init)
      if let found = request(from: attribute, type: declaration.type) {
        properties.append((declaration.name, found))
      }
      return
    }
    if !declaration.body.isEmpty {
      return readScope(declaration.name, declaration.type, declaration.body)
    }
    types[declaration.name] = declaration.type
    // An observer is kept by `@State`, and stays the same.
    guard let value = declaration.value, !declaration.changesOutside || value.requestMaker != nil else {
      constants[declaration.name] = nil
      // A variable that is declared without a value is nil, unless a call gives it one.
      if let type = declaration.type, type.isOptional, declaration.label == nil, declaration.attributes.isEmpty,
        Self.predicateTypes.contains(type.name)
      {
        constants[declaration.name] = .value(.null)
      }
      return
    }
    declare(declaration.name, value, declaration.type)
    if let owner = owners.last { constants["\(owner).\(declaration.name)"] = constants[declaration.name] }
  }

  /// Records the value of a name; an unknown value becomes a variable to bind.
  mutating func declare(_ name: String, _ value: SwiftSyntax, _ type: TypeSyntax?) {
    let former = constants[name]
    let count = issues.found.count
    constants[name] = nil
    constants.declared[name] = type?.name
    if case .macro("Expression", let generics, let arguments) = value.unwrapped.kind {
      constants[name] = expression(generics, arguments, value).map { .expression($0) }
    } else if let found = request(from: value, type: type, entity: entityAssigned(to: name)) {
      constants[name] = .request(found)
      declaredRequest = found
      if value.makesRequestObject { requestObjects.insert(name) }
    } else if let found = predicate(from: value, entity: entity(of: type), type: type) {
      constants[name] = .predicate(found)
      declaredPredicate = found
      if depth == 0 { namedPredicates.append(name) }
    } else if let constant = constant(value, type) {
      constants[name] = constant
    } else if former?.isOfRequests == true, issues.found.count == count {
      // Its former value is gone, and the present one is not known.
      _ = notAConstant(value)
    }
  }

  /// The constant that a value is, which is neither a predicate nor a request.
  private mutating func constant(_ value: SwiftSyntax, _ type: TypeSyntax?) -> SourceConstants.Constant? {
    if let range = range(value) { return range }
    if case .regularExpression(let pattern) = value.unwrapped.kind { return .pattern(pattern) }
    if let comparator = value.comparisonResult(type) { return .ordering(comparator) }
    if let keys = value.sortKeys(type) { return .sortKeys(withoutNames(keys)) }
    if let list = predicateList(value, type) { return .predicates(list) }
    if let transaction = transaction(value, type) { return .transaction(transaction) }
    if type?.name == "Animation" || value.isAnimation { return .transaction(SourceTransaction(animation(value))) }
    if let described = describedEntity(value) { return .entity(described) }
    if let column = columnConstant(value) { return column }
    return constants.value(of: value).map { .value($0) }
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

  func source(_ range: Range<Int>) -> String {
    let words = String(decoding: bytes[range].prefix(400), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let line = words.joined(separator: " ")
    return line.count > 60 ? line.prefix(57) + "..." : line
  }

  func origin(_ range: Range<Int>) -> Origin { Origin(text: issues.text, range: range) }
}

extension SwiftDeclaration {
  /// Whether a wrapper gives it values that its declaration does not say: `@State private var query = ""`.
  fileprivate var changesOutside: Bool {
    let wrappers: Set<String> = [
      "State", "Binding", "AppStorage", "SceneStorage", "Published", "StateObject", "ObservedObject", "Environment",
      "EnvironmentObject", "FocusState", "GestureState", "Bindable",
    ]
    return attributes.contains { attribute in
      switch attribute.kind {
      case .name(let name): wrappers.contains(name)
      case .call(let callee, _, _): if case .name(let name) = callee.kind { wrappers.contains(name) } else { false }
      default: false
      }
    }
  }
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

  /// Whether it makes an `NSFetchRequest`, which is an object.
  fileprivate var makesRequestObject: Bool {
    switch kind {
    case .forced(let inner), .cast(let inner, _, _): inner.makesRequestObject
    case .call(let callee, _, _):
      switch callee.kind {
      case .name("NSFetchRequest"), .member(_, "fetchRequest"): true
      default: false
      }
    default: false
    }
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

  /// The elements of an array of sort descriptors, or the one that it is.
  fileprivate func sortKeys(_ type: TypeSyntax?) -> [SwiftSyntax]? {
    let types: Set<String> = ["SortDescriptor", "NSSortDescriptor"]
    func isSort(_ syntax: SwiftSyntax) -> Bool {
      if case .call(let callee, _, _) = syntax.kind, case .name(let name) = callee.kind {
        types.contains(name)
      } else {
        false
      }
    }
    switch kind {
    case .array(let elements):
      let isDeclared = type?.name == "Array" && type?.arguments.first.map { types.contains($0.name) } == true
      return isDeclared || elements.first.map(isSort) == true ? elements : nil
    // `[SortDescriptor<Item>]()`
    case .call(let callee, _, let arguments):
      if isSort(self) { return [self] }
      guard case .array(let elements) = callee.kind, elements.count == 1, arguments.isEmpty else { return nil }
      switch elements[0].kind {
      case .name(let name) where types.contains(name): return []
      case .call(let inner, _, _): if case .name(let name) = inner.kind, types.contains(name) { return [] }
      default: break
      }
      return nil
    default: return nil
    }
  }

  /// Whether it is `Animation.easeIn`, or a call of such.
  fileprivate var isAnimation: Bool {
    switch kind {
    case .member(let base?, _): if case .name("Animation") = base.kind { true } else { base.isAnimation }
    case .call(let callee, _, _): callee.isAnimation
    default: false
    }
  }
}
