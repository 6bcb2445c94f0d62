internal import LuaRuntime
internal import Modeling

/// A declared attribute without its name: `String { unique = true }`.
final class AttributeDraft: Bound {
  static let luaName = "Attribute"
  var place: String { "Attribute" }

  /// The attribute, with an empty name.
  private(set) var attribute: Attribute

  init(_ type: AttributeType) { attribute = Attribute("", type) }

  func summary() -> String { "attribute of type \(attribute.type.rawValue)" }

  /// The options of an attribute's table.
  static let options: [(name: String, summary: String)] = [
    ("optional", "false if a value is needed to save."), ("default", "The value of new objects."),
    ("min", "The smallest value."), ("max", "The largest value."), ("minLength", "The fewest characters."),
    ("maxLength", "The most characters."), ("regex", "A regular expression the whole text must match."),
    ("unique", "true if no two objects may have the same value."), ("indexed", "true to find and sort by it fast."),
    ("transient", "true to keep it in memory only."),
    ("preserveAfterDeletion", "true to keep a deleted object's value in the store's history."),
    ("externalBinaryData", "true if an app may keep large values in files beside the store."),
    ("valueClass", "The class of its values in an app, for Transformable."),
    ("valueTransformer", "The transformer that turns its values into data in an app, for Transformable."),
    ("compositeName", "The name of its type in an app, for Composite."),
    ("validation", "Conditions on its value, SELF: texts, or tables { text, warning = ... }."),
    ("versionHashModifier", "A mark that distinguishes versions with the same storage."),
    ("renamingIdentifier", "The name in the earlier model."),
    ("userInfo", "A table of texts for programs."),
  ]

  static var entries: [CatalogEntry] {
    CatalogEntry.options(
      of: "Attribute", example: "Model { City = Entity { name = String { optional = false, maxLength = 80 } } }",
      options)
  }

  /// Reads the options of `String { ... }`, and the elements of `Composite { city = String, ... }`.
  init(_ word: TypeWord, options call: Call) throws {
    attribute = Attribute("", word.type)
    guard word.type == .composite else {
      try read(try call.options(1, Self.options.map(\.name)))
      return
    }
    var elements = try Self.elements(at: call.index(1), call, isWhole: false)
    let stack = call.stack
    defer { stack.pop() }
    let options = try Self.optionsBesideElements(call)
    elements += try options.with("elements") { try Self.elements(at: $0, call, isWhole: true) } ?? []
    if elements.isEmpty { throw call.fail(.missing("an element, such as city = String,")) }
    try read(options)
    let order = try options.strings("order") ?? []
    for name in order where !elements.contains(where: { $0.name == name }) {
      throw ScriptError(
        "Composite: order", .unknownMember(name, of: "the composite", nearest: nearest(name, elements.map(\.name))))
    }
    let places = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    if elements.contains(where: { $0.nesting >= Nesting.composites }) {
      throw call.fail("composites nest at most \(Nesting.composites) levels deep")
    }
    attribute.elements = elements.sorted { (places[$0.name] ?? .max, $0.name) < (places[$1.name] ?? .max, $1.name) }
  }

  /// Pushes a table of the fields that are not elements; an element may have the name of an option.
  private static func optionsBesideElements(_ call: Call) throws -> Options {
    let stack = call.stack
    stack.reserve(8)
    stack.pushTable()
    let rest = stack.count
    try stack.forEachPair(at: call.index(1)) { stack in
      guard draft(at: stack.count, on: stack, call.engine.classes) == nil else { return }
      stack.pushCopy(of: -2)
      stack.pushCopy(of: -2)
      stack.rawSet(at: rest)
    }
    return try Options(call: call, index: rest, allowed: options.map(\.name) + ["elements", "order"])
  }

  /// Reads `Derived { type = String, "day(time)" }`.
  init(derived call: Call) throws {
    guard call.type(1) == .table else { throw call.expected("a table { type = ..., \"expression\" }", 1) }
    let allowed = Self.options.map(\.name) + ["type"]
    let options = try Options(call: call, index: call.index(1), allowed: allowed, listed: true)
    let stack = call.stack
    let type = try options.with("type") { index in
      guard let word = call.engine.classes.object(TypeWord.self, at: index, on: stack) else {
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
    attribute.allowsExternalBinaryDataStorage = try options.bool("externalBinaryData") ?? false
    attribute.valueClassName = try options.string("valueClass")
    attribute.valueTransformerName = try options.string("valueTransformer")
    attribute.compositeName = try options.string("compositeName")
    attribute.validationPredicates = try options.validationPredicates("validation")
    attribute.versionHashModifier = try options.string("versionHashModifier")
    attribute.renamingIdentifier = try options.string("renamingIdentifier")
    attribute.userInfo = try options.texts("userInfo")
    attribute.defaultValue = try Self.value("default", options)
    attribute.minimum = try Self.value("min", options)
    attribute.maximum = try Self.value("max", options)
  }

  private static func value(_ name: String, _ options: Options) throws -> Value {
    let call = options.call
    let value = try options.with(name) { index in
      guard let value = try call.engine.values.value(at: index, on: call.stack, place: "\(call.place): \(name)") else {
        throw options.expected("a value", name, index)
      }
      return value
    }
    return value ?? .null
  }

  /// The elements in the table at `index`; with `isWhole` the table has nothing else.
  private static func elements(at index: Int32, _ call: Call, isWhole: Bool) throws -> [Attribute] {
    var elements: [Attribute] = []
    guard call.stack.type(at: index) == .table else {
      throw call.fail(.expected("a table of types", found: call.stack.typeName(at: index)))
    }
    try call.stack.forEachPair(at: index) { stack in
      let draft = draft(at: stack.count, on: stack, call.engine.classes)
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2), let draft else {
        if !isWhole { return }
        throw ScriptError(
          "\(call.place): elements", .expected("types by name", found: call.stack.typeName(at: stack.count)))
      }
      var element = draft.attribute
      element.name = name
      elements.append(element)
    }
    return elements
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

extension AttributeDraft {
  /// The attribute of a draft, or of a bare type word, at `index`; nil for other values.
  static func draft(at index: Int32, on stack: LuaStack, _ classes: ClassRegistry) -> AttributeDraft? {
    if let word = classes.object(TypeWord.self, at: index, on: stack) { return AttributeDraft(word.type) }
    return classes.object(AttributeDraft.self, at: index, on: stack)
  }
}
