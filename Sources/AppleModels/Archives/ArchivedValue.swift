public import Modeling

/// What the bytes of a transformable attribute archive.
///
/// ```swift
/// ArchivedValue.decode(bytes)     // .json(.array([.string("a"), .string("b")]))
/// ArchivedValue.decode(bytes)     // .opaque(className: "UIColor", byteCount: 312)
/// ```
public enum ArchivedValue: Hashable, Sendable {
  /// A value of Foundation's classes alone: dates, data and UUIDs as texts, as JSON has them elsewhere.
  case json(JSON)
  /// Something else, or more of it than the bytes could hold without repeating: the class and the size.
  case opaque(className: String, byteCount: Int)

  /// Reads the archive, or the plain property list; nil for bytes that are neither.
  public static func decode(_ bytes: [UInt8]) -> ArchivedValue? {
    guard BinaryPropertyList.isBegun(by: bytes), let list = try? BinaryPropertyList(bytes) else { return nil }
    guard let archive = KeyedArchive(list) else {
      return list.json(limit: bytes.count).map(ArchivedValue.json) ?? .opaque(className: "", byteCount: bytes.count)
    }
    var decoder = ArchiveJSON(limit: bytes.count)
    let content = archive.root.map(archive.content) ?? .null
    // Asked for first: afterwards nothing may be left to be spent on it.
    let className = if case .object(let object) = content { object.className } else { "" }
    if let json = decoder.json(content, depth: 0), !archive.effort.isExhausted { return .json(json) }
    return .opaque(className: className, byteCount: bytes.count)
  }
}
