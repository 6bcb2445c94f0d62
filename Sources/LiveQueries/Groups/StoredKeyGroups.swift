internal import Glibc
internal import Stores

/// The groups of values in their stored form: while all rows are read, each value is decoded and encoded once.
///
///     var known = StoredKeyGroups()
///     known.note(.integer(7), 3)
///     known.group(of: .integer(7))          // 3
///
/// It knows at most 65,536 values, and texts of at most 256 bytes. Where hardly any value comes again it is not used any
/// longer. A value takes some 32 bytes, and those of its text.
struct StoredKeyGroups {
  private struct Slot {
    /// A number, or the place of a text's bytes and their number.
    var content: UInt64 = 0
    var hash: UInt32 = 0
    /// -1 for a free slot.
    var group: Int32 = -1
  }

  private var slots = ContiguousArray(repeating: Slot(), count: 1 << 10)
  private var texts: ContiguousArray<UInt8> = []
  /// How many values are known, and how often a known one came.
  private var (count, hits) = (0, 0)
  private var isOfUse = true

  private static let most = 1 << 16
  private static let longestText = 256
  /// So many slots are looked at, so that values with equal hashes cost little.
  private static let mostProbes = 16

  /// The group of a value; nil for one that is not known.
  mutating func group(of value: StoredForm) -> Int32? {
    guard isOfUse, let hash = Self.hash(of: value), let place = place(of: value, hash), slots[place].group >= 0 else {
      return nil
    }
    hits += 1
    return slots[place].group
  }

  /// Has a value that is not known belong to a group.
  mutating func note(_ value: StoredForm, _ group: Int32) {
    guard isOfUse, let hash = Self.hash(of: value) else { return }
    if count == Self.most { return isOfUse = hits > count }
    if count == slots.count / 2 { grow() }
    guard let place = place(of: value, hash), slots[place].group < 0 else { return }
    slots[place] = Slot(content: content(of: value), hash: hash, group: group)
    count += 1
  }

  /// The slot that has a value, or the free one where it belongs; nil if too many others are in the way.
  private func place(of value: StoredForm, _ hash: UInt32) -> Int? {
    let mask = slots.count - 1
    for probe in 0..<Self.mostProbes {
      let place = (Int(hash >> 3) + probe) & mask
      let slot = slots[place]
      if slot.group < 0 || slot.hash == hash && holds(slot, value) { return place }
    }
    return nil
  }

  /// Whether the value of a slot with the same hash, and so of the same storage class, is this one.
  private func holds(_ slot: Slot, _ value: StoredForm) -> Bool {
    switch value {
    case .null: return true
    case .integer(let number): return slot.content == UInt64(bitPattern: number)
    case .real(let number): return slot.content == number.bitPattern
    case .text(let bytes):
      guard Int(slot.content & 0xFFFF) == bytes.count else { return false }
      return texts.withUnsafeBytes { texts in
        compareTails(UnsafeRawBufferPointer(rebasing: texts[Int(slot.content >> 16)...].prefix(bytes.count)), bytes)
          == 0
      }
    case .other: return false
    }
  }

  private mutating func content(of value: StoredForm) -> UInt64 {
    switch value {
    case .null, .other: return 0
    case .integer(let number): return UInt64(bitPattern: number)
    case .real(let number): return number.bitPattern
    case .text(let bytes):
      let start = UInt64(texts.count)
      texts.append(contentsOf: bytes)
      return start << 16 | UInt64(bytes.count)
    }
  }

  private mutating func grow() {
    var larger = ContiguousArray(repeating: Slot(), count: slots.count * 2)
    for slot in slots where slot.group >= 0 {
      var place = Int(slot.hash >> 3) & (larger.count - 1)
      while larger[place].group >= 0 { place = (place + 1) & (larger.count - 1) }
      larger[place] = slot
    }
    slots = larger
  }

  /// A hash whose last three bits are the storage class; nil for values that are not noted.
  private static func hash(of value: StoredForm) -> UInt32? {
    func mixed(_ bits: UInt64, _ state: UInt64) -> UInt64 {
      let product = (bits ^ state).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      return product.high ^ product.low
    }
    func marked(_ hash: UInt64, _ mark: UInt32) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 16) << 3 | mark }
    switch value {
    case .null: return 0
    case .integer(let number): return marked(mixed(UInt64(bitPattern: number), 1), 1)
    case .real(let number): return marked(mixed(number.bitPattern, 1), 2)
    case .text(let bytes):
      if bytes.count > longestText { return nil }
      var (hash, place) = (UInt64(bytes.count) &+ 1, 0)
      while place + 8 <= bytes.count {
        hash = mixed(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self), hash)
        place += 8
      }
      var last: UInt64 = 0
      while place < bytes.count {
        last = last << 8 | UInt64(bytes[place])
        place += 1
      }
      return marked(mixed(last, hash), 3)
    case .other: return nil
    }
  }
}
