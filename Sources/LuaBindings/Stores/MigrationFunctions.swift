internal import LuaRuntime
internal import Modeling
internal import Stores

/// Migrations in scripts: the options of `open`, and rehearsals.
enum MigrationFunctions {
  static let options: [(name: String, summary: String)] = [
    (
      "migrate",
      "A function(old, new) that migrates data the engine cannot infer, or true to lose what the model has no place for."
    ),
    ("stages", "A list of { from = model, to = model, migrate = function(old, new) } from version to version."),
    ("backup", "false to make no copy of the file before it is migrated."),
  ]

  /// Reads the migration options of `open`.
  static func read(_ options: Options, into store: inout StoreOptions) throws {
    (store.migrate, store.permitsLosses) = try permission(options)
    store.stages = try stages(options)
    store.backsUp = try options.bool("backup") ?? true
    if store.model == nil { store.model = store.stages.last?.to }
  }

  /// `store:migrationPlan(model, { stages = , migrate = })`
  static func plan(_ call: Call, _ store: BoundStore) throws -> ReturnValue {
    try store.checkOpen(call)
    guard let model = call.engine.classes.object(BoundModel.self, at: call.index(1), on: call.stack) else {
      throw call.expected("a Model", 1)
    }
    let options = try call.options(2, ["stages", "migrate"])
    let (migrate, permitsLosses) = try permission(options)
    let report = try store.objectStore.rehearseMigration(
      to: model.model, stages: stages(options), permitsLosses: permitsLosses, migrate: migrate)
    return .object(BoundMigrationPlan(report))
  }

  /// `new:counterpart(object)`
  static func counterpart(_ call: Call, _ store: BoundStore) throws -> ReturnValue {
    try store.checkOpen(call)
    guard let migration = store.migration else {
      throw call.fail("the store is not being migrated: it is the second argument of a function that migrates")
    }
    guard let (object, context) = call.engine.values.objectAndContext(at: call.index(1), on: call.stack),
      context.store.objectStore === migration.old
    else { throw call.expected("an object of the old store", 1) }
    let id = migration.counterpart(of: object.objectID)
    guard let id, let object = try store.mainContext.objectContext.existingObject(id) else { return .luaNil }
    return .managedObject(object, store.mainContext)
  }

  private static func stages(_ options: Options) throws -> [MigrationStage] {
    let call = options.call
    let stages = try options.with("stages") { index in
      try call.stack.elements(at: index) { element in
        guard call.stack.type(at: element) == .table else {
          throw options.expected("a list of { from = , to = , migrate = }", "stages", element)
        }
        let stage = try Options(call: call, index: element, allowed: ["from", "to", "migrate"])
        let (migrate, permitsLosses) = try permission(stage)
        var read = MigrationStage(from: try model(stage, "from"), to: try model(stage, "to"), migrate: migrate)
        read.permitsLosses = permitsLosses
        return read
      } ?? { throw options.expected("a list of { from = , to = , migrate = }", "stages", index) }()
    }
    return stages ?? []
  }

  private static func model(_ options: Options, _ name: String) throws -> Model {
    let call = options.call
    let model = try options.with(name) { index in
      guard let model = call.engine.classes.object(BoundModel.self, at: index, on: call.stack) else {
        throw options.expected("a Model", name, index)
      }
      return model.model
    }
    guard let model else { throw ScriptError("\(call.place): stages", .missing(name)) }
    return model
  }

  /// What `migrate` says: a function, or that a migration may lose what the model has no place for.
  private static func permission(
    _ options: Options
  ) throws -> (migrate: ((Migration) throws -> Void)?, permitsLosses: Bool) {
    let call = options.call
    return try options.with("migrate") { index in
      switch call.stack.type(at: index) {
      case .function: (permittedMigration(call.stack.reference(at: index), call), true)
      case .boolean: (nil, try options.bool("migrate") ?? false)
      default: throw options.expected("a function(old, new), or true", "migrate", index)
      }
    } ?? (nil, false)
  }

  /// Returns a migration function that calls a script's function with the old and the new store, and saves its changes.
  private static func permittedMigration(_ function: LuaReference, _ call: Call) -> (Migration) throws -> Void {
    { [engine = call.engine, stack = call.stack] migration in
      let (old, new) = (BoundStore(engine, migration.old), BoundStore(engine, migration.new))
      new.migration = migration
      (old.isBeingMigrated, new.isBeingMigrated) = (true, true)
      defer {
        new.migration = nil
        old.retire()
        new.retire()
      }
      stack.reserve(6)
      stack.push(function)
      engine.classes.push(old, on: stack)
      engine.classes.push(new, on: stack)
      try stack.call(arguments: 2)
      try new.mainContext.objectContext.save()
    }
  }
}

/// The report of a rehearsed migration, in Lua.
final class BoundMigrationPlan: Bound {
  static let luaName = "MigrationPlan"
  var place: String { "plan" }

  private let report: MigrationReport

  init(_ report: MigrationReport) { self.report = report }

  func summary() -> String { report.description }

  static let members: [Member<BoundMigrationPlan>] = [
    .property("steps", "plan.steps -> list", "The steps of the migration, as texts.", sandbox: .allowed) { _, plan in
      .texts(plan.report.steps.map(\.description))
    },
    .property(
      "obstacles", "plan.obstacles -> list", "The reasons why it is refused; empty if it is not.", sandbox: .allowed
    ) {
      _, plan in
      .texts(plan.report.obstacles)
    },
    .property(
      "losses", "plan.losses -> list", "The data that the model has no place for, which `migrate` permits to lose.",
      sandbox: .allowed
    ) {
      _, plan in
      .texts(plan.report.losses)
    },
  ]
}
