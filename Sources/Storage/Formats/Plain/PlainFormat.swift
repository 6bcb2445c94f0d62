/// Any SQLite file: the model is derived from its schema, and writes need no bookkeeping.
struct PlainFormat: StoreFormat {
  var kind: StoreKind { .sqlite }
  var leavesReferences: Bool { true }
  var dataFiles: ExternalData? { nil }
}
