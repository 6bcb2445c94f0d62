/// The properties of an entity that a change concerns, one bit each. The first property has the highest bit of the
/// first byte.
enum PropertyBitmap {
  /// Returns the bitmap of some of `names`, which lists all properties in order.
  static func encode(_ properties: Set<String>, of names: [String]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (names.count + 7) / 8)
    for (index, name) in names.enumerated() where properties.contains(name) {
      bytes[index / 8] |= 0x80 >> UInt8(index % 8)
    }
    return bytes
  }

  /// Returns the names whose bits are set; bits without a name are ignored.
  static func decode(_ bytes: [UInt8], of names: [String]) -> [String] {
    names.enumerated().compactMap { index, name in
      index / 8 < bytes.count && bytes[index / 8] & (0x80 >> UInt8(index % 8)) != 0 ? name : nil
    }
  }
}
