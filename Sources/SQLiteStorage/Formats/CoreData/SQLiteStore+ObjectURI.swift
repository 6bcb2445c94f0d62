public import Modeling

/// Core Data's URLs of objects: `x-coredata://<store's UUID>/<entity>/p<key>`.
extension SQLiteStore {
  private static let scheme = "x-coredata://"
  /// The Core Data part of the store; nil for other formats.
  private var coreData: CoreDataStore? { format as? CoreDataStore }

  /// The URL of a saved object; nil in stores of other kinds, and for objects that were never saved.
  public func uri(of id: ObjectID) -> String? {
    guard let coreData, !id.isTemporary else { return nil }
    return "\(Self.scheme)\(coreData.metadata.uuid)/\(id.entity.name)/p\(id.key)"
  }

  /// Whether a text is such a URL, of any store.
  public static func isObjectURI(_ text: String) -> Bool { text.hasPrefix(scheme) }

  /// Returns the object ID for a URL, whether or not the object exists.
  ///
  /// - Throws: ObjectURIError for a URL that does not belong to this store.
  public func objectID(uri: String) throws(ObjectURIError) -> ObjectID {
    guard let coreData else { throw .notCoreData }
    guard uri.hasPrefix(Self.scheme) else { throw .malformed }
    let parts = uri.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false).map(
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

/// The reason why a URL identifies no object of a store.
public enum ObjectURIError: Error, Hashable, Sendable {
  /// The store is not a Core Data store.
  case notCoreData
  /// The URL is not `x-coredata://<store's UUID>/<entity>/p<key>`.
  case malformed
  /// The URL belongs to a store with another UUID.
  case ofOtherStore(String, own: String)
  case unknownEntity(String, nearest: String?)
  /// The URL is that of an unsaved object, which exists only within its program.
  case neverSaved
}
