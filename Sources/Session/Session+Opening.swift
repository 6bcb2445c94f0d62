package import LuaBindings
package import Modeling
internal import Stores

// What a run opens: data files, models and the project that a script belongs to.
extension Session {
  /// Opens a store in memory with the rows of data files, of which `path` is the first, and returns the status.
  package func openData(_ files: [DataFile], path: String?) -> Int32 {
    parts.title.data = (files.first.map { $0.label == $0.path ? FilePath.stem(of: $0.path) : "rows" }, path)
    return guarding {
      parts.console.reportsNewEntities = true
      defer { parts.console.reportsNewEntities = false }
      try engine.open(files)
      dryRun?.beginAgain()
    }
  }

  /// Opens an empty store in memory with a model.
  package func open(_ model: Model) throws {
    var options = StoreOptions(path: ":memory:")
    (options.create, options.model) = (true, model)
    try engine.open(options)
  }

  /// The model that a file describes, in a version of those that have several.
  package func loadModel(_ path: String, version: String? = nil) throws -> Model {
    guard path.hasSuffix(".lua") else { return try ModelLoader(engine).load(path, version: version) }
    sources.add(file: path)
    let values = try engine.run(try readFile(path), name: "@" + path)
    if let model = values.first.flatMap({ engine.model($0) }) ?? engine.model(global: "model") { return model }
    throw ModelMissing(path: path)
  }

  /// The model that the nearest `model.lua` gives; nil if there is none, or one that gives no model.
  package func projectModel(of file: String) throws -> Model? {
    guard let path = ProjectModel.path(of: file) else { return nil }
    do { return try loadModel(path) } catch is ModelMissing { return nil }
  }
}

/// A model file that returns no model.
private struct ModelMissing: ReportedError {
  var path: String

  var report: ErrorReport {
    ErrorReport(
      "model", "'\(path)' gives no model: it must return a Model, or make it the global 'model'",
      exitStatus: ExitStatus.unavailable)
  }
}
