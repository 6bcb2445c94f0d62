internal import Modeling

/// The functions that act on the store of the globals.
enum MainStoreFunctions {
  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "save", "save([{ author = , dryRun = }])", "Saves the changes of the context of the environment: `context:save`.",
      sandbox: .allowed, example: #"save { author = "me" }"#
    ) { call in
      try call.engine.globals.context(call).save(call)
    },
    GlobalFunction(
      "rollback", "rollback()", "Drops the unsaved changes of the context of the environment.", sandbox: .allowed,
      example: "rollback()"
    ) { call in
      let context = try call.engine.globals.context(call).objectContext
      try context.checkNotSaving()
      context.rollback()
      return .nothing
    },
    GlobalFunction(
      "undo", "undo() -> boolean", "Undoes the last changes of the context of the environment: `context:undo`.",
      sandbox: .allowed, example: "undo()"
    ) {
      call in
      try call.engine.globals.context(call).undo(call)
    },
    GlobalFunction(
      "redo", "redo() -> boolean", "Redoes the changes undone last: `context:redo`.", sandbox: .allowed,
      example: "redo()"
    ) { call in
      try call.engine.globals.context(call).redo(call)
    },
  ]
}
