internal import LuaRuntime
internal import Modeling
internal import Queries
internal import SourceChecking
internal import SwiftReading

/// Finds mistakes in scripts without running them.
///
///     var checker = ScriptChecker(engine)
///     checker.add(bytes)                  // for each script, so that each knows the globals of the others
///     checker.mistakes(0)                 // [name: there is no 'Quak'; did you mean 'Quake'?]
///
/// The known names are those of the engine's globals and of its open store. Without a store, a capitalized name may be
/// an entity, and predicates are only parsed.
public struct ScriptChecker {
  let engine: Engine
  private let model: Model?
  /// The members of every object beside its properties.
  let objectMembers: Set<String>
  private var scripts: [Script] = []
  private(set) var definitions: Set<String> = ["arg", "params"]
  /// The fields that the scripts assign to anything: an entity may have them as methods.
  private(set) var definedFields: Set<String> = []

  private struct Script {
    let source: [UInt8]
    /// The parsed script; nil if it does not compile.
    let reading: ScriptReading?
    let syntaxError: String?
  }

  /// Creates a checker with the names of `engine`.
  public init(_ engine: Engine) {
    self.engine = engine
    model = engine.store?.model
    objectMembers = Set(engine.catalog.members(of: "Object").map(\.name))
  }

  /// Adds a script, and returns its index.
  @discardableResult
  public mutating func add(_ source: [UInt8]) -> Int {
    // A first line for the system's shell is not Lua; positions after it stay the same.
    let source =
      source.first == UInt8(ascii: "#")
      ? source.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false).enumerated()
        .flatMap { $0 == 0 ? Array(repeating: UInt8(ascii: " "), count: $1.count) + [UInt8(ascii: "\n")] : Array($1) }
      : source
    do {
      try engine.lua.load(source, name: "=script")
      engine.lua.stack.pop()
      let reading = ScriptReading(String(decoding: source, as: UTF8.self), model: model)
      definitions.formUnion(reading.definitions)
      definedFields.formUnion(reading.definedFields)
      scripts.append(Script(source: source, reading: reading, syntaxError: nil))
    } catch {
      scripts.append(Script(source: source, reading: nil, syntaxError: error.message))
    }
    return scripts.count - 1
  }

  /// The reading of the script with an index, and its text; nil if it does not compile.
  func reading(_ index: Int) -> (reading: ScriptReading, source: [UInt8])? {
    scripts[index].reading.map { ($0, scripts[index].source) }
  }

  /// The mistakes of the script with an index, in the order of the text.
  public func mistakes(_ index: Int) -> [ScriptMistake] {
    let script = scripts[index]
    // Tokens refer to text in which each invalid byte is a replacement character.
    let source = String(decoding: script.source, as: UTF8.self)
    let lines = SourceLines(source)
    if let message = script.syntaxError { return [syntaxMistake(message, source, lines)] }
    guard let reading = script.reading else { return [] }
    var found: [Found] = []
    var unknown = UnknownNames(candidates: { names })
    for use in reading.uses.compactMap(\.self) where !isKnown(use.name) {
      found.append(Found(use.range, unknown: use.name, "there is no '\(use.name)'", unknown.nearest(use.name)))
    }
    for use in reading.fieldUses {
      guard let fields = fields(of: use.owner), !fields.contains(use.name) else { continue }
      found.append(
        Found(
          use.range, unknown: use.name, "\(use.owner) has no '\(use.name)'", nearestName(to: use.name, in: fields)))
    }
    for use in reading.memberUses where !isMember(use.name, of: use.entity) {
      let nearest = nearestName(to: use.name, in: memberNames(of: use.entity))
      found.append(Found(use.range, unknown: use.name, "\(use.entity.name) has no '\(use.name)'", nearest))
    }
    found += methodMistakes(reading)
    let bytes = Array(source.utf8)
    for call in reading.calls { found += mistakes(of: call, bytes) + optionMistakes(of: call) }
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { mistake in
      ScriptMistake(
        kind: mistake.kind, message: mistake.message, line: lines.line(of: mistake.range.lowerBound),
        columns: lines.columns(of: mistake.range), correction: mistake.correction)
    }
  }

  private func syntaxMistake(_ message: String, _ source: String, _ lines: SourceLines) -> ScriptMistake {
    let parts = message.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    let line = parts.count == 3 ? Int(parts[1]) ?? 1 : 1
    let sentence = parts.count == 3 ? String(parts[2].drop { $0 == " " }) : message
    var columns = 0..<0
    if let range = engine.spot(ofSyntaxError: sentence, in: source, line: line) {
      columns = lines.columns(of: range)
    }
    return ScriptMistake(kind: .syntax, message: sentence, line: line, columns: columns, correction: nil)
  }
}

// MARK: - Names

/// The suggestions for unknown names, each looked up once.
private struct UnknownNames {
  /// A file with more unknown names is not one of our scripts, and comparing all of them would take quadratic time.
  private static let most = 500

  let candidates: () -> [String]
  private lazy var names = candidates()
  private var found: [String: String?] = [:]

  init(candidates: @escaping () -> [String]) { self.candidates = candidates }

  mutating func nearest(_ name: String) -> String? {
    if let known = found[name] { return known }
    guard found.count < Self.most else { return nil }
    let nearest = nearestName(to: name, in: names)
    found[name] = .some(nearest)
    return nearest
  }
}

