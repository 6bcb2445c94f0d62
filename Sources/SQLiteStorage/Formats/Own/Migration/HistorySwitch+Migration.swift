import Modeling
import SQLite

// Carrying a history through a migration, within the caller's transaction.
extension HistorySwitch {
  /// Drops the triggers of tables that a migration rewrites.
  func suspend() throws(StoreError) { try dropTriggers() }

  /// Creates the triggers again for the new model.
  func resume(_ plan: MigrationPlan, _ layout: ModelLayout, _ shifts: KeyShifts) throws(StoreError) {
    guard let old = try names() else { return }
    for entity in plan.matching.old.entities {
      guard let heir = plan.matching.result(of: entity), let number = old.number(of: entity),
        case let offset = shifts.offset(from: entity, to: heir), offset != 0
      else { continue }
      try connection.run(
        "UPDATE \(HistoryTables.change) SET key = key + ? WHERE entity = ?", [.int(offset), .int(Int64(number))])
    }
    let names = old.migrated(by: plan, to: layout.model)
    if names.isOn { try makeTriggers(layout, names) }
    try write(names)
  }
}
