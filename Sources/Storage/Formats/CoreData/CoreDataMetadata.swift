internal import AppleModels
import Modeling
import SQLite

/// What the one row of `Z_METADATA` says of a Core Data store.
struct CoreDataMetadata {
  /// The store's own identifier, the host of its objects' URLs.
  let uuid: String
  /// The version of the framework that wrote the store last; nil where it does not say.
  let frameworkVersion: Int?
  /// The entities of the model that the store was written with: those that have a hash; nil where there are no hashes.
  let entityNames: Set<String>?

  init(_ connection: Connection) throws(StoreError) {
    let row = try connection.all("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1").first
    uuid = if case .string(let text)? = row?[0] { text } else { "" }
    // A reader of our own: Foundation's makes a tree of what it reads, which few bytes can make endless.
    guard case .data(let bytes)? = row?[1], let list = try? BinaryPropertyList(bytes),
      let fields = list.fields(of: list.objects[list.root])
    else {
      (frameworkVersion, entityNames) = (nil, nil)
      return
    }
    frameworkVersion = if case .int(let number)? = fields["NSPersistenceFrameworkVersion"] { Int(number) } else { nil }
    let hashes = list.fields(of: fields["NSStoreModelVersionHashes"]) ?? [:]
    entityNames = hashes.isEmpty ? nil : Set(hashes.keys)
  }
}
