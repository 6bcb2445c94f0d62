internal import SwiftReading

/// Which of some words stand in the bytes of a file: most files have none of them, and are not read further.
package struct SourceWords: Sendable {
  /// Whether the file may have something to check.
  package private(set) var hasSites = false
  /// Whether the file may declare classes of a model.
  package private(set) var hasModel = false

  private static let sites = SourceSites.words.map { Array($0.utf8) }
  private static let model = Array("@Model".utf8)
  /// Whether a word begins with a byte.
  private static let beginnings = (0..<256).map { byte in (sites + [model]).contains { $0[0] == UInt8(byte) } }

  /// Looks through the bytes once.
  package init(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
      Self.beginnings.withUnsafeBufferPointer { beginnings in
        for place in bytes.indices where beginnings[Int(bytes[place])] {
          if !hasSites, Self.sites.contains(where: { bytes[place...].starts(with: $0) }) { hasSites = true }
          if !hasModel, bytes[place...].starts(with: Self.model) { hasModel = true }
          if hasSites, hasModel { return }
        }
      }
    }
  }
}
