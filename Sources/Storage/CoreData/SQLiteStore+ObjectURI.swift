public import Modeling

/// The URLs by which Core Data knows objects: `x-coredata://<store's UUID>/<entity>/p<key>`.
extension SQLiteStore {
  private static let scheme = "x-coredata://"

  /// The URL of a saved object; nil in stores of other kinds, and for objects that were never saved.
  public func uri(of id: ObjectID) -> String? {
    guard let coreData, !id.isTemporary else { return nil }
    return "\(Self.scheme)\(coreData.metadata.uuid)/\(id.entity.name)/p\(id.key)"
  }

  /// Whether a text is such a URL, of whatever store.
  public static func isObjectURI(_ text: String) -> Bool { text.hasPrefix(scheme) }

  /// The object that a URL names; nil for a URL of another store, and for one of an entity that the model does not have.
  public func objectID(uri: String) -> ObjectID? {
    guard let coreData, uri.hasPrefix(Self.scheme) else { return nil }
    let parts = uri.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].uppercased() == coreData.metadata.uuid.uppercased(),
      let entity = model.entity(named: String(parts[1])), parts[2].first == "p", let key = Int64(parts[2].dropFirst())
    else { return nil }
    return ObjectID(entity: entity, key: key)
  }
}
