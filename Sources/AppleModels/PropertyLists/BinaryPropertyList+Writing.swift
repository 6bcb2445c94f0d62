extension BinaryPropertyList {
  /// The bytes of the list, whose outermost dictionary keeps only some fields; nothing of the others is in the bytes.
  ///
  /// Sets, dates and integers beyond Int64 become false.
  public func bytes(keeping isKept: (String) -> Bool) -> [UInt8] {
    guard case .dictionary(let entries) = objects[root] else { return bytes(root: objects[root], reaching: [root]) }
    let kept = entries.filter { if case .string(let name) = objects[$0.key] { isKept(name) } else { false } }
    return bytes(root: .dictionary(kept), reaching: kept.flatMap { [$0.key, $0.value] })
  }

  /// The bytes of the list with another root. Objects that it does not reach are left blank.
  private func bytes(root new: Object, reaching first: [Int]) -> [UInt8] {
    var reached = Set(first)
    var pending = first
    while let index = pending.popLast() {
      let next: [Int] =
        switch objects[index] {
        case .array(let members), .set(let members): members
        case .dictionary(let entries): entries.flatMap { [$0.key, $0.value] }
        default: []
        }
      for index in next where reached.insert(index).inserted { pending.append(index) }
    }
    var writer = PropertyListWriter()
    for (index, object) in objects.enumerated() {
      _ = writer.add(Self.item(index == root ? new : reached.contains(index) ? object : .bool(false)))
    }
    return writer.bytes(root: root)
  }

  private static func item(_ object: Object) -> PropertyListWriter.Item {
    switch object {
    case .bool(let flag): .bool(flag)
    case .int(let number): .integer(number)
    case .real(let number): .real(number)
    case .string(let text): .string(text)
    case .data(let bytes): .data(bytes)
    case .uid(let number): .uid(number)
    case .array(let members): .array(members)
    case .dictionary(let entries): .dictionary(entries.map { ($0.key, $0.value) })
    case .null, .set, .date, .largeInt: .bool(false)
    }
  }
}
