import Modeling

/// Core Data's URLs of objects: `x-coredata://<store's UUID>/<entity>/p<key>`.
extension CoreDataStore {
  /// The URL of a saved object; nil for an object that was never saved.
  func uri(of id: ObjectID) -> String? {
    guard !id.isTemporary else { return nil }
    return "\(ObjectID.uriScheme)\(metadata.uuid)/\(id.entity.name)/p\(id.key)"
  }

  /// Returns the object ID for a URL, whether or not the object exists.
  ///
  /// - Throws: ObjectURIError for a URL that does not belong to this store.
  func objectID(uri: String, _ model: Model) throws(ObjectURIError) -> ObjectID {
    guard uri.hasPrefix(ObjectID.uriScheme) else { throw .malformed }
    let parts = uri.dropFirst(ObjectID.uriScheme.count).split(separator: "/", omittingEmptySubsequences: false).map(
      String.init)
    guard parts.count == 3 else { throw .malformed }
    let uuid = metadata.uuid
    guard parts[0].uppercased() == uuid.uppercased() else { throw .ofOtherStore(parts[0], own: uuid) }
    guard let entity = model.entity(named: parts[1]) else {
      throw .unknownEntity(parts[1], nearest: nearestName(to: parts[1], in: model.entities.map(\.name)))
    }
    if parts[2].hasPrefix("t") { throw .neverSaved }
    guard parts[2].hasPrefix("p"), let key = Int64(parts[2].dropFirst()) else { throw .malformed }
    return ObjectID(entity: entity, key: key)
  }
}
