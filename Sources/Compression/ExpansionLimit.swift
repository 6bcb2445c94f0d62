/// How much may be made of a packed file: small files may grow as they like, large ones by a ratio.
package final class ExpansionLimit {
  /// What any file may become, in bytes.
  package static let free = 256 << 20
  /// How many times its size a file may become beyond that.
  package static let ratio = 200

  /// What a file of `packed` bytes may become.
  package static func most(packed: Int) -> Int { max(free, packed * ratio) }

  private let packed: Int
  private var made = 0

  /// The limit of a file of `packed` bytes.
  package init(packed: Int) { self.packed = packed }

  /// Counts bytes that were made.
  ///
  /// - Throws: CompressionError.bomb beyond the limit.
  package func count(_ bytes: Int) throws {
    made += bytes
    if made > Self.free, made / Self.ratio > packed { throw CompressionError.bomb }
  }
}
