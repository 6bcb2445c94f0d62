internal import Modeling

/// The names that a script uses and the requests that it makes, read without running it.
///
/// It reads only text that Lua compiles. It therefore needs no more of the grammar than to distinguish locals from
/// globals, and calls from other expressions.
struct ScriptReading {
  /// The known kind of an expression's value.
  enum Meaning {
    case unknown
    case global(String)
    case entity(Entity)
    case request(Entity)
    case object(Entity)
    /// A result, the members of a relationship.
    case list(Entity)
    /// What a `for` calls: the number of the variable that is an object, from 0, and its entity.
    case iterator(Int, Entity)
    /// `store.entities`
    case entities
  }

  /// An expression, as far as the checks need it.
  struct Value {
    var meaning = Meaning.unknown
    /// The token of a string.
    var literal: LuaToken?
    /// The elements of a table without named fields.
    var items: [Value] = []
    var fields: [String: Value] = [:]
    var fieldRanges: [String: Range<Int>] = [:]
    /// Whether it may have several values: a call, or `...`.
    var isOpen = false
    /// The index of a global, if the expression is just its name.
    var globalUse: Int?
    /// The name of a local, if the expression is just its name.
    var localName: String?
    /// The name of a field of anything but an object, if the expression ends in it.
    var fieldName: String?
    /// The index of the chain that makes the request, where all of its calls are known.
    var chain: Int?
  }

  /// A read of a global.
  struct Use {
    let name: String
    let range: Range<Int>
  }

  /// A read of a global's field: `string.format`.
  struct FieldUse {
    let owner: String
    let name: String
    let range: Range<Int>
  }

  /// A read or write of an object's member, or a field of a new object.
  struct MemberUse {
    let entity: Entity
    let name: String
    let range: Range<Int>
  }

  /// A call of a method of anything but an object.
  struct MethodUse {
    /// The kinds of values in the catalog, one of which the owner is.
    let kinds: [String]
    /// The owner's name in messages.
    let owner: String
    let name: String
    let range: Range<Int>
  }

  /// A call of a method of an entity or a request, or of a function.
  struct Call {
    let entity: Entity?
    let name: String
    let isMethod: Bool
    let arguments: [Value]
  }

  /// The calls that make a request, from its entity on: `Quake:where("magnitude > 6"):sorted("-time")`.
  struct Chain {
    let entity: Entity
    var calls: [Call] = []
    /// Whether the request is kept in a local or a field, where others may narrow it.
    var isKept = false
  }

  private(set) var uses: [Use?] = []
  private(set) var fieldUses: [FieldUse] = []
  private(set) var memberUses: [MemberUse] = []
  private(set) var methodUses: [MethodUse] = []
  private(set) var definitions: Set<String> = []
  /// The names of fields that the script assigns, methods of entities and computed properties among them.
  private(set) var definedFields: Set<String> = []
  private(set) var calls: [Call] = []
  private(set) var chains: [Chain] = []
  private let bytes: [UInt8]
  private let tokens: [LuaToken]
  private let entities: [String: Entity]
  private var index = 0
  private var scopes: [[String: Meaning]] = [[:]]
  /// The locals where the text ends, if it ends within blocks.
  private var innerScopesAtEnd: [[String: Meaning]]?
  /// The locals at each string, by the byte where it begins.
  private(set) var scopesAtStrings: [Int: [[String: Meaning]]] = [:]

  init(_ source: String, model: Model?) {
    bytes = Array(source.utf8)
    tokens = LuaToken.tokens(of: source).filter { if case .comment = $0.kind { false } else { true } }
    entities = Dictionary((model?.entities ?? []).map { ($0.name, $0) }) { first, _ in first }
    readBlock()
  }

  /// The locals that are known where the text ends, those of the innermost block last.
  var scopesAtEnd: [[String: Meaning]] { innerScopesAtEnd ?? scopes }
}

// MARK: - Statements

extension ScriptReading {
  private var text: String { index < tokens.count ? tokens[index].text(in: bytes) : "" }
  private var kind: LuaToken.Kind? { index < tokens.count ? tokens[index].kind : nil }

