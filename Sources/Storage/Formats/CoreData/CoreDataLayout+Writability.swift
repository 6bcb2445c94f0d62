import Modeling

extension CoreDataLayout {
  /// The functions that triggers of Core Data stores may call and that every writing connection has.
  static let knownFunctions: Set<String> = [
    "NSCOREDATADATRIGGERUPDATEDAFFECTEDOBJECTVALUE", "NSCOREDATADATRIGGERINSERTUPDATEDAFFECTEDOBJECTVALUE",
  ]
  /// The first framework version whose stores may contain data that this program does not know.
  static let firstUnknownFramework = 1500

  /// Makes a store read-only if its rows cannot be written as its app would. `isOwnModel` says whether the model was
  /// more than a reading of the tables, `isGiven` whether it differs from `keptModel`, the model that the store keeps.
  func checkWritable(
    isOwnModel: Bool, isGiven: Bool, keptModel: Model?, path: String
  ) throws(StoreError) {
    if let obstacle = obstacle(isOwnModel: isOwnModel) ?? (isGiven ? difference(from: keptModel) : nil) {
      throw StoreError(.coreDataNotWritable(obstacle), path: path)
    }
  }

  /// The content of the file that the model lacks or describes differently: rows written by the model would lack it.
  ///
  /// The comparison uses the model that the store keeps, or else the columns.
  private func difference(from keptModel: Model?) -> CoreDataObstacle? {
    let claims = placement.claims
    var expected: [String: CoreDataClaim] = [:]
    if let keptModel {
      var kept = CoreDataPlacement(keptModel, schema)
      kept.place()
      expected = kept.claims
    } else {
      for column in placement.columnsOfProperties { expected[column] = claims[column] ?? .unknown }
    }
    let different = expected.filter { claims[$0.key] != $0.value }.keys.sorted()
    return different.isEmpty ? nil : .otherColumns(different)
  }

  /// The reason why the store cannot be written by its model; nil if it can.
  func obstacle(isOwnModel: Bool) -> CoreDataObstacle? {
    if schema.tableNames.contains(where: { $0.hasPrefix("ANSCK") }) { return .cloudKit }
    guard let version = schema.metadata.frameworkVersion, version < Self.firstUnknownFramework else {
      return .unknownFramework(schema.metadata.frameworkVersion)
    }
    if !isOwnModel { return .noModel }
    let wanted = Set(model.entities.map(\.name))
    if let stored = schema.metadata.entityNames, stored != wanted {
      return .otherModel(missing: stored.subtracting(wanted).sorted(), unknown: wanted.subtracting(stored).sorted())
    }
    for (name, sql) in schema.triggers.sorted(by: { $0.key < $1.key }) {
      let calls = sql.matches(of: /NSCoreData[A-Za-z0-9_]*/.ignoresCase())
      if let unknown = calls.first(where: { !Self.knownFunctions.contains($0.output.uppercased()) }) {
        return .unknownFunction(String(unknown.output), trigger: name)
      }
    }
    return nil
  }
}
