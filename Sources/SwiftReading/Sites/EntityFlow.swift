internal import SwiftParsing

/// Follows a value from where it is made to the request that it becomes a part of, which says whose objects are fetched.
///
/// ```swift
/// let strong = NSPredicate(format: "magnitude > 6")
/// request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [strong, other])    // request is of Quake
/// ```
///
/// Only what is certain counts: where a value may become a part of requests of several entities, its entity is not known.
struct EntityFlow {
  let file: SwiftSourceFile
  /// The names that are followed, so that none is followed twice.
  private var visited: Set<Int> = []
  private var steps = 0
  /// Whether the value is joined with others on its way.
  private var isPart = false
  /// Whether the entity is that which a call names whose function is not known.
  private var isLikely = false
  /// The names that other files may use the value by.
  private var sharedValues: Set<SharedValue> = []

  init(_ file: SwiftSourceFile) { self.file = file }

  private static let stepLimit = 400

  /// The request that a value becomes a part of.
  struct Destination {
    /// The class or the entity of its objects; nil where it is not known.
    var entity: String?
    /// Whether the value is all of the request's condition or order.
    var isWhole: Bool
    /// Whether the entity is likely, not certain.
    var isLikely: Bool
    /// The name by which other files may use it, where this one does not say the entity.
    var shared: SharedValue?
  }

  /// The request that the value which begins at a token becomes a part of.
  func destination(from start: Int) -> Destination {
    var flow = self
    let entity = flow.follow(start)
    return Destination(
      entity: entity, isWhole: entity != nil && !flow.isPart && !flow.isLikely, isLikely: flow.isLikely,
      shared: entity == nil && flow.sharedValues.count == 1 ? flow.sharedValues.first : nil)
  }

  // MARK: Outwards

  mutating func follow(_ start: Int) -> String? {
    var place = start
    while steps < Self.stepLimit {
      steps += 1
      guard place > 0 else { return nil }
      let before = place - 1
      switch file.kind(before) {
      case .sign("="), .sign("+="): return entity(assignedAt: before)
      case .sign("("): return entity(ofArgumentOf: before, place)
      case .sign("["):
        // A subscript is no list.
        guard !file.tokens[before].touchesPrevious || !endsValue(before - 1) else { return nil }
        place = before
      case .sign(","):
        let open = file.openBrackets[before]
        guard open >= 0 else { return nil }
        if file.kind(open) == .sign("[") { place = open } else { return entity(ofArgumentOf: open, place) }
      case .sign(":"):
        if file.name(before - 1) != nil, [.sign("("), .sign(",")].contains(file.kind(before - 2)),
          file.openBrackets[before] >= 0, file.kind(file.openBrackets[before]) == .sign("(")
        {
          return entity(ofArgumentOf: file.openBrackets[before], place)
        }
        guard let next = beginning(leftOf: before) else { return nil }
        place = next
      case .sign("?"), .sign("??"), .sign("+"):
        guard let next = beginning(leftOf: before) else { return nil }
        place = next
      case .name("try"), .name("await"): place = before
      case .name("return"), .sign("{"): return entity(ofResultAt: before)
      default: return nil
      }
    }
    return nil
  }

  func endsValue(_ index: Int) -> Bool {
    switch file.kind(index) {
    case .name(let name): !["return", "in", "else", "case"].contains(name)
    case .sign(")"), .sign("]"), .sign("}"), .sign("?"), .sign("!"), .sign(">"): true
    default: false
    }
  }

  /// The first token of the expression to the left of an operator: behind an opening bracket, a comma, a label, `=` or `return`.
  private func beginning(leftOf index: Int) -> Int? {
    var place = index
    for _ in 0..<200 {
      guard place > 0 else { return nil }
      let before = place - 1
      switch file.kind(before) {
      case .sign(")"), .sign("]"), .sign("}"):
        guard file.partners[before] >= 0 else { return nil }
        place = file.partners[before]
        continue
      case .sign("="), .sign("+="), .sign("("), .sign("["), .sign(","): return place == index ? nil : place
      case .sign("{"), .sign(";"), .end, .name("return"), .name("in"): return nil
      case .sign(":"):
        if file.name(before - 1) != nil, [.sign("("), .sign(",")].contains(file.kind(before - 2)) {
          return place == index ? nil : place
        }
        place = before
      default: place = before
      }
    }
    return nil
  }

  // MARK: Assignments

  /// The entity of what is given a value by `=`.
  private mutating func entity(assignedAt sign: Int) -> String? {
    let start = statement(before: sign)
    if let name = declaredName(in: start..<sign) {
      if file.kind(name + 1) == .sign(":"), let found = file.type(at: name + 2).flatMap(entity(ofType:)) {
        return found
      }
      let found = entity(ofUsesOf: name)
      if found == nil { share(declaredAt: name, isCall: false) }
      return found
    }
    guard let path = memberPath(start..<sign), let last = path.last else { return nil }
    let names = path.first == "self" ? Array(path.dropFirst()) : path
    if names.count == 1 {
      if last.hasPrefix("_"), let found = entity(ofVariable: String(last.dropFirst()), at: sign) { return found }
      guard let binding = Bindings(file).binding(of: last, at: sign) else { return nil }
      return entity(ofUsesOf: binding.name)
    }
    if FetchMakers.properties.contains(last) {
      guard names.dropFirst().dropLast().allSatisfy({ $0 == "fetchRequest" || $0 == "wrappedValue" }) else {
        return nil
      }
      return entity(ofVariable: names[0].hasPrefix("$") ? String(names[0].dropFirst()) : names[0], at: sign)
    }
    if last == "expression", names.count == 2, let binding = Bindings(file).binding(of: names[0], at: sign) {
      return entity(ofUsesOf: binding.name)
    }
    return nil
  }

