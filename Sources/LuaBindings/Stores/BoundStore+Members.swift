internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Stores

// The members of a store.
extension BoundStore {
  static let members: [Member<BoundStore>] = [
    .property("path", "store.path -> string", "The file, or `:memory:`.", sandbox: .allowed) { call, store in
      .text(store.objectStore.path)
    },
    .property(
      "kind", "store.kind -> string", "`perilune` (made here), `sqlite` (any other file), `coredata` or `postgresql`.",
      sandbox: .allowed
    ) {
      call, store in
      .text(store.objectStore.kind.rawValue)
    },
    .property("isReadOnly", "store.isReadOnly -> boolean", "Whether every write is refused.", sandbox: .allowed) {
      call, store in
      .boolean(store.objectStore.isReadOnly)
    },
    .property("isClosed", "store.isClosed -> boolean", "Whether the store was closed.", sandbox: .allowed) {
      call, store in
      .boolean(store.isClosed)
    },
    .property("model", "store.model -> model", "The model of the store.", sandbox: .allowed) { call, store in
      .object(BoundModel(store.objectStore.model))
    },
    .property("notes", "store.notes -> list", "Notes on how the file was read.", sandbox: .allowed) { call, store in
      .value(.list(store.objectStore.notes.map(Value.string)))
    },
    .property(
      "entities", "store.entities.Name -> entity", "The entities of the main context, by name.", sandbox: .allowed
    ) {
      call, store in
      .object(EntityList(store.mainContext))
    },
    .property("context", "store.context -> context", "The main context.", sandbox: .allowed) { call, store in
      .object(store.mainContext)
    },
    .method(
      "newContext", "store:newContext([options]) -> context",
      "Another context on the store, with objects and changes of its own; options are properties to set.",
      sandbox: .allowed, example: "()"
    ) { call, store in
      try store.checkOpen(call)
      return .object(try store.newContext().configured(call))
    },
  ]

  static let fileMembers: [Member<BoundStore>] = [
    .method(
      "migrationPlan", "store:migrationPlan(model [, { stages = , migrate = }]) -> plan",
      "What opening the store with another model would do, tested on a copy.", sandbox: .allowed,
      example: "(store.model)"
    ) { call, store in try MigrationFunctions.plan(call, store) },
    .method(
      "counterpart", "new:counterpart(object) -> object or nil",
      "The object in the new store for one of the old store; only in a migration function.", sandbox: .allowed,
      example:
        "-- in open(path, { model = new, migrate = function(old, new) print(new:counterpart(old.entities.Quake:first())) end })"
    ) { call, store in try MigrationFunctions.counterpart(call, store) },
    .property(
      "migration", "store.migration -> plan", "The migration done when the store was opened, or nil.", sandbox: .allowed
    ) {
      call, store in
      guard let report = store.objectStore.migration else { return .luaNil }
      return .object(BoundMigrationPlan(report))
    },
    .method(
      "close", "store:close()", "Closes the file; unsaved changes are lost.", sandbox: .allowed,
      example: #"open(":memory:", { model = store.model }):close()"#
    ) { call, store in
      if store.isBeingMigrated { throw call.fail("the store is being migrated") }
      try store.checkOwn(call.place)
      try store.checkNotSaving()
      store.close()
      return .nothing
    },
    .method(
      "backup", "store:backup \"copy.sqlite\"", "Copies the store, a file or one in memory, to a new file.",
      sandbox: .noFiles,
      example: #"("copy.sqlite")"#
    ) { call, store in
      try store.checkOpen(call)
      let path = try call.fileName(1, "the path of the copy")
      try store.objectStore.require(.backup)
      if let note = call.engine.host.wouldWriteFile, call.engine.options.isDryRun {
        note(path)
      } else {
        try store.objectStore.backup(to: path)
      }
      return .nothing
    },
    .method(
      "sql", "store:sql(sql, ...) -> rows",
      "Runs SQL with values for its `?`; returns the rows of the last statement as tables.", sandbox: .allowed,
      example: #"("SELECT count(*) AS n FROM quake WHERE magnitude > ?", 3)"#
    ) { call, store in
      try store.checkOpen(call)
      return try store.runSQL(call)
    },
  ]

  private func runSQL(_ call: Call) throws -> ReturnValue {
    let text = try call.string(1, "a string of SQL")
    let arguments = try (2..<max(call.count, 1) + 1).map { number -> Value in
      guard let value = try engine.values.value(at: call.index(number), on: call.stack, place: call.place) else {
        throw call.expected("a value", number)
      }
      return value
    }
    let cursor = try mainContext.objectContext.attributed { try approvedSQL(call.place, text, arguments) }
    do {
      defer { cursor.close() }
      try call.pushRows(of: cursor)
    } catch {
      noticeRemoteWrites()
      throw error
    }
    return .pushed(1)
  }
}
