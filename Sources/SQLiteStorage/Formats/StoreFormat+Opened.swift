internal import AppleModels
import Modeling

extension StoreFormat {
  /// Opens a value that was read from a column: reads external data, or decodes an archive.
  func opened(_ value: Value, of column: ColumnLayout) -> Value {
    guard case .data(let bytes) = value else { return value }
    switch column.encoding {
    case .externalData:
      guard let externalData = dataFiles else { return value }
      return externalData.data(bytes).map(Value.data) ?? .null
    case .archive, .transformed:
      guard case .json(let json)? = ArchivedValue.decode(bytes) else { return value }
      return .json(json)
    case .plain, .referenceDate, .dateText, .uuidBytes, .real, .elements: return value
    }
  }

  /// Whether a value that was read from a column names a missing external file.
  func isFileMissing(_ value: Value, of column: ColumnLayout) -> Bool {
    guard column.encoding == .externalData, case .data(let bytes) = value else { return false }
    return dataFiles?.isMissing(bytes) ?? false
  }
}
