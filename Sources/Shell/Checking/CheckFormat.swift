/// How the findings of `perilune check` are written.
package enum CheckFormat: String, CaseIterable {
  /// `file:line:column: error: …`
  case text
  /// An object of JSON for each.
  case json
  /// Commands of GitHub Actions, which mark the lines of a change.
  case github
  /// One document of SARIF 2.1.0, which code scanning and editors read.
  case sarif
}