  private mutating func take(_ expected: String) -> Bool {
    guard text == expected, kind == .keyword || kind == .symbol else { return false }
    index += 1
    return true
  }

  /// Reads statements up to the word that ends the block.
  private mutating func readBlock() {
    while index < tokens.count {
      if kind == .keyword, ["end", "else", "elseif", "until"].contains(text) { return }
      let start = index
      readStatement()
      // Skips what this reader does not understand: since the text compiles, it is not a mistake.
      if index == start { index += 1 }
    }
  }

  private mutating func readScope(
    _ names: [String] = [], meaning: [String: Meaning] = [:], until ending: String? = "end"
  ) {
    scopes.append(Dictionary(names.map { ($0, meaning[$0] ?? .unknown) }) { first, _ in first })
    readBlock()
    // The condition after `until` can use the locals of its block.
    if ending == "until", take("until") { _ = readExpression() }
    if index >= tokens.count, innerScopesAtEnd == nil { innerScopesAtEnd = scopes }
    scopes.removeLast()
    if ending == "end" { _ = take("end") }
  }

  private mutating func readStatement() {
    guard kind == .keyword else { return readPlainStatement() }
    switch text {
    case "local":
      index += 1
      readLocal()
    case "function":
      index += 1
      readFunctionStatement()
    case "if":
      repeat {
        index += 1
        _ = readExpression()
        _ = take("then")
        readScope(until: nil)
      } while kind == .keyword && text == "elseif"
      if take("else") { readScope(until: nil) }
      _ = take("end")
    case "while":
      index += 1
      _ = readExpression()
      _ = take("do")
      readScope()
    case "do":
      index += 1
      readScope()
    case "repeat":
      index += 1
      readScope(until: "until")
    case "for":
      index += 1
      var names = [readName()]
      while take(",") { names.append(readName()) }
      let isNumeric = take("=")
      if !isNumeric { _ = take("in") }
      let values = readList()
      _ = take("do")
      var meaning: [String: Meaning] = [:]
      if !isNumeric, case .iterator(let number, let entity)? = values.first?.meaning, names.indices.contains(number) {
        meaning[names[number]] = .object(entity)
      }
      readScope(names, meaning: meaning)
    case "return":
      index += 1
      if kind != nil, !["end", "else", "elseif", "until", ";"].contains(text) { _ = readList() }
    case "goto": index += 2
    case "break": index += 1
    default: readPlainStatement()
    }
  }

  private mutating func readPlainStatement() {
    if take(";") { return }
    if take("::") {
      index += 2
      return
    }
    var targets = [readExpression()]
    while take(",") { targets.append(readExpression()) }
    guard take("=") else { return }
    keep(readList())
    for target in targets {
      if let use = target.globalUse, let name = uses[use]?.name {
        definitions.insert(name)
        uses[use] = nil
      } else if let name = target.localName, let scope = scopes.lastIndex(where: { $0[name] != nil }) {
        scopes[scope][name] = .unknown
      } else if let name = target.fieldName {
        definedFields.insert(name)
      }
    }
  }

  /// Remembers that the requests among values may be narrowed elsewhere.
  private mutating func keep(_ values: [Value]) {
    for chain in values.compactMap(\.chain) { chains[chain].isKept = true }
  }

  private mutating func readName() -> String {
    defer { index += 1 }
    return text
  }

  private mutating func readLocal() {
    if take("function") {
      scopes[scopes.count - 1][readName()] = .unknown
      return readFunctionBody()
    }
    var names: [String] = []
    repeat {
      names.append(readName())
      if take("<") { index += 2 }
    } while take(",")
    let values = take("=") ? readList() : []
    keep(values)
    for (number, name) in names.enumerated() {
      scopes[scopes.count - 1][name] = number < values.count ? values[number].meaning : .unknown
    }
  }

