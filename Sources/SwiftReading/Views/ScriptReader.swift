internal import Modeling
internal import Queries
internal import SwiftParsing

/// Goes through Swift source and gathers what it says besides requests: states, namespaces, closures, views.
struct ScriptReader {
  let scope: SwiftScope
  let text: String
  let bytes: [UInt8]
  let statements: [SwiftStatement]
  var script = SwiftScript()
  /// What the source declares, by its name in Swift.
  var names: [String: DeclaredName] = [:]
  /// What a name stands for within the closure that is read.
  var locals: [String: String] = [:]
  /// The names whose value a closure receives: an observed name stands for the new value.
  var observed: [String: String] = [:]
  /// The structures of the source, whose bodies rows may be made of.
  var structures: [String: SwiftTypeDeclaration] = [:]
  /// The properties of live results that the closure that is read sets.
  var changes: [String] = []
  /// The structures around the view that is read, so that none is read within itself.
  var openStructures: [String] = []
  /// Whether it is only asked what views do, so that nothing in them is asked again.
  var isTrial = false
  /// How many structures were read within rows: their bodies may name each other many times.
  var structureCount = 0
  static let mostStructures = 200
  /// The names of functions, and the last number of each name that several would have.
  var functionNames: Set<String> = []
  var functionNumbers: [String: Int] = [:]
  /// How many views of a name were marked in a namespace.
  var tagged: [String: Int] = [:]
  /// The structures that were read as those of rows.
  var rowStructures: Set<String> = []
  /// Whether the reader is within a type, whose statements are no input.
  var isInType = false
  /// Where views stand, which are no source of requests.
  var viewRanges: [Range<Int>] = []

  init(_ text: String, _ scope: SwiftScope) {
    self.scope = scope
    self.text = text
    var parser = SwiftParser(text, readsViews: true)
    statements = parser.parse()
    bytes = parser.bytes
  }

  /// Reads the whole source.
  mutating func read() {
    collect(statements)
    if script.hasModel { return }
    if let found = argument() { return script = found }
    readRequests()
    // Views with requests come first: the views of their rows are read with them.
    let owners = statements.filter { !requestProperties([$0]).isEmpty }
    read(owners + statements.filter { requestProperties([$0]).isEmpty })
  }

  func slice(_ range: Range<Int>) -> String {
    String(
      decoding: bytes[max(range.lowerBound, 0)..<min(max(range.upperBound, range.lowerBound), bytes.count)],
      as: UTF8.self)
  }

