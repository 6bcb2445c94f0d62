internal import AppleModels
import Modeling

extension SQLiteStore {
  /// Encodes a value of a transformable attribute as the archive that its app reads.
  ///
  /// - Throws: StoreError, `.coreDataNotWritable` if only the app can apply its transformer.
  func archived(_ json: JSON, of column: ColumnLayout, _ entity: Entity) throws -> Value {
    guard column.encoding == .archive else {
      let layout = layout(of: entity)
      let place = layout.columns.firstIndex(of: column).map(PropertyLayout.column)
      let name = place.flatMap { layout.properties.firstIndex(of: $0) }.map { entity.properties[$0].name }
      throw StoreError(
        .coreDataNotWritable(.transformer(entity: entity.name, attribute: name ?? column.name)), path: path)
    }
    return .data(ArchivedValue.encode(json))
  }
}
