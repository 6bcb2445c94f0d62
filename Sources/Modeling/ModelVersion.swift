/// An author's name for a version of a model: `2`, `1.10`, `spring`.
///
///     ModelVersion("1.10").isNewer(than: ModelVersion("1.9"))     // true
public struct ModelVersion: Hashable, Sendable {
  /// The name as given.
  public let text: String

  /// Creates a version.
  public init(_ text: String) { self.text = text }

  /// Whether it comes after `other`; always false if either does not consist of numbers and dots.
  public func isNewer(than other: ModelVersion) -> Bool {
    guard let numbers, let others = other.numbers else { return false }
    let count = max(numbers.count, others.count)
    func padded(_ list: [Int]) -> [Int] { list + Array(repeating: 0, count: count - list.count) }
    return padded(others).lexicographicallyPrecedes(padded(numbers))
  }

  private var numbers: [Int]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    return parts.contains(nil) ? nil : parts.compactMap { $0 }
  }
}
