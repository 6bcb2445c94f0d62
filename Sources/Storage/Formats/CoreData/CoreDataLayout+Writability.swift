import Modeling

extension CoreDataLayout {
  /// The functions that triggers of Core Data stores call and that writing connections have.
  static let knownFunctions: Set<String> = [
    "NSCOREDATADATRIGGERUPDATEDAFFECTEDOBJECTVALUE", "NSCOREDATADATRIGGERINSERTUPDATEDAFFECTEDOBJECTVALUE",
  ]
  /// The first version of the framework that may store what this one does not know.
  static let firstUnknownFramework = 1500

  /// Refuses a store whose rows cannot be written as its app would; `isOwnModel` is whether the model is more than what
  /// its tables tell, `isGiven` whether it is another than the one that the store keeps, which is `keptModel`.
  func checkWritable(
    isOwnModel: Bool, isGiven: Bool, keptModel: Model?, path: String
  ) throws(StoreError) {
    if let obstacle = obstacle(isOwnModel: isOwnModel) ?? (isGiven ? difference(from: keptModel) : nil) {
      throw StoreError(.coreDataNotWritable(obstacle), path: path)
    }
  }

  /// What of the file the model does not know, or takes for something else: rows written by it would lack that.
  ///
  /// The model that the store keeps tells what there is; where there is none, the columns do.
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

  /// What keeps the store from being written by its model.
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