  private mutating func readFunctionStatement() {
    guard index < tokens.count else { return }
    let token = tokens[index]
    let name = readName()
    var isField = false
    var isMethod = false
    while text == "." || text == ":" {
      isField = true
      isMethod = text == ":"
      if index + 1 < tokens.count { definedFields.insert(tokens[index + 1].text(in: bytes)) }
      index += 2
    }
    if !isLocal(name) {
      if isField { uses.append(Use(name: name, range: token.range)) } else { definitions.insert(name) }
    }
    readFunctionBody(isMethod: isMethod)
  }

  private mutating func readFunctionBody(isMethod: Bool = false) {
    var names = isMethod ? ["self"] : []
    _ = take("(")
    while index < tokens.count, !take(")") {
      if kind == .name { names.append(text) }
      index += 1
    }
    readScope(names)
  }

  private func isLocal(_ name: String) -> Bool { scopes.contains { $0[name] != nil } }
}

// MARK: - Expressions

extension ScriptReading {
  private static let binary: Set = [
    "+", "-", "*", "/", "//", "%", "^", "&", "|", "~", "<<", ">>", "..", "==", "~=", "<", "<=", ">", ">=", "and", "or",
  ]

  private mutating func readList() -> [Value] {
    var values = [readExpression()]
    while take(",") { values.append(readExpression()) }
    return values
  }

  private mutating func readExpression() -> Value {
    var value = readOperand()
    while kind == .symbol || kind == .keyword, Self.binary.contains(text) {
      index += 1
      _ = readOperand()
      value = Value()
    }
    return value
  }

  private mutating func readOperand() -> Value {
    var isSigned = false
    while ["not", "-", "#", "~"].contains(text), kind == .symbol || kind == .keyword {
      index += 1
      isSigned = true
    }
    let value = readPrimary()
    return isSigned ? Value() : value
  }

  private mutating func readPrimary() -> Value {
    guard let kind else { return Value() }
    switch kind {
    case .name:
      let range = tokens[index].range
      return readSuffixes(of: nameValue(readName(), range))
    case .string: return readString()
    case .number: index += 1
    case .keyword where text == "function":
      index += 1
      readFunctionBody()
    case .keyword where ["nil", "true", "false"].contains(text): index += 1
    case .symbol where text == "...":
      index += 1
      return Value(isOpen: true)
    case .symbol where text == "{": return readTable()
    case .symbol where text == "(":
      index += 1
      var value = readExpression()
      _ = take(")")
      (value.isOpen, value.globalUse, value.localName) = (false, nil, nil)
      return readSuffixes(of: value)
    default: break
    }
    return Value()
  }

  private mutating func readString() -> Value {
    defer { index += 1 }
    scopesAtStrings[tokens[index].range.lowerBound] = scopes
    return Value(literal: tokens[index])
  }

  private mutating func nameValue(_ name: String, _ range: Range<Int>) -> Value {
    if let meaning = scopes.last(where: { $0[name] != nil })?[name] { return Value(meaning: meaning, localName: name) }
    uses.append(Use(name: name, range: range))
    return Value(meaning: entities[name].map(Meaning.entity) ?? .global(name), globalUse: uses.count - 1)
  }

  private mutating func readSuffixes(of first: Value) -> Value {
    var value = first
    while let kind {
      switch text {
      case "." where kind == .symbol:
        index += 1
        value = field(of: value)
      case "[" where kind == .symbol:
        index += 1
        _ = readExpression()
        _ = take("]")
        value = Value(meaning: element(of: value.meaning))
      case ":" where kind == .symbol:
        index += 1
        guard index < tokens.count else { return value }
        let range = tokens[index].range
        let name = readName()
        value = call(name, range, of: value, readArguments())
      case "(", "{": value = callFunction(value, readArguments())
      default:
        guard case .string = kind else { return value }
        value = callFunction(value, readArguments())
      }
    }
    return value
  }

  private mutating func field(of owner: Value) -> Value {
    guard index < tokens.count else { return Value() }
    let range = tokens[index].range
    let name = readName()
    switch owner.meaning {
    case .global("store") where name == "entities": return Value(meaning: .entities)
    case .global(let global): fieldUses.append(FieldUse(owner: global, name: name, range: range))
    case .entities: return Value(meaning: entities[name].map(Meaning.entity) ?? .unknown)
    case .object(let entity):
      memberUses.append(MemberUse(entity: entity, name: name, range: range))
      return Value(meaning: Self.property(name, of: entity))
    default: break
    }
    return Value(fieldName: name)
  }

