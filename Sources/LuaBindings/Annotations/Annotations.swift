internal import Modeling

/// The functions of a catalog and the entities of a model as LuaCATS annotations, with which editors complete and check
/// scripts.
///
///     Annotations(catalog: engine.catalog, model: model, globals: ["Quake"]).text
///     // ---@meta
///     // ---@class Quake : perilune.Object
///     // ---@field magnitude? number 0 to 10
///
/// All types are classes with fields, so that only comments and the globals themselves are Lua.
struct Annotations {
  private let catalog: Catalog
  private let model: Model?
  /// The entities that are globals.
  let globals: Set<String>
  /// What the values of the store add.
  let facts: StoredFacts
  private(set) var types = AnnotatedTypes()

  init(catalog: Catalog, model: Model?, globals: Set<String>, facts: StoredFacts = StoredFacts()) {
    (self.catalog, self.facts) = (catalog, facts)
    self.model = model
    self.globals = globals
    types.kinds = Set(catalog.entries.map(\.owner)).union(["FetchedResults", "ObservationToken"])
  }

  /// The whole file; always the same for the same model.
  var text: String {
    let parts = [header] + aliases + kinds + functions + globalValues + (model.map(entities) ?? [])
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// The names of kinds that are also globals.
  private static let globalKinds = ["Binding", "Environment", "Object", "Preference"]

  private var header: String {
    """
    ---@meta
    -- Written by `perilune types`: what editors need to know of Perilune's functions and of the entities of one store.
    -- Not to be run or changed by hand.
    -- luacheck: ignore 111 112 113 131 212 631
    """
  }

  private var aliases: [String] {
    let templates = (model?.fetchRequestTemplates.keys.sorted() ?? []).map { "|" + Self.quoted($0) }.joined()
    return [
      """
      --- A format string, a table of one and its arguments, or a Predicate.
      ---@alias perilune.Condition string|table|perilune.Predicate
      """,
      "---@alias perilune.Template string" + templates,
    ]
  }

  // MARK: Kinds

  private var kinds: [String] {
    var owners: [String] = []
    for entry in catalog.entries where !entry.owner.isEmpty && !owners.contains(entry.owner) {
      owners.append(entry.owner)
    }
    return owners.flatMap { owner -> [String] in
      let members = catalog.members(of: owner)
      let options = members.filter { $0.kind == .option }
      var found = options.isEmpty ? [] : [optionClass(owner, options)]
      guard members.contains(where: { $0.kind != .option }) else { return found }
      var lines = ["---@class perilune.\(owner)" + (owner == "Entity" ? " : perilune.Hook" : "")]
      lines += fields(of: owner, types)
      found.append((lines + elements(of: owner, types)).joined(separator: "\n"))
      return found
    }
  }

  private func optionClass(_ owner: String, _ options: [CatalogEntry]) -> String {
    let fields = options.map { "---@field \(Self.key($0.name))? \(property($0, types)) \($0.summary)" }
    return (["---@class perilune.\(owner).options"] + fields).joined(separator: "\n")
  }

  /// The fields of a kind, one per line, without those that are options.
  func fields(of owner: String, _ types: AnnotatedTypes) -> [String] {
    var types = types
    types.owner = owner
    return catalog.members(of: owner).filter { $0.kind != .option }.map { entry in
      let isMethod = entry.kind == .method || entry.signature.contains("\(entry.name)(")
      let mark = owner == "Hook" ? "?" : ""
      let type = isMethod ? method(entry, types) : property(entry, types)
      return "---@field \(Self.key(entry.name))\(mark) \(type) \(entry.summary)"
    }
  }

  private func method(_ entry: CatalogEntry, _ types: AnnotatedTypes) -> String {
    let signature = AnnotatedSignature(entry.signature, types, options: optionsClass(entry.name))
    let own = entry.kind == .method ? ["self: \(types.name(ofKind: entry.owner))"] : []
    let parameters = (own + signature.parameters.map(\.text)).joined(separator: ", ")
    return "fun(\(parameters))" + (signature.results.isEmpty ? "" : ": " + signature.results.joined(separator: ", "))
  }

  private func property(_ entry: CatalogEntry, _ types: AnnotatedTypes) -> String {
    switch (entry.owner, entry.name) {
    case (_, "entities"): return "perilune.Entities"
    case ("Entity", "computed"): return "table<string, fun(self: \(types.name(ofKind: "Object"))): any>"
    case ("Date", _): return "number"
    case ("Model", "entityNames"), ("Model", "templateNames"): return "string[]"
    case ("Object", "objectID"): return "perilune.ObjectID"
    default: break
    }
    if let found = AnnotatedSignature(entry.signature, types).results.first { return found }
    guard let equals = entry.signature.firstRange(of: " = ") else { return "any" }
    switch entry.signature[equals.upperBound...] {
    case "true", "false", "boolean": return "boolean"
    case "number": return "number"
    case let words where words.hasPrefix("\""): return types.words(String(words))
    default: return "any"
    }
  }

  /// A kind's elements by number and its length.
  func elements(of owner: String, _ types: AnnotatedTypes) -> [String] {
    let element =
      switch owner {
      case "Collection", "Result", "FetchedResults", "Section": types.object ?? "any"
      case "Sections": types.name(ofKind: "Section")
      case "History": "perilune.Transaction"
      default: ""
      }
    return element.isEmpty ? [] : ["---@field [integer] \(element)", "---@operator len: integer"]
  }

  // MARK: Globals

  private var functions: [String] {
    catalog.members(of: "").filter { $0.kind == .function && !Self.globalKinds.contains($0.name) }.map { entry in
      let signature = AnnotatedSignature(entry.signature, types, options: optionsClass(entry.name))
      var lines = ["--- \(entry.summary)", "---", "---     \(entry.signature)"]
      lines += signature.parameters.map {
        "---@param \($0.name)\($0.isOptional && $0.name != "..." ? "?" : "") \($0.type)"
      }
      lines += signature.results.map { "---@return \($0)" }
      let names = signature.parameters.map(\.name).joined(separator: ", ")
      return (lines + ["function \(entry.name)(\(names)) end"]).joined(separator: "\n")
    }
  }

  private var globalValues: [String] {
    var values = Self.globalKinds.map { ($0, "perilune.\($0)") } + [("null", "userdata")]
    if model != nil { values += [("store", "perilune.Store"), ("context", "perilune.Context")] }
    return values.map { "---@type \($1)\n\($0) = nil" }
  }

  private func optionsClass(_ function: String) -> String? {
    let isThere = catalog.members(of: function).contains { $0.kind == .option }
    return isThere ? "perilune.\(function).options" : nil
  }

  // MARK: Text

  /// A name as the key of a field.
  static func key(_ name: String) -> String { Naming.isLuaIdentifier(name) ? name : "[\(quoted(name))]" }

  /// A text as a one-line literal.
  static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\" + String(scalar)
      case _ where scalar.actsOnTerminals: " "
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
