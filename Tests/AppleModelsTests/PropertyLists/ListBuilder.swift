/// Puts binary property lists together, honest ones and others.
enum ListBuilder {
  /// The list of objects that are given as their bytes, the first of which it is; references are of one byte.
  static func list(_ objects: [[UInt8]], offsets given: [UInt8]? = nil) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = given.map { $0.map(Int.init) } ?? []
    for object in objects {
      if given == nil { offsets.append(bytes.count) }
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += [UInt8(offset >> 16 & 255), UInt8(offset >> 8 & 255), UInt8(offset & 255)] }
    bytes += [0, 0, 0, 0, 0, 0, 3, 1]
    for number in [offsets.count, 0, table] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - $0 * 8)) }
    }
    return bytes
  }
}
