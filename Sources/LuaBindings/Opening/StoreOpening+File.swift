internal import Foundation
internal import SQLiteStorage
internal import Stores

extension StoreOpening {
  /// Files of SQLite, whichever program made them, and stores in memory.
  static var file: StoreOpening {
    StoreOpening(
      takes: { _ in true }, refusalInSandbox: "scripts have no files in it; ':memory:' is a store without one",
      copyBeforeLosses: " and keeps a copy of the file", isAddress: false,
      examine: { StoreDiagnosis(path: $0, isInterrupted: $1) }
    ) { options, engine in
      var options = options
      // A file that is not there must not be there after a dry run either.
      if options.isRehearsal, options.create, !FileManager.default.fileExists(atPath: options.path) {
        options.path = ":memory:"
      }
      let store = try tellingMigration(&options, engine) { try SQLiteStore($0) }
      store.measuresWork = { [weak engine] in engine?.host.onWait != nil }
      return store
    }
  }

  /// Opens a store whose migration, if it needs one, is shown as progress.
  private static func tellingMigration(
    _ options: inout StoreOptions, _ engine: Engine, _ open: (StoreOptions) throws -> SQLiteStore
  ) throws -> SQLiteStore {
    guard let onProgress = engine.host.onProgress else { return try open(options) }
    let name = options.path.split(separator: "/").last.map(String.init) ?? options.path
    var label = "migrate \(name)"
    options.onMigrationProgress = { progress in
      if progress.stageCount > 1 { label = "migrate \(name), stage \(progress.stage) of \(progress.stageCount)" }
      onProgress(
        TransferProgress(label: label, rows: progress.rows, bytes: 0, totalRows: progress.expectedRows))
    }
    defer { onProgress(TransferProgress(label: label, rows: 0, bytes: 0, isFinished: true)) }
    return try open(options)
  }
}
