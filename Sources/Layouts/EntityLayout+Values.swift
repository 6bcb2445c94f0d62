internal import AppleModels
public import Modeling

extension EntityLayout {
  /// The column of an attribute, or of a to-one relationship that holds a key; nil if the property has no single column
  /// to read.
  public func plainColumn(of property: Int) -> Int? {
    switch properties[property] {
    case .column(let column):
      switch columns[column].encoding {
      case .externalData, .elements: nil
      case .plain, .referenceDate, .dateText, .uuidBytes, .real, .archive, .transformed: column
      }
    case .reference(let columns, .key): columns.first
    case .reference, .inverse, .join, .none: nil
    }
  }

  /// Converts a value of a property's column to the property's value; for a to-one relationship, the object ID.
  /// `isStored` says whether the value is in the column's encoding, or already in the attribute's form.
  public func value(_ value: Value, of property: Int, in entity: Entity, isStored: Bool) -> Value {
    guard let column = plainColumn(of: property) else { return value }
    if case .reference = properties[property] {
      guard case .int(let key) = value else { return value }
      return .object(ObjectID(entity: entity.destination(at: property), key: key))
    }
    guard isStored else { return value }
    let value = columns[column].value(stored: value)
    guard columns[column].isArchive, case .data(let bytes) = value, case .json(let json)? = ArchivedValue.decode(bytes)
    else { return value }
    return .json(json)
  }
}
