internal import LuaRuntime
internal import Modeling

/// An attribute as a model's text declares it, before it has a name: `String { unique = true }`.
final class AttributeDraft: Bound {
  static let luaName = "Attribute"
  static let members: [Member<AttributeDraft>] = []
  var place: String { "Attribute" }

  /// The attribute, its name still empty.
  private(set) var attribute: Attribute

  init(_ type: AttributeType) { attribute = Attribute("", type) }

  func summary() -> String { "attribute of type \(attribute.type.rawValue)" }

  /// What the table of an attribute may say.
  static let options: [(name: String, summary: String)] = [
    ("optional", "false if a value is needed to save."), ("default", "The value of new objects."),
    ("min", "The smallest value."), ("max", "The largest value."), ("minLength", "The fewest characters."),
    ("maxLength", "The most characters."), ("regex", "A regular expression the whole text must match."),
    ("unique", "true if no two objects may have the same value."), ("indexed", "true to find and sort by it fast."),
    ("transient", "true to keep it in memory only."),
    ("preserveAfterDeletion", "true to keep a deleted object's value in the store's history."),
    ("renamingIdentifier", "The name in the earlier model."),
    ("userInfo", "A table of texts for programs."),
  ]

  static var entries: [CatalogEntry] {
    options.map { option in
      CatalogEntry(
        kind: .option, owner: "Attribute", name: option.name, signature: "\(option.name) = ...", summary: option.summary
      )
    }
  }

  /// Reads the options of `String { ... }`.
  init(_ word: TypeWord, options call: Call) throws {
    let special = word.type == .composite ? ["elements"] : []
    let options = try call.options(1, Self.options.map(\.name) + special)
    attribute = Attribute("", word.type)
    try read(options)
    if word.type == .composite { attribute.elements = try Self.elements(options) }
  }

  /// Reads `Derived { type = String, "day(time)" }`.
  init(derived call: Call) throws {
    guard call.type(1) == .table else { throw call.expected("a table { type = ..., \"expression\" }", 1) }
    let allowed = Self.options.map(\.name) + ["type"]
    let options = try Options(call: call, index: call.index(1), allowed: allowed, listed: true)
    let stack = call.stack
    let type = try options.with("type") { index in
      guard let word = call.engine.typeWords.object(at: index, on: stack) else {
        throw options.expected("a type such as String", "type", index)
      }
      return word.type
    }
    guard let type else { throw call.fail(.missing("type")) }
    attribute = Attribute("", type)
    try read(options)
    stack.rawGet(element: 1, at: call.index(1))
    defer { stack.pop() }
    guard let derivation = stack.string(at: -1) else {
      throw call.fail(.missing("the expression, such as \"day(time)\","))
    }
    attribute.derivation = derivation
  }

  private func read(_ options: Options) throws {
    attribute.isOptional = try options.bool("optional") ?? true
    attribute.isTransient = try options.bool("transient") ?? false
    attribute.isUnique = try options.bool("unique") ?? false
    attribute.isIndexed = try options.bool("indexed") ?? false
    attribute.minimumLength = try options.integer("minLength")
    attribute.maximumLength = try options.integer("maxLength")
    attribute.regularExpression = try options.string("regex")
    attribute.preservesValueInHistoryOnDeletion = try options.bool("preserveAfterDeletion") ?? false
    attribute.renamingIdentifier = try options.string("renamingIdentifier")
    attribute.userInfo = try options.texts("userInfo")
    attribute.defaultValue = try Self.value("default", options)
    attribute.minimum = try Self.value("min", options)
    attribute.maximum = try Self.value("max", options)
  }

  private static func value(_ name: String, _ options: Options) throws -> Value {
    let call = options.call
    let value = try options.with(name) { index in
      guard let value = try call.engine.value(at: index, on: call.stack, place: "\(call.place): \(name)") else {
        throw options.expected("a value", name, index)
      }
      return value
    }
    return value ?? .null
  }

  private static func elements(_ options: Options) throws -> [Attribute] {
    let call = options.call
    guard options.has("elements") else { throw call.fail(.missing("elements = { name = type, ... }")) }
    let elements = try options.with("elements") { index -> [Attribute] in
      var elements: [Attribute] = []
      guard call.stack.type(at: index) == .table else { throw options.expected("a table of types", "elements", index) }
      try call.stack.forEachPair(at: index) { stack in
        guard let name = stack.string(at: -2), let draft = call.engine.attributeDraft(at: stack.count, on: stack) else {
          throw options.expected("a table of types", "elements", stack.count)
        }
        var element = draft.attribute
        element.name = name
        elements.append(element)
      }
      return elements.sorted { $0.name < $1.name }
    }
    return elements ?? []
  }
}

extension Options {
  /// A table of texts by name.
  func texts(_ name: String) throws -> [String: String] {
    let texts = try with(name) { index -> [String: String] in
      guard call.stack.type(at: index) == .table else { throw expected("a table of strings", name, index) }
      var texts: [String: String] = [:]
      try call.stack.forEachPair(at: index) { stack in
        guard let key = stack.string(at: -2), let text = stack.string(at: -1) else {
          throw expected("a table of strings", name, stack.count)
        }
        texts[key] = text
      }
      return texts
    }
    return texts ?? [:]
  }
}

extension Engine {
  /// The attribute that a draft, or a bare type word, at `index` declares.
  func attributeDraft(at index: Int32, on stack: LuaStack) -> AttributeDraft? {
    if let word = typeWords.object(at: index, on: stack) { return AttributeDraft(word.type) }
    return attributeDrafts.object(at: index, on: stack)
  }
}
