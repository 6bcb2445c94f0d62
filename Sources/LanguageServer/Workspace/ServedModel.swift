/// What documents are checked against, as the command line says it; without a store and a model, what their project has.
package struct ServedModel {
  /// The file or the address of a store, which is only read.
  package var storePath: String?
  /// The file of a model.
  package var modelPath: String?
  /// The version to read of a model that has several.
  package var modelVersion: String?

  /// Whether values of the store are shown and offered.
  package var showsValues = true
  /// Whether the number of objects is shown behind each predicate.
  package var showsCounts = false

  package init(store: String?, model: String?, version: String?) {
    (storePath, modelPath, modelVersion) = (store, model, version)
  }

  var isNamed: Bool { storePath != nil || modelPath != nil }
}
