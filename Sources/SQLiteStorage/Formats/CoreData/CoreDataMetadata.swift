internal import AppleModels
import Modeling
import SQLite

/// The content of the single row of `Z_METADATA` in a Core Data store.
struct CoreDataMetadata {
  /// The store's own identifier, which is the host of its objects' URLs.
  let uuid: String
  /// The version of the framework that wrote the store last; nil if it is not recorded.
  let frameworkVersion: Int?
  /// The entities with a version hash, which are those of the model that wrote the store; nil if there are no hashes.
  let entityNames: Set<String>?
  /// The version of the form that the hashes have; nil if it is not recorded.
  let hashesVersion: Int?
  /// Whether each hash has the length of those of all versions.
  let hasUsualHashes: Bool

  init(_ connection: Connection) throws(StoreError) {
    let row = try connection.all("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1").first
    uuid = if case .string(let text)? = row?[0] { text } else { "" }
    // This uses our own reader: Foundation builds a tree of the property list, which a few bytes can make endless.
    guard case .data(let bytes)? = row?[1], let list = try? BinaryPropertyList(bytes),
      let fields = list.fields(of: list.objects[list.root])
    else {
      (frameworkVersion, entityNames, hashesVersion, hasUsualHashes) = (nil, nil, nil, false)
      return
    }
    func number(_ field: String) -> Int? {
      if case .int(let number)? = fields[field] { Int(clamping: number) } else { nil }
    }
    frameworkVersion = number("NSPersistenceFrameworkVersion")
    hashesVersion = number("NSStoreModelVersionHashesVersion")
    let hashes = list.fields(of: fields["NSStoreModelVersionHashes"]) ?? [:]
    entityNames = hashes.isEmpty ? nil : Set(hashes.keys)
    hasUsualHashes =
      !hashes.isEmpty && hashes.values.allSatisfy { if case .data(let hash) = $0 { hash.count == 32 } else { false } }
  }
}
