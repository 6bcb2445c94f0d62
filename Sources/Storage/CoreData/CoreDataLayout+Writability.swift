import Modeling

extension CoreDataLayout {
  /// The functions that triggers of Core Data stores call and that writing connections have.
  static let knownFunctions: Set<String> = [
    "NSCOREDATADATRIGGERUPDATEDAFFECTEDOBJECTVALUE", "NSCOREDATADATRIGGERINSERTUPDATEDAFFECTEDOBJECTVALUE",
  ]
  /// Versions of the framework from here on may keep what nobody here knows of.
  static let firstUnknownFramework = 1500

  /// Refuses a store whose rows cannot be written as its app would; `isOwnModel` is whether the model is more than what
  /// its tables tell.
  func checkWritable(isOwnModel: Bool, path: String) throws(StoreError) {
    if let obstacle = obstacle(isOwnModel: isOwnModel) { throw StoreError(.coreDataNotWritable(obstacle), path: path) }
  }

  private func obstacle(isOwnModel: Bool) -> CoreDataObstacle? {
    if schema.tableNames.contains(where: { $0.hasPrefix("ANSCK") }) { return .cloudKit }
    guard let version = schema.metadata.frameworkVersion, version < Self.firstUnknownFramework else {
      return .unknownFramework(schema.metadata.frameworkVersion)
    }
    if !isOwnModel { return .noModel }
    let (stored, wanted) = (Set(schema.metadata.versionHashes.keys), Set(model.entities.map(\.name)))
    if stored != wanted {
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
