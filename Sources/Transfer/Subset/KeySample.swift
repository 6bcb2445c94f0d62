import Modeling
import Stores

/// Chooses a share of objects by a hash of their keys, the same ones in every run.
struct KeySample {
  private let limit: UInt64?

  /// Chooses a share above 0 and up to 1.
  init(_ share: Double) { limit = share < 1 ? UInt64(share * 0x1p64) : nil }

  func contains(_ key: Int64, of entity: Entity, in store: any ObjectStore) -> Bool {
    guard let limit else { return true }
    // Numbers that a store assigns to keys of several columns differ from opening to opening.
    if store.layout(of: entity).key.integerName == nil {
      let text = store.keyValues(of: entity, key: key).map(\.displayText).joined(separator: "\u{1F}")
      return Self.mixed(text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }) < limit
    }
    return Self.mixed(UInt64(bitPattern: key)) < limit
  }

  /// The finalizer of SplitMix64, which spreads neighbouring numbers.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
