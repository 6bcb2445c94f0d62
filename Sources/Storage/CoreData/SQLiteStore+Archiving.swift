internal import AppleModels
import Modeling

extension SQLiteStore {
  /// The names of the transformers whose work is known: a keyed archive of Foundation's classes.
  private static let archivers: Set<String> = [
    "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
    "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
  ]

  /// A value of a transformable attribute as the archive that its app reads.
  ///
  /// - Throws: StoreError, `.coreDataNotWritable` where only the app knows what its transformer makes of a value.
  func archived(_ json: JSON, of column: ColumnLayout, _ entity: Entity) throws -> Value {
    let layout = layout(of: entity)
    let place = layout.columns.firstIndex(of: column).map(PropertyLayout.column)
    let index = place.flatMap { layout.properties.firstIndex(of: $0) }
    let attribute = index.flatMap { entity.properties[$0].attribute }
    let transformer = attribute?.valueTransformerName ?? ""
    guard transformer.isEmpty || Self.archivers.contains(transformer)
    else {
      throw StoreError(
        .coreDataNotWritable(.transformer(entity: entity.name, attribute: attribute?.name ?? column.name)), path: path)
    }
    return .data(ArchivedValue.encode(json))
  }
}
