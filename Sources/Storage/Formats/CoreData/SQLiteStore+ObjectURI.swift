public import Modeling

/// The URLs by which Core Data knows objects: `x-coredata://<store's UUID>/<entity>/p<key>`.
extension SQLiteStore {
  private static let scheme = "x-coredata://"
  /// What is particular to a store of Core Data's; nil for others.
  private var coreData: CoreDataStore? { format as? CoreDataStore }

  /// The URL of a saved object; nil in stores of other kinds, and for objects that were never saved.
  public func uri(of id: ObjectID) -> String? {
    guard let coreData, !id.isTemporary else { return nil }
    return "\(Self.scheme)\(coreData.metadata.uuid)/\(id.entity.name)/p\(id.key)"
  }

  /// Whether a text is such a URL, of whatever store.
  public static func isObjectURI(_ text: String) -> Bool { text.hasPrefix(scheme) }

  /// The object that a URL names, whether or not it is there.
  ///
  /// - Throws: ObjectURIError for a URL that names none of this store.
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

/// Why a URL names no object of a store.
public enum ObjectURIError: Error, Hashable, Sendable {
  /// The store is none of Core Data's.
  case notCoreData
  /// It is not `x-coredata://<store's UUID>/<entity>/p<key>`.
  case malformed
  /// It is of the store with another UUID than this one's.
  case ofOtherStore(String, own: String)
  case unknownEntity(String, nearest: String?)
  /// It is of an object that was not saved yet, which goes with its program.
  case neverSaved
}
