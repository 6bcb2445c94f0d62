public import Modeling

/// Core Data's URLs of objects: `x-coredata://<store's UUID>/<entity>/p<key>`.
extension SQLiteStore {
  /// The Core Data part of the store; nil for other formats.
  private var coreData: CoreDataStore? { format as? CoreDataStore }

  /// The URL of a saved object; nil in stores of other kinds, and for objects that were never saved.
  public func uri(of id: ObjectID) -> String? {
    guard let coreData, !id.isTemporary else { return nil }
    return "\(ObjectID.uriScheme)\(coreData.metadata.uuid)/\(id.entity.name)/p\(id.key)"
  }

  /// Returns the object ID for a URL, whether or not the object exists.
  ///
  /// - Throws: ObjectURIError for a URL that does not belong to this store.
  public func objectID(uri: String) throws(ObjectURIError) -> ObjectID {
    guard let coreData else { throw .notCoreData }
    guard uri.hasPrefix(ObjectID.uriScheme) else { throw .malformed }
    let parts = uri.dropFirst(ObjectID.uriScheme.count).split(separator: "/", omittingEmptySubsequences: false).map(
      String.init)
    guard parts.count == 3 else { throw .malformed }
    let uuid = coreData.metadata.uuid
    guard parts[0].uppercased() == uuid.uppercased() else { throw .ofOtherStore(parts[0], own: uuid) }
    guard let entity = model.entity(named: parts[1]) else {
      throw .unknownEntity(parts[1], nearest: nearestName(to: parts[1], in: model.entities.map(\.name)))
    }
    if parts[2].hasPrefix("t") { throw .neverSaved }
    guard parts[2].hasPrefix("p"), let key = Int64(parts[2].dropFirst()) else { throw .malformed }
    return ObjectID(entity: entity, key: key)
  }
}
