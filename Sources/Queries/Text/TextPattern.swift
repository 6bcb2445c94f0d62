internal import Foundation
internal import Modeling

/// The right side of a string operator, compiled for many texts.
///
///     try TextPattern(.contains, "chile", [.caseInsensitive]).matches("Off the coast of Chile")     // true
///
/// No text contains an empty pattern, begins or ends with it, as in Foundation. Memory and SQL use this same code.
public struct TextPattern {
  private enum Kind {
    case never
    case contains(ByteSearch)
    case beginsWith
    case endsWith
    case like(Wildcard)
    case matches(RegularExpression)
  }

  private let kind: Kind
  /// The folded pattern.
  private let bytes: [UInt8]
  private let options: ComparisonOptions

  /// Compiles the pattern of a string operator.
  ///
  /// - Throws: `.invalidRegularExpression` for MATCHES.
  public init(_ comparator: Comparator, _ pattern: String, _ options: ComparisonOptions) throws(PredicateError) {
    self.options = options
    bytes = comparator == .matches ? [] : Array(folded(pattern, options).utf8)
    switch comparator {
    case .contains where pattern.isEmpty, .beginsWith where pattern.isEmpty, .endsWith where pattern.isEmpty:
      kind = .never
    case .beginsWith: kind = .beginsWith
    case .endsWith: kind = .endsWith
    case .like: kind = .like(Wildcard(bytes))
    case .matches: kind = .matches(try RegularExpression(pattern, options))
    default: kind = .contains(ByteSearch(bytes))
    }
  }

  /// Whether the text matches.
  ///
  /// - Throws: `EvaluationInterrupted` when it was interrupted.
  public func matches(_ text: String) throws -> Bool {
    switch kind {
    case .never: return false
    case .matches(let expression): return try expression.matches(text)
    case .contains(let search):
      return try withFoldedBytes(of: text, options, by: foldedInParts) { try search.isFound(in: $0) }
    case .beginsWith:
      return try withFoldedBytes(of: text, options, by: foldedInParts) { Self.stands(bytes, in: $0, at: 0) }
    case .endsWith:
      return try withFoldedBytes(of: text, options, by: foldedInParts) {
        Self.stands(bytes, in: $0, at: $0.count - bytes.count)
      }
    case .like(let wildcard):
      return try withFoldedBytes(of: text, options, by: foldedInParts) { try wildcard.matches($0) }
    }
  }

  private static func stands(_ wanted: [UInt8], in text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, wanted.count <= text.count - offset else { return false }
    guard let base = text.baseAddress else { return true }
    return wanted.withUnsafeBufferPointer { wanted in
      wanted.baseAddress.map { memcmp(base + offset, $0, wanted.count) == 0 } ?? true
    }
  }
}
