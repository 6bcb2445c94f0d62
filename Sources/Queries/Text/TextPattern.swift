internal import Foundation

/// The right side of a string operator, prepared once for many texts.
///
///     try TextPattern(.contains, "chile", [.caseInsensitive]).matches("Off the coast of Chile")     // true
///
/// An empty pattern is contained in every text, begins and ends it. In memory and in SQL the same code runs.
public struct TextPattern {
  private enum Kind {
    case contains
    case beginsWith
    case endsWith
    case like(Wildcard)
    case matches(RegularExpression)
  }

  private let kind: Kind
  /// The folded pattern.
  private let bytes: [UInt8]
  private let options: ComparisonOptions

  /// Prepares the pattern of a string operator.
  ///
  /// - Throws: `.invalidRegularExpression` for MATCHES.
  public init(_ comparator: Comparator, _ pattern: String, _ options: ComparisonOptions) throws(PredicateError) {
    self.options = options
    bytes = comparator == .matches ? [] : Array(folded(pattern, options).utf8)
    switch comparator {
    case .beginsWith: kind = .beginsWith
    case .endsWith: kind = .endsWith
    case .like: kind = .like(Wildcard(bytes))
    case .matches: kind = .matches(try RegularExpression(pattern, options))
    default: kind = .contains
    }
  }

  /// Whether the text matches.
  ///
  /// - Throws: `EvaluationInterrupted` when a regular expression was stopped.
  public func matches(_ text: String) throws -> Bool {
    switch kind {
    case .matches(let expression): return try expression.matches(text)
    case .contains: return withFoldedBytes(of: text, options) { Self.contains($0, bytes) }
    case .beginsWith: return withFoldedBytes(of: text, options) { Self.stands(bytes, in: $0, at: 0) }
    case .endsWith:
      return withFoldedBytes(of: text, options) { Self.stands(bytes, in: $0, at: $0.count - bytes.count) }
    case .like(let wildcard): return withFoldedBytes(of: text, options) { wildcard.matches($0) }
    }
  }

  private static func stands(_ wanted: [UInt8], in text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, wanted.count <= text.count - offset else { return false }
    guard let base = text.baseAddress else { return true }
    return wanted.withUnsafeBufferPointer { wanted in
      wanted.baseAddress.map { memcmp(base + offset, $0, wanted.count) == 0 } ?? true
    }
  }

  /// Searches by the first byte, which memchr finds many bytes at a time; memmem is hidden from Swift on Linux.
  private static func contains(_ text: UnsafeBufferPointer<UInt8>, _ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    guard var start = text.baseAddress else { return false }
    let end = start + text.count
    return wanted.withUnsafeBytes { wanted in
      guard let pattern = wanted.baseAddress else { return true }
      while end - start >= wanted.count,
        let found = memchr(start, Int32(first), end - start - wanted.count + 1)
      {
        if memcmp(found, pattern, wanted.count) == 0 { return true }
        start = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
      }
      return false
    }
  }
}
