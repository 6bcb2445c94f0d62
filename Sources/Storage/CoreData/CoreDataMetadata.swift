import Foundation
import Modeling

/// What the one row of `Z_METADATA` says of a Core Data store.
struct CoreDataMetadata {
  /// The store's own identifier, the host of its objects' URLs.
  let uuid: String
  /// The version of the framework that wrote the store last; nil where it does not say.
  let frameworkVersion: Int?
  /// The hash of each entity of the model that the store was written with.
  let versionHashes: [String: [UInt8]]
  /// What the app called its model.
  let versionIdentifiers: [String]

  init(_ connection: Connection) throws(StoreError) {
    let row = try connection.all("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1").first
    uuid = if case .string(let text)? = row?[0] { text } else { "" }
    var fields: [String: Any] = [:]
    if case .data(let bytes)? = row?[1] {
      let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      fields = list as? [String: Any] ?? [:]
    }
    frameworkVersion = fields["NSPersistenceFrameworkVersion"] as? Int
    let hashes = fields["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    versionHashes = hashes.mapValues { [UInt8]($0) }
    versionIdentifiers = (fields["NSStoreModelVersionIdentifiers"] as? [String] ?? []).filter { !$0.isEmpty }
  }
}
