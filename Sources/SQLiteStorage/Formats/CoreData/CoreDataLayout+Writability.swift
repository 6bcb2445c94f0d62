import Modeling
import SQLite

extension CoreDataLayout {
  /// The functions that triggers of Core Data stores may call and that every writing connection has.
  static let knownFunctions: Set<String> = [
    "NSCOREDATADATRIGGERUPDATEDAFFECTEDOBJECTVALUE", "NSCOREDATADATRIGGERINSERTUPDATEDAFFECTEDOBJECTVALUE",
  ]

  /// The differences between a given model and the file. Rows written by the model would lack its missing properties, and
  /// values that it takes for others would be overwritten.
  ///
  /// The comparison uses the model that the store keeps, or else the columns.
  private var difference: CoreDataObstacle? {
    let claims = placement.claims
    var expected: [String: CoreDataClaim] = [:]
    if let kept = placement.kept {
      expected = kept.claims
    } else {
      for column in placement.columnsOfProperties { expected[column] = claims[column] ?? .unknown }
    }
    let different = expected.filter { claims[$0.key] != $0.value }.keys.sorted()
    if !different.isEmpty { return .otherColumns(different) }
    let misled = placement.misledRelationships
    if !misled.isEmpty { return .otherColumns(misled) }
    return placement.ambiguities.first.map { .ambiguousColumns($0.columns, of: $0.properties) }
  }

  /// Notes for the user on columns that could belong to several properties.
  var ambiguityNotes: [String] {
    guard case .given = origin else { return [] }
    return placement.ambiguities.map { ambiguity in
      let (columns, properties) = (
        ambiguity.columns.joined(separator: ", "), ambiguity.properties.joined(separator: ", ")
      )
      return
        "The store keeps no model that tells which of \(properties) has which column of \(columns): they are given out "
        + "by name, which may be wrong, and the store is read-only."
    }
  }

  /// The reason why the store cannot be written by its model as its app would; nil if it can.
  func obstacle(_ connection: Connection) throws(StoreError) -> CoreDataObstacle? {
    if schema.tableNames.contains(where: { $0.hasPrefix("ANSCK") }) { return .cloudKit }
    let version = schema.metadata.frameworkVersion
    if version == nil { return .unknownFramework(nil, nil) }
    if case .tables = origin { return .noModel }
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
    if isOfLaterFramework, let novelty = try novelty(connection) { return .unknownFramework(version, novelty) }
    if let obstacle = try CoreDataWrites(CoreDataLinks(model, layouts), connection).obstacle { return obstacle }
    if case .given = origin { return difference }
    return nil
  }
}