  /// A piece of the source in one line.
  func line(_ range: Range<Int>) -> String {
    slice(range).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  mutating func leaveOut(_ what: String) {
    if !script.leftOut.contains(what) { script.leftOut.append(what) }
  }

  /// The argument of a request that stands alone: `sortDescriptors: [...]`.
  private func argument() -> SwiftScript? {
    let tokens = SwiftParserTokens.tokens(of: text)
    guard tokens.count > 2, case .name = tokens[0].kind, tokens[1].kind == .sign(":") else { return nil }
    var reader = ScriptReader("f(" + text + "\n)", scope)
    guard case .value(let value)? = reader.statements.first?.kind, case .call(_, _, let arguments) = value.kind,
      let first = arguments.first, first.label != nil
    else { return nil }
    reader.readArgument(first)
    return reader.script
  }

  private mutating func readArgument(_ argument: SwiftArgument) {
    let label = argument.label ?? ""
    let names = [
      "nsPredicate": "predicate", "filter": "predicate", "nsSortDescriptors": "sortDescriptors",
      "sortBy": "sortDescriptors",
    ]
    let name = names[label] ?? label
    let value: String? =
      switch name {
      case "sortDescriptors", "sort": sortDescriptors(argument.value, of: "")
      case "predicate": predicate(argument.value)
      default: lua(argument.value)
      }
    guard let value else { return leaveOut(label) }
    script.actions.append("\(name) = \(value)")
  }

  /// Notes results that nothing declares.
  mutating func noteUnknown(_ name: String) {
    guard !isResults(name), scope.kind(name) == nil, !script.unknown.contains(name) else { return }
    script.unknown.append(name)
  }

  // MARK: Names

  /// Notes the declarations before their uses are read.
  private mutating func collect(_ statements: [SwiftStatement]) {
    for statement in statements {
      switch statement.kind {
      case .declaration(let declaration): collect(declaration)
      case .type(let type):
        if type.attributes.contains(where: { $0.attributeName == "Model" }) { script.hasModel = true }
        if type.keyword == "struct" { structures[type.name] = type }
        if type.attributes.contains(where: { $0.attributeName == "Observable" }) || type.isObservableObject {
          names[type.name] = DeclaredName(lua: luaName(type.name), kind: .constructor)
          continue
        }
        collect(type.statements)
      default: break
      }
    }
  }

  private mutating func collect(_ declaration: SwiftDeclaration) {
    let name = declaration.name
    let wrapper = declaration.wrapper
    switch wrapper {
    case "FetchRequest", "SectionedFetchRequest", "Query":
      names[name] = DeclaredName(lua: luaName(name), kind: .results(entity: declaration.type?.innermost ?? ""))
    case "State", "StateObject", "AppStorage", "SceneStorage":
      let isObject = declaration.value.map(isConstructor) ?? false
      names[name] = DeclaredName(lua: luaName(name), kind: isObject ? .observable : .state)
    case "Namespace": names[name] = DeclaredName(lua: luaName(name), kind: .namespace)
    case "Bindable", "ObservedObject", "EnvironmentObject":
      if names[name] == nil { names[name] = DeclaredName(lua: luaName(name), kind: .observable) }
    case "Binding":
      if names[name] == nil { names[name] = DeclaredName(lua: luaName(name), kind: .state) }
    default: break
    }
  }

  /// Whether a value is made by a class of the source that is observed: `People(name: "fat")`.
  private func isConstructor(_ syntax: SwiftSyntax) -> Bool {
    guard case .call(let callee, _, _) = syntax.unwrapped.kind, case .name(let name) = callee.kind else { return false }
    return names[name]?.kind == .constructor || isObservableClass(name)
  }

  private func isObservableClass(_ name: String) -> Bool {
    statements.contains { statement in
      guard case .type(let type) = statement.kind, type.name == name else { return false }
      return type.attributes.contains { $0.attributeName == "Observable" } || type.isObservableObject
    }
  }

  /// A name of Swift as one that may be declared in Lua.
  mutating func luaName(_ name: String, suffix: String = "Value") -> String {
    func isLetter(_ scalar: Unicode.Scalar) -> Bool {
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "_" || ("0"..."9").contains(scalar))
    }
    var result = String(name.unicodeScalars.map { isLetter($0) ? Character($0) : "_" })
    if !result.contains(where: \.isLetter) { result = "value" }
    if LuaSource.isName(result), !scope.isReserved(result) { return result }
    if result.first?.isNumber == true { result = "_" + result }
    let other = result + suffix
    let note = "\(name) is \(other)"
    if !script.renamed.contains(note) { script.renamed.append(note) }
    return other
  }
}

/// A name that a view's source declares: its name in Lua, and what it stands for.
struct DeclaredName {
  enum Kind: Equatable {
    case results(entity: String)
    case state, observable, namespace, constructor, constant
  }

  var lua: String
  var kind: Kind
}

extension SwiftDeclaration {
  /// The name of the first attribute that is a property wrapper.
  var wrapper: String {
    let others: Set<String> = ["MainActor", "ViewBuilder", "available", "objc", "NSManaged", "nonobjc"]
    return attributes.compactMap(\.attributeName).first { !others.contains($0) } ?? ""
  }

  /// The arguments of the property wrapper.
  var wrapperArguments: [SwiftArgument] {
    attributes.first { $0.attributeName == wrapper }.map {
      if case .call(_, _, let arguments) = $0.kind { arguments } else { [] }
    } ?? []
  }
}

extension SwiftTypeDeclaration {
  /// Whether it is a class of Combine whose published properties are observed.
  var isObservableObject: Bool { inherited.contains { $0.name == "ObservableObject" } }
}

extension SwiftSyntax {
  /// The name of an attribute.
  var attributeName: String? {
    switch kind {
    case .name(let name): name
    case .call(let callee, _, _): if case .name(let name) = callee.kind { name } else { nil }
    default: nil
    }
  }

  /// The name that a path of members begins with, without the sign of a binding.
  var root: String? {
    switch kind {
    case .name(let name): name.hasPrefix("$") ? String(name.dropFirst()) : name
    case .member(let base?, _): base.root
    case .optionalChain(let base), .forced(let base): base.root
    case .subscripted(let base, _): base.root
    default: nil
    }
  }

  /// Whether a path begins with a binding: `$items.nsPredicate`.
  var mentionsProjection: Bool {
    switch kind {
    case .name(let name): name.hasPrefix("$") && name.count > 1
    case .member(let base?, _), .optionalChain(let base), .forced(let base): base.mentionsProjection
    default: false
    }
  }
}
