/// Why packed bytes cannot be read.
package enum CompressionError: Error, Equatable {
  case damaged
  /// The file is none of ZIP.
  case noArchive
  /// The bytes end too early.
  case cutOff
  /// They unpack to so many times their size that they are no data.
  case bomb
  case unreadable(errorNumber: Int32)
  /// The archive has a feature that is not read.
  case unsupported(String)
}
