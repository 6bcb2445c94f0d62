internal import AppleModels
public import Modeling

extension SQLiteStore {
  /// A value as it was read from a column, opened: the data that stands in a file, what an archive holds.
  public func opened(_ value: Value, of column: ColumnLayout) -> Value {
    guard case .data(let bytes) = value else { return value }
    switch column.encoding {
    case .externalData:
      guard let externalData = format.dataFiles else { return value }
      return externalData.data(bytes).map(Value.data) ?? .null
    case .archive, .transformed:
      guard case .json(let json)? = ArchivedValue.decode(bytes) else { return value }
      return .json(json)
    case .plain, .referenceDate, .dateText, .uuidBytes, .real, .elements: return value
    }
  }

  /// Whether a value as it was read from a column names a file beside the store that is not there.
  package func isFileMissing(_ value: Value, of column: ColumnLayout) -> Bool {
    guard column.encoding == .externalData, case .data(let bytes) = value else { return false }
    return format.dataFiles?.isMissing(bytes) ?? false
  }
}
