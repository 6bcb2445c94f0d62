internal import Modeling
internal import Queries
internal import Stores

/// Pairs the rows of two stores that have them in about the same order, as copies of one store do, without sorting them.
///
/// It holds the rows whose partner has not come yet, and a number for each row unless the store keeps identities unique.
final class RowPairing {
  private let first: ComparedRows
  private let second: ComparedRows
  private var waitingFirst: [Key: ComparedRow] = [:]
  private var waitingSecond: [Key: ComparedRow] = [:]
  private var seenFirst: SeenIdentities?
  private var seenSecond: SeenIdentities?
  private var poll = InterruptionPoll()
  /// The most rows that wait for a partner, and the most differences that are worth holding.
  static let most = 4_096

  /// An identity that lasts longer than its row.
  private enum Key: Hashable {
    case integer(Int64)
    case text([UInt8])

    /// Nil for an identity of another form.
    init?(_ identity: RowIdentity) {
      switch identity {
      case .integer(let number): self = .integer(number)
      case .text(let bytes): self = .text(Array(bytes))
      case .values: return nil
      }
    }
  }

  /// `areUnique` says whether no two rows of either store can have the same identity.
  init(_ first: ComparedRows, _ second: ComparedRows, areUnique: Bool) {
    (self.first, self.second) = (first, second)
    if !areUnique { (seenFirst, seenSecond) = (SeenIdentities(), SeenIdentities()) }
  }

  deinit {
    for row in waitingFirst.values { row.packed.free() }
    for row in waitingSecond.values { row.packed.free() }
  }

  /// Calls `body` with each pair, and at the end with each row that is alone.
  ///
  /// Returns false, with the rest unread, if `body` does, if too many rows wait, and for rows that cannot be compared.
  ///
  /// - Throws: StoreError.
  func visit(_ body: (ComparedRow?, ComparedRow?) -> Bool) throws -> Bool {
    while true {
      try poll.step()
      let (left, right) = (try first.current(), try second.current())
      if left == nil, right == nil { break }
      if let left, let right, let one = left.identity, let two = right.identity, one.order(two) == 0 {
        guard seenFirst?.insert(one) != false, seenSecond?.insert(two) != false else { return false }
        guard body(left, right) else { return false }
        first.advance()
        second.advance()
        continue
      }
      if let left {
        guard take(left, &waitingFirst, &waitingSecond, &seenFirst, { body(left, $0) }) else { return false }
        first.advance()
      }
      if let right {
        guard take(right, &waitingSecond, &waitingFirst, &seenSecond, { body($0, right) }) else { return false }
        second.advance()
      }
      if waitingFirst.count + waitingSecond.count > Self.most { return false }
    }
    return waitingFirst.values.allSatisfy { body($0, nil) } && waitingSecond.values.allSatisfy { body(nil, $0) }
  }

  /// Calls `pair` with the row of the other store that has waited for a row, or has the row wait. Returns false if `pair` does, and for
  /// a row that cannot be compared.
  private func take(
    _ row: ComparedRow, _ own: inout [Key: ComparedRow], _ others: inout [Key: ComparedRow],
    _ seen: inout SeenIdentities?,
    _ pair: (ComparedRow) -> Bool
  ) -> Bool {
    guard let identity = row.identity, let key = Key(identity), seen?.insert(identity) != false else { return false }
    if let partner = others.removeValue(forKey: key) {
      defer { partner.packed.free() }
      return pair(partner)
    }
    own[key] = ComparedRow(
      key: row.key, identity: .values(identity.values), packed: row.packed.copy(), references: row.references,
      members: row.members)
    return true
  }
}

/// A set of identities by their hashes, eight bytes and some room for each.
private struct SeenIdentities {
  private var hashes = [UInt64](repeating: 0, count: 1 << 12)
  private var count = 0

  /// Returns whether the identity is new. Another one with its hash, once in a billion sets, is taken for the same.
  mutating func insert(_ identity: RowIdentity) -> Bool {
    var hasher = Hasher()
    switch identity {
    case .integer(let number): hasher.combine(number)
    case .text(let bytes): hasher.combine(bytes: bytes)
    case .values: return false
    }
    if count >= hashes.count / 2 { grow() }
    guard insert(max(1, UInt64(bitPattern: Int64(hasher.finalize())))) else { return false }
    count += 1
    return true
  }

  private mutating func insert(_ hash: UInt64) -> Bool {
    var place = Int(truncatingIfNeeded: hash) & (hashes.count - 1)
    while hashes[place] != 0 {
      if hashes[place] == hash { return false }
      place = (place + 1) & (hashes.count - 1)
    }
    hashes[place] = hash
    return true
  }

  private mutating func grow() {
    let old = hashes
    hashes = [UInt64](repeating: 0, count: old.count * 2)
    for hash in old where hash != 0 { _ = insert(hash) }
  }
}
