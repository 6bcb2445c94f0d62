/// The characters that the terminal can show.
package enum Charset: Equatable, Sendable {
  case utf8, ascii

  /// The charset that the environment names: LC_ALL before LC_CTYPE before LANG.
  ///
  /// With none of them set (a container, a service) UTF-8 is taken: hardly any terminal lacks it, and `LC_ALL=C`
  /// selects ASCII.
  package static func detect(_ environment: [String: String]) -> Charset {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    guard let locale = names.first(where: { !$0.isEmpty })?.lowercased() else { return .utf8 }
    return locale.contains("utf-8") || locale.contains("utf8") ? .utf8 : .ascii
  }

  /// The mark in place of text that was cut off.
  package var ellipsis: String { self == .utf8 ? "…" : "..." }

  /// The sign before the label of an object.
  package var arrow: String { self == .utf8 ? "→" : "->" }

  /// The sign between remarks on a line.
  package var dot: String { self == .utf8 ? "·" : "-" }
}
