extension PackedRow {
  /// Returns a new row with the same values, except for some columns with those of another row of equal length.
  public func merged(with other: PackedRow, where isOther: (Int) -> Bool) -> PackedRow {
    guard other.count == count else { return copy() }
    let sources = (0..<count).map { isOther($0) ? other : self }
    let size = sources.indices.reduce(slots + 8 * count) { $0 + sources[$1].textByteCount($1) }
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    block.copyMemory(from: base, byteCount: slots)
    block.storeBytes(of: UInt32(truncatingIfNeeded: size), toByteOffset: 4, as: UInt32.self)
    var end = slots + 8 * count
    for (column, source) in sources.enumerated() {
      block.storeBytes(of: source.storageClass(column).rawValue, toByteOffset: 8 + column, as: UInt8.self)
      let slot = slots + 8 * column
      (block + slot).copyMemory(from: source.base + slot, byteCount: 8)
      guard source.isText(column), case let bytes = source.bytes(column) else { continue }
      block.storeBytes(of: UInt32(truncatingIfNeeded: end), toByteOffset: slot, as: UInt32.self)
      if let start = bytes.baseAddress { (block + end).copyMemory(from: start, byteCount: bytes.count) }
      end += bytes.count
    }
    return PackedRow(base: block)
  }

  private func isText(_ column: Int) -> Bool {
    let storage = storageClass(column)
    return storage == .text || storage == .blob
  }

  private func textByteCount(_ column: Int) -> Int { isText(column) ? bytes(column).count : 0 }
}
