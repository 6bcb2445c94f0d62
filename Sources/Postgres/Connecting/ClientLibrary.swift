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

  private static let guesses: Set<String> = [
    "This probably means the server terminated abnormally", "before or while processing the request.", "invalid socket",
  ]

  /// What libpq says of a connection that was refused, without the codes of the servers' refusals, and these codes.
  static func refusal(_ text: UnsafePointer<CChar>?) -> (message: String, states: Set<String>) {
    guard let text else { return ("", []) }
    var states: Set<String> = []
    let lines = String(cString: text).split(separator: "\n").compactMap { line -> String? in
      if line.firstMatch(of: /^\w+:  \w+, \w+\.c:\d+$/) != nil { return nil }
      return String(line).replacing(#/(?<head>\w:  )(?<state>[0-9A-Z]{5}): /#) { match in
        states.insert(String(match.output.state))
        return match.output.head
      }
    }
    return (message(lines.joined(separator: "\n")), states)
  }

  /// The message of libpq, in one line. It stands once if tries with and without encryption gave the same, and without
  /// libpq's guess about a server that is gone.
  static func message(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "" }
    var lines: [Substring] = []
    for line in String(cString: text).split(separator: "\n") {
      let line = line.drop { $0 == " " || $0 == "\t" }
      let isGuess = guesses.contains(String(line))
      if !isGuess, !lines.contains(line) { lines.append(line) }
    }
    return lines.joined(separator: "; ")
  }
}
