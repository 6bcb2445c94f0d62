internal import LuaRuntime
internal import Modeling

/// A declared relationship without its name: `ToMany "Report" { inverse = "quake" }`.
final class RelationshipDraft: Bound {
  static let luaName = "Relationship"
  var place: String { relationship.isToMany ? "ToMany" : "ToOne" }

  /// The relationship, with an empty name.
  private(set) var relationship: Relationship

  private static let options: [(name: String, summary: String)] = [
    ("inverse", "The name of the inverse relationship."),
    ("unidirectional", "true if nothing is its inverse, even where something could be."),
    ("deleteRule", "The effect of deleting the owner on the related objects: noAction, nullify, cascade or deny."),
    ("transient", "true to keep it in memory only."), ("optional", "false if it must lead somewhere to save."),
    ("versionHashModifier", "A mark that distinguishes versions with the same storage."),
    ("renamingIdentifier", "The name in the earlier model."),
    ("userInfo", "A table of texts for programs."),
  ]
  private static let toManyOptions: [(name: String, summary: String)] = [
    ("ordered", "true to keep the order of the members."), ("minCount", "The fewest members."),
    ("maxCount", "The most members."),
  ]

  static var entries: [CatalogEntry] {
    CatalogEntry.options(
      of: "Relationship",
      example:
        #"Model { A = Entity { bs = ToMany "B" { deleteRule = "cascade" } }, B = Entity { a = ToOne "A" { inverse = "bs" } } }"#,
      options + toManyOptions)
  }

  /// Reads `ToOne "Quake"`.
  init(_ call: Call, toMany: Bool) throws {
    try call.refuseMore(than: 2)
    let destination = try call.string(1, "the name of an entity")
    relationship = toMany ? Relationship(toMany: "", destination) : Relationship(toOne: "", destination)
    if call.count == 2 { try read(call, 2) }
  }

  private init(_ relationship: Relationship) { self.relationship = relationship }

  func summary() -> String { "relationship to \(relationship.isToMany ? "many" : "one") \(relationship.destination)" }

  /// The same relationship with the options of a table.
  func with(_ call: Call) throws -> RelationshipDraft {
    let draft = RelationshipDraft(relationship)
    try draft.read(call, 1)
    return draft
  }

  private func read(_ call: Call, _ argument: Int32) throws {
    let allowed = Self.options + (relationship.isToMany ? Self.toManyOptions : [])
    let options = try call.options(argument, allowed.map(\.name))
    relationship.inverse = try options.string("inverse")
    relationship.deleteRule = try options.choice("deleteRule", DeleteRule.self) ?? .nullify
    relationship.isOptional = try options.bool("optional") ?? true
    relationship.isTransient = try options.bool("transient") ?? false
    relationship.isOrdered = try options.bool("ordered") ?? false
    relationship.minimumCount = try options.integer("minCount")
    relationship.maximumCount = try options.integer("maxCount")
    relationship.isUnidirectional = try options.bool("unidirectional") ?? false
    relationship.versionHashModifier = try options.string("versionHashModifier")
    relationship.renamingIdentifier = try options.string("renamingIdentifier")
    relationship.userInfo = try options.texts("userInfo")
  }
}

extension RelationshipDraft {
  static func luaClass(of engine: Engine) -> LuaClass<RelationshipDraft> {
    engine.classes.make(RelationshipDraft.self) { definition in
      definition.call { [unowned engine] draft, stack in
        let call = Call(engine: engine, stack: stack, owner: nil, name: draft.place)
        return try call.push(.object(try draft.with(call)))
      }
    }
  }
}
