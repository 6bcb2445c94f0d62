/// The text with A to Z in lower case and all other characters unchanged, as SQLite compares names.
package func asciiLowercased(_ text: String) -> String {
  String(decoding: text.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
}
