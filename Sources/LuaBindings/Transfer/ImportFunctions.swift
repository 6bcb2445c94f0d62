internal import LuaRuntime
internal import Modeling
internal import Stores
internal import Transfer

/// `import(Entity, file, { map = , upsert = , null = , unresolved = , mode = })`
///
/// Imports a file of rows in one transaction. `map` gives the destination of each column; Examples/flights/import.lua
/// shows all of it. With the name of a new entity, the import creates the entity.
enum ImportFunctions {
  private static let options = ["map", "upsert", "null", "unresolved", "mode"]

  static let entries = CatalogEntry.options(
    of: "import", example: #"export(Quake, "q.csv", { force = true }) import(Quake, "q.csv", { upsert = "code" })"#,
    [
      ("map", "Where each column goes: `column = \"attribute\"`, `\"toOne.attribute\"`, a list of both, or false."),
      ("upsert", "The unique attribute that identifies the object a row updates."),
      ("null", "The text, or a list of texts, that means nil in the file."),
      ("unresolved", "\"nil\" leaves a to-one empty when no object has the value; else the file is refused."),
      ("mode", "\(DataFile.Format.list("or")), where the name of the file does not say it."),
    ])

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "import", "import(Entity, file [, { map = , upsert = , null = , unresolved = }]) -> { inserted = , updated = }",
      "Imports a file of rows (\(DataFile.Format.list("and")), also as .gz), all of it or nothing; a new name creates the entity.",
      sandbox: .noFiles,
      example: #"export(Quake, "q.csv", { force = true }) import(Quake, "q.csv", { upsert = "code" })"#
    ) { call in
      let path = try call.fileName(2, "the name of a file")
      let options = try call.options(3, options)
      let file = DataFile(path, format: try options.choice("mode", DataFile.Format.self))
      guard file.format != nil || DataFile.isNamed(path) else {
        let formats = DataFile.Format.list("or", dot: ".")
        throw call.fail(
          "'\(path)' does not say its format; end it in \(formats), or give a mode\(DataFile.Format.hint(for: path))")
      }
      guard let entity = try entity(call) else {
        return answer(try call.engine.stores.importIntoNewEntity(try call.string(1), file, options))
      }
      try entity.context.checkOpen(call.place)
      let job = try ImportJob(call, entity, file, options)
      let report = try job.run()
      entity.context.store.refreshAllObjects()
      return answer(report)
    }
  ]

  /// The entity to import into; nil if the name is that of a new one.
  private static func entity(_ call: Call) throws -> BoundEntity? {
    guard call.type(1) == .string else { return try call.entity(1) }
    let context = try call.engine.globals.context(call)
    return context.store.objectStore.model.entity(named: try call.string(1)).map { context.entity($0) }
  }

  private static func answer(_ report: ImportReport) -> ReturnValue {
    let counts = [("inserted", report.inserted), ("updated", report.updated), ("unresolved", report.missingReferences)]
    return .record(counts.filter { $0.1 > 0 || $0.0 == "inserted" }.map { ($0.0, .integer($0.1)) })
  }
}
