/// A binary property list as a table of its objects, which refer to one another by index.
///
/// It stays a table because a few bytes of references can describe an endless tree: code that builds a tree from it
/// must count the nodes. A list whose objects need more room than its bytes is refused.
///
/// ```swift
/// let list = try BinaryPropertyList(bytes)
/// list.objects[list.root]     // .dictionary([(key: 1, value: 2)])
/// ```
public struct BinaryPropertyList: Sendable {
  /// The objects; references are indices here, and never lead outside.
  public let objects: [Object]
  /// The index of the object that the list is.
  public let root: Int

  /// An object of the table.
  public enum Object: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    /// An integer that Int64 cannot hold, in digits.
    case largeInt(String)
    case real(Double)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case data([UInt8])
    case string(String)
    /// A reference of a keyed archive.
    case uid(Int)
    case array([Int])
    case set([Int])
    case dictionary([Entry])
  }

  /// A key and its value in a dictionary.
  public struct Entry: Hashable, Sendable {
    /// The index of the key.
    public var key: Int
    /// The index of the value.
    public var value: Int
  }

  /// The bytes that every binary property list begins with.
  static let signature = Array("bplist".utf8)

  /// Reads the table.
  ///
  /// - Throws: the first error in the bytes; no part of a damaged list is returned.
  public init(_ bytes: [UInt8]) throws(PropertyListError) {
    var reader = try PropertyListReader(bytes)
    objects = try reader.objects()
    root = reader.root
  }

  /// Whether the bytes claim to be a binary property list.
  public static func isBegun(by bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: signature) }
}

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
