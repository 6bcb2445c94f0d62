/// Any SQLite file: the model is read off its schema, and what it does at a write is its own affair.
struct PlainFormat: StoreFormat {
  var kind: StoreKind { .sqlite }
  var leavesReferences: Bool { true }
  var dataFiles: ExternalData? { nil }
}