extension ScriptChecker {
  private func isKnown(_ name: String) -> Bool {
    if definitions.contains(name) || name == "_ENV" { return true }
    // The name may be an entity of the store on which the script will run, or another global of that run.
    if model == nil, name.first?.isUppercase == true || name == "store" || name == "context" { return true }
    engine.lua.stack.reserve(2)
    defer { engine.lua.stack.pop() }
    return engine.lua.pushGlobal(name) != .nil
  }

  private var names: [String] { (names(in: "_G") ?? []) + definitions }

  /// The fields of a library table, to which no script adds any; nil for any other global.
  private func fields(of owner: String) -> [String]? {
    let libraries: Set = ["coroutine", "debug", "io", "math", "os", "perilune", "string", "table", "utf8"]
    guard libraries.contains(owner), !definitions.contains(owner) else { return nil }
    return names(in: owner)
  }

  private func names(in table: String) -> [String]? {
    let stack = engine.lua.stack
    stack.reserve(6)
    let top = stack.count
    defer { stack.setCount(top) }
    guard stack.pushGlobal(table) == .table else { return nil }
    var names: [String] = []
    try? stack.forEachPair(at: -1) { stack in
      if stack.type(at: -2) == .string, let name = stack.string(at: -2) { names.append(name) }
    }
    return names
  }
}

// MARK: - Predicates and key paths

extension ScriptChecker {
  /// A mistake, before its place is a line.
  struct Found {
    let range: Range<Int>
    let kind: ScriptMistake.Kind
    let message: String
    var correction: Correction?

    init(_ range: Range<Int>, _ kind: ScriptMistake.Kind, _ message: String) {
      (self.range, self.kind, self.message) = (range, kind, message)
    }

    /// A name that is not known.
    init(_ range: Range<Int>, unknown name: String, _ message: String, _ nearest: String?) {
      self.init(range, .name, message + ErrorReport.hint(nearest))
      correction = Correction(name, nearest)
    }

    /// A mistake in a predicate or a key path.
    init(_ range: Range<Int>, _ kind: ScriptMistake.Kind, _ fact: PredicateError.Fact) {
      self.init(range, kind, fact.sentence)
      correction = fact.correction
    }
  }

  private func mistakes(of call: ScriptReading.Call, _ bytes: [UInt8]) -> [Found] {
    let arguments = call.arguments
    switch call.name {
    case "where", "count", "first",
      "exists" where call.isMethod:
      return predicate(arguments, call.entity, bytes)
    case "Predicate" where !call.isMethod: return predicate(arguments, nil, bytes)
    case "sorted": return arguments.flatMap { order($0, call.entity, bytes) }
    case "sum", "average", "min", "max":
      return arguments.first.map { keyPath($0, call.entity, bytes) { try Expression.parse($0).check(in: $1) } } ?? []
    case "with", "FetchRequest", "SectionedFetchRequest":
      guard let fields = arguments.first?.fields else { return [] }
      let predicates = ["predicate", "nsPredicate"].compactMap { fields[$0] }.flatMap {
        predicate([$0], call.entity, bytes)
      }
      let orders = ["sortDescriptors", "nsSortDescriptors"].compactMap { fields[$0] }
      return predicates + orders.flatMap { order($0, call.entity, bytes) }
    case "plot": return plotMistakes(of: call, bytes)
    default: return []
    }
  }

  /// A predicate in the form that calls accept: a text and its arguments, or a table of both.
  private func predicate(_ given: [ScriptReading.Value], _ entity: Entity?, _ bytes: [UInt8]) -> [Found] {
    guard let first = given.first else { return [] }
    let arguments = first.items.isEmpty ? given : first.items
    guard let literal = arguments.first?.literal, let text = LiteralText(literal, in: bytes) else { return [] }
    // Swift source is not checked here, and a key path from an argument is unknown.
    if SwiftOpening.isSource(text.text) || text.text.contains("%K") { return [] }
    var values = PlaceholderValues(text.text).values
    if arguments.last?.isOpen != true {
      let count = arguments.count - 1
      values = Array((values + Array(repeating: .value(.int(0)), count: max(0, count - values.count))).prefix(count))
    }
    return Predicate.diagnose(text.text, arguments: values, in: entity).issues.map { issue in
      Found(text.range(of: issue.origin?.range), .predicate, issue.fact)
    }
  }

  private func order(_ value: ScriptReading.Value, _ entity: Entity?, _ bytes: [UInt8]) -> [Found] {
    ([value] + value.items).flatMap { value in
      keyPath(value, entity, bytes) { try SortDescriptorFunctions.parse($0).check(in: $1) }
    }
  }

  func keyPath(
    _ value: ScriptReading.Value, _ entity: Entity?, _ bytes: [UInt8], check: (String, Entity) throws -> Void
  ) -> [Found] {
    guard let entity, let literal = value.literal, let text = LiteralText(literal, in: bytes),
      !SwiftOpening.isSource(text.text)
    else { return [] }
    do { try check(text.text, entity) } catch let error as PredicateError {
      // The `-` of a descending order is not part of the parsed text.
      let shift = text.text.hasPrefix("-") ? 1 : 0
      return error.issues.map { issue in
        let range = issue.origin.map { $0.range.lowerBound + shift..<$0.range.upperBound + shift }
        return Found(text.range(of: range), .keyPath, issue.fact)
      }
    } catch {}
    return []
  }
}
