/// A position in a store's history: it identifies a transaction, and says how far a reader has come.
///
/// Tokens of one store ascend, survive runs as text (`description`, `init(_:)`), and mean nothing to another store.
public struct HistoryToken: Hashable, Comparable, Sendable {
  /// The number of the last change before the place.
  public let number: Int64

  /// Names the place after the change `number`; 0 is the beginning.
  public init(number: Int64) { self.number = number }

  /// Whether `left` is earlier.
  public static func < (left: HistoryToken, right: HistoryToken) -> Bool { left.number < right.number }
}

extension HistoryToken: LosslessStringConvertible {
  /// Reads what `description` wrote.
  public init?(_ description: String) {
    guard let number = Int64(description), number >= 0 else { return nil }
    self.init(number: number)
  }

  /// The token as text.
  public var description: String { "\(number)" }
}
