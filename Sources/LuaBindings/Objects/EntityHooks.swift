internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

/// The methods of an entity that the engine calls: `function Quake:willSave() ... end`.
///
/// As with all methods, a subentity inherits those of its ancestors unless it defines its own.
struct EntityHooks {
  let awakeFromInsert: LuaReference?
  let prepareForDeletion: LuaReference?
  let willSave: LuaReference?
  let didSave: LuaReference?
  /// `validateForInsert`, `validateForUpdate` and `validateForDelete`.
  private let insertRule: LuaReference?
  private let updateRule: LuaReference?
  private let deleteRule: LuaReference?
  /// `Quake.validate`, which `object:validate()` calls after the model's rules.
  private let rule: LuaReference?
  /// `validateMagnitude` of the property `magnitude`, by index.
  let propertyRules: [(property: Int, function: LuaReference)]

  init(_ entity: BoundEntity) {
    awakeFromInsert = entity.scriptMethod("awakeFromInsert")
    prepareForDeletion = entity.scriptMethod("prepareForDeletion")
    willSave = entity.scriptMethod("willSave")
    didSave = entity.scriptMethod("didSave")
    insertRule = entity.scriptMethod("validateForInsert")
    updateRule = entity.scriptMethod("validateForUpdate")
    deleteRule = entity.scriptMethod("validateForDelete")
    rule = entity.scriptMethod("validate")
    propertyRules = entity.entity.properties.enumerated().compactMap { index, property in
      let name = "validate" + property.name.prefix(1).uppercased() + property.name.dropFirst()
      return entity.scriptMethod(name).map { (index, $0) }
    }
  }

  /// Their help entries.
  static let entries: [CatalogEntry] = [
    entry(
      "awakeFromInsert", "()", "Called for a new object that has its defaults, before it gets the values of its table."),
    entry("prepareForDeletion", "()", "Called before an object is deleted, by itself or by a delete rule."),
    entry("willSave", "()", "Called for each changed object before a save; its own changes are saved, too."),
    entry("didSave", "()", "Called for each saved object; its own changes stay unsaved."),
    entry(
      "validate", "()",
      "Called by a save and by object:validate(); it rejects the object by an error, or by false and a message."),
    entry("validateForInsert", "()", "Like validate, for objects that are new."),
    entry("validateForUpdate", "()", "Like validate, for objects that have a row."),
    entry("validateForDelete", "()", "Like validate, before a row is deleted."),
    entry("validateProperty", "(value)", "Like validate, for one property: validateMagnitude for magnitude."),
  ]

  private static func entry(_ name: String, _ arguments: String, _ summary: String) -> CatalogEntry {
    CatalogEntry(
      kind: .method, owner: "Hook", name: name, signature: "function Entity:\(name)\(arguments) ... end",
      summary: summary, example: "function Quake:\(name)\(arguments) print(self.code) end")
  }

  /// Whether a name may be that of a hook.
  static func mayBe(_ name: String) -> Bool {
    name.hasPrefix("validate") || ["awakeFromInsert", "prepareForDeletion", "willSave", "didSave"].contains(name)
  }

  /// Whether any hook validates objects before a save.
  var validates: Bool {
    !propertyRules.isEmpty || [insertRule, updateRule, deleteRule, rule].contains { $0 != nil }
  }

  /// The rules for a whole object.
  func objectRules(_ occasion: ValidationOccasion) -> [LuaReference] {
    switch occasion {
    case .insert: [rule, insertRule].compactMap(\.self)
    case .update: [rule, updateRule].compactMap(\.self)
    case .delete: [deleteRule].compactMap(\.self)
    }
  }
}
