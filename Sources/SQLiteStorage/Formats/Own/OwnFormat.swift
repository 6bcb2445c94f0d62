import Layouts
import Modeling
import SQLite

/// Perilune's own format: tables are created and migrated by the model, and the file keeps our history and journal.
struct OwnFormat: StoreFormat {
  var kind: StoreKind { .perilune }
  var keepsOurBooks: Bool { true }
  var declaresSchema: Bool { true }
  var dataFiles: ExternalData? { nil }

  func computedColumns(of layout: EntityLayout) -> [String] {
    layout.columns.filter { !$0.isWritable }.map { asciiLowercased($0.name) }
  }

  func isHistoryEnabled(in store: SQLiteStore) throws -> Bool {
    try HistorySwitch(store.connection).names()?.isOn ?? false
  }

  func setHistoryEnabled(_ isEnabled: Bool, in store: SQLiteStore) throws {
    guard try isHistoryEnabled(in: store) != isEnabled else { return }
    try store.transaction {
      let control = HistorySwitch(store.connection)
      if isEnabled { try control.turnOn(ModelLayout(layoutsOf: store.model)) } else { try control.turnOff() }
    }
  }

  func history(of store: SQLiteStore) throws -> any StoreHistory { try store.historyReader() }

  func isUsualTrigger(_ name: String, _ sql: String, in store: SQLiteStore) throws -> Bool {
    try ModelLayout(store.model).schema.tables.contains { $0.triggers.contains { $0.name == name } }
  }

  func describe(_ store: SQLiteStore, in description: inout FormatDescription) throws {
    let metadata = try StoreMetadata(store.connection)
    (description.uuid, description.formatVersion) = (metadata.uuid.uuidString, metadata.version)
  }
}

extension OwnFormat {
  func add(
    _ description: EntityDescription, to store: SQLiteStore
  ) throws -> (model: Model, layouts: [Entity: EntityLayout])? {
    let connection = store.connection
    let model = try store.model.adding(description)
    let layout = try ModelLayout(model)
    guard let entity = model.entity(named: description.name),
      let table = layout.schema.table(layout.tableName(of: entity))
    else { return nil }
    let history = HistorySwitch(connection)
    try history.suspend()
    try connection.execute(table.createStatement)
    for index in table.indexes { try connection.execute(index.createStatement) }
    for trigger in table.triggers { try connection.execute(trigger.sql) }
    try history.resume(MigrationPlan(from: store.model, to: model), layout, KeyShifts())
    var metadata = try StoreMetadata(connection)
    metadata.model = model.encoded()
    try metadata.write(connection)
    return (model, layout.layouts)
  }
}
