internal import CPostgres
internal import StoreErrors

/// libpq, which is opened at the first use.
enum ClientLibrary {
  /// The first version with all functions that are used.
  private static let firstVersion = "14"
  /// The package of Debian that brings the library.
  private static let package = "libpq5"

  /// Opens the library unless that was done.
  static func open() throws(StoreError) {
    switch perilune_pq_open() {
    case PERILUNE_PQ_PRESENT: return
    case PERILUNE_PQ_TOO_OLD:
      throw StoreError(.clientLibraryTooOld(package: Self.package, version: Self.firstVersion))
    default: throw StoreError(.clientLibraryMissing(package: Self.package))
    }
  }

  /// What libpq says, in one line.
  static func message(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "" }
    return String(cString: text).split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }
      .joined(separator: "; ")
  }
}