  /// Notes that other files may use the value by a name.
  mutating func share(declaredAt name: Int, isCall: Bool) {
    if let value = shared(declaredAt: name, isCall: isCall) { sharedValues.insert(value) }
  }

  /// The first token of the statement that goes on before a token.
  func statement(before index: Int) -> Int {
    var place = index
    while place > 0 {
      let before = place - 1
      switch file.kind(before) {
      case .sign("{"), .sign(";"): return place
      case .sign("}") where file.tokens[place].beginsLine: return place
      case .sign(")"), .sign("]"), .sign("}"):
        if file.tokens[place].beginsLine, file.kind(place) != .sign("."), file.kind(place) != .sign("?") {
          return place
        }
        guard file.partners[before] >= 0 else { return place }
        place = file.partners[before]
      case .sign("("), .sign("["), .sign(","): return place
      default:
        // A line that goes on with a member or an operator is no new statement.
        if file.tokens[place].beginsLine, file.name(place) != nil { return place }
        place = before
      }
    }
    return 0
  }

  /// The name in `private lazy var name: Type`.
  func declaredName(in range: Range<Int>) -> Int? {
    let word = range.first { file.kind($0) == .name("let") || file.kind($0) == .name("var") }
    guard let word, file.name(word + 1) != nil else { return nil }
    return word + 1
  }

  /// The names of `self.request?.predicate`; nil for anything else.
  func memberPath(_ range: Range<Int>) -> [String]? {
    var names: [String] = []
    for place in range {
      switch file.kind(place) {
      case .name(let name): names.append(name)
      case .sign("."), .sign("?"), .sign("!"): break
      default: return nil
      }
    }
    return names.isEmpty ? nil : names
  }

  // MARK: Names

  /// Whether a name is followed now for the first time, and few were before.
  mutating func visits(_ name: Int) -> Bool { visited.insert(name).inserted && visited.count < 12 }

  /// The entity of the requests that a name becomes a part of, where it is the same for all of them.
  mutating func entity(ofUsesOf name: Int, in part: Range<Int>? = nil) -> String? {
    guard let text = file.name(name), visits(name) else { return nil }
    let scope = part ?? file.blocks(around: name).first.map { $0.open..<$0.close } ?? 0..<file.tokens.count
    var found: Set<String> = []
    for place in file.uses(of: text, in: scope) where place != name {
      let isMember = file.kind(place - 1) == .sign(".")
      if isMember, file.name(place - 2) != "self" { continue }
      // A label, or a member of it.
      if [.sign(":"), .sign("."), .sign("=")].contains(file.kind(place + 1)) { continue }
      if let entity = follow(isMember ? place - 2 : place) { found.insert(entity) }
    }
    return found.count == 1 ? found.first : nil
  }

  // MARK: Arguments

  /// The entity of the request that a call with a parenthesis makes, or that its value becomes a part of, or an argument of it.
  private mutating func entity(ofArgumentOf open: Int, _ argument: Int) -> String? {
    var callee = open - 1
    if file.kind(callee) == .sign(">") {
      var depth = 0
      while callee > 0 {
        if file.kind(callee) == .sign(">") { depth += 1 }
        if file.kind(callee) == .sign("<") { depth -= 1 }
        callee -= 1
        if depth == 0 { break }
      }
    }
    if file.name(callee) == "init", file.kind(callee - 1) == .sign(".") {
      guard file.name(callee - 2) != nil, !file.tokens[callee - 1].beginsLine else {
        return entity(ofInitialiser: callee - 1)
      }
      callee -= 2
    }
    switch file.kind(callee) {
    case .attribute(let name): return FetchMakers.wrappers.contains(name) ? entity(ofRequestAt: callee, open) : nil
    case .name(let name):
      let isMember = file.kind(callee - 1) == .sign(".")
      if FetchMakers.requests.contains(name), !isMember { return entity(ofRequestAt: callee, open) }
      if ["NSCompoundPredicate", "NSExpression", "NSSortDescriptor", "SortDescriptor"].contains(name) {
        if name == "NSCompoundPredicate" { isPart = true }
        return follow(callee)
      }
      if ["append", "insert"].contains(name), isMember, let owner = file.name(callee - 2),
        let binding = Bindings(file).binding(of: owner, at: callee)
      {
        return entity(ofUsesOf: binding.name)
      }
      if let found = entity(ofParameterFor: argument, callee) { return found }
      guard let named = entity(namedInCallOf: callee, open) else { return nil }
      isLikely = true
      return named
    // Parentheses of their own.
    case .sign("="), .sign("("), .sign("["), .sign(","), .sign(":"), .sign("?"), .sign("??"): return follow(open)
    default: return nil
    }
  }

  /// `let request: FetchDescriptor<Quake> = .init(predicate: ...)`, where the point is a token.
  private mutating func entity(ofInitialiser point: Int) -> String? { entityDeclared(forValueAt: point) }
}