  private mutating func readArguments() -> [Value] {
    if case .string? = kind { return [readString()] }
    if text == "{" { return [readTable()] }
    guard take("(") else { return [] }
    if take(")") { return [] }
    let values = readList()
    _ = take(")")
    return values
  }

  private mutating func readTable() -> Value {
    var table = Value()
    index += 1
    while index < tokens.count, !take("}") {
      if take("[") {
        _ = readExpression()
        _ = take("]")
        _ = take("=")
        _ = readExpression()
      } else if kind == .name, index + 1 < tokens.count, tokens[index + 1].text(in: bytes) == "=" {
        table.fieldRanges[text] = tokens[index].range
        let name = readName()
        index += 1
        table.fields[name] = readExpression()
      } else {
        let start = index
        table.items.append(readExpression())
        if index == start { index += 1 }
      }
      if !take(",") { _ = take(";") }
    }
    return table
  }

  /// The methods of entities and requests that return a request for the same entity.
  private static let chained: Set = ["all", "where", "sorted", "limit", "offset", "with", "bind"]

  private mutating func call(_ name: String, _ range: Range<Int>, of owner: Value, _ arguments: [Value]) -> Value {
    if let (kinds, title) = Self.kinds(of: owner.meaning) {
      methodUses.append(MethodUse(kinds: kinds, owner: title, name: name, range: range))
    }
    let entity: Entity
    switch owner.meaning {
    case .entity(let found), .request(let found), .list(let found): entity = found
    case .object(let found):
      memberUses.append(MemberUse(entity: found, name: name, range: range))
      return Value(isOpen: true)
    case .global("store") where name == "history":
      calls.append(Call(entity: nil, name: name, isMethod: true, arguments: arguments))
      return Value(isOpen: true)
    default: return Value(isOpen: true)
    }
    let call = Call(entity: entity, name: name, isMethod: true, arguments: arguments)
    calls.append(call)
    let chain = add(call, entity, to: owner)
    return Value(
      meaning: Self.chained.contains(name) ? .request(entity) : Self.result(of: name, of: entity), isOpen: true,
      chain: Self.chained.contains(name) ? chain : nil)
  }

  /// Adds a call to the chain of its owner, and returns the chain.
  private mutating func add(_ call: Call, _ entity: Entity, to owner: Value) -> Int? {
    if let chain = owner.chain {
      chains[chain].calls.append(call)
      return chain
    }
    guard case .entity = owner.meaning else { return nil }
    chains.append(Chain(entity: entity, calls: [call]))
    return chains.count - 1
  }

  private mutating func callFunction(_ function: Value, _ arguments: [Value]) -> Value {
    if case .entity(let entity) = function.meaning {
      for (name, range) in arguments.first?.fieldRanges ?? [:] {
        memberUses.append(MemberUse(entity: entity, name: name, range: range))
      }
      return Value(meaning: .object(entity), isOpen: true)
    }
    guard case .global(let name) = function.meaning else { return Value(isOpen: true) }
    if ["ipairs", "pairs"].contains(name), case .list(let entity)? = arguments.first?.meaning {
      return Value(meaning: .iterator(1, entity), isOpen: true)
    }
    let entity: Entity? =
      switch arguments.first?.fields["entity"]?.meaning {
      case .entity(let entity)?: entity
      default:
        arguments.first?.fields["entity"]?.literal.flatMap {
          entities[String($0.text(in: bytes).dropFirst().dropLast())]
        }
      }
    let call = Call(entity: entity, name: name, isMethod: false, arguments: arguments)
    calls.append(call)
    let isRequest = ["FetchRequest", "SectionedFetchRequest"].contains(name)
    if isRequest, let entity { chains.append(Chain(entity: entity, calls: [call], isKept: true)) }
    return Value(meaning: isRequest ? entity.map(Meaning.request) ?? .unknown : .unknown, isOpen: true)
  }
}
