extension BinaryPropertyList {
  /// The fields of a dictionary by their names; nil for an object that is none, or has keys that are no texts.
  ///
  /// ```swift
  /// let list = try BinaryPropertyList(bytes)
  /// list.fields(of: list.objects[list.root])?["NSStoreType"]     // .string("SQLite")
  /// ```
  public func fields(of object: Object?) -> [String: Object]? {
    guard case .dictionary(let entries)? = object else { return nil }
    var fields: [String: Object] = [:]
    for entry in entries {
      guard case .string(let key) = objects[entry.key] else { return nil }
      fields[key] = objects[entry.value]
    }
    return fields
  }
}
