import Modeling
import Queries

/// Text without case and diacritics in SQL that every SQLite supports: `canonical(name)`.
///
/// SQLite itself folds only ASCII letters. For other text, each character is looked up in a table of Unicode's
/// foldings, which the trigger contains as JSON. The lookup is a subquery, so that no generated column can use it.
enum CanonicalText {
  /// In longer texts only ASCII letters are folded, because SQLite counts to each character from the start.
  private static let longest = 4000

  /// The canonical form of the text `sql`, which occurs several times in the result.
  static func sql(_ sql: String) -> String {
    let characters = """
      SELECT substr(\(sql), key + 1, 1) AS s \
      FROM json_each('[' || replace(hex(zeroblob(length(\(sql)))), '00', '0,') || '0]') WHERE key < length(\(sql))
      """
    let folded = """
      SELECT CASE WHEN unicode(s) < 128 THEN lower(s) \
      ELSE coalesce(json_extract(\(table), '$."' || s || '"'), s) END AS c FROM (\(characters))
      """
    return """
      (CASE WHEN \(sql) NOT GLOB '*[^' || char(1) || '-~]*' OR length(\(sql)) > \(longest) THEN lower(\(sql)) \
      ELSE (SELECT group_concat(c, '') FROM (\(folded))) END)
      """
  }

  /// The characters that folding changes, with their foldings, as an SQL literal of JSON.
  private static let table: String = {
    // Letters with case or diacritics. Hangul, which folding only decomposes, and rare scripts are left unchanged.
    let ranges: [ClosedRange<UInt32>] = [
      0x80...0x590, 0x10A0...0x10FF, 0x1AB0...0x1AFF, 0x1D00...0x20FF, 0x2100...0x218F, 0x24B6...0x24E9,
      0x2C00...0x2DFF, 0xA640...0xA7FF, 0xFB00...0xFB06, 0xFE20...0xFE2F, 0xFF21...0xFF5A, 0x10400...0x1044F,
    ]
    var members: [String: JSON] = [:]
    for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
      let text = String(Character(scalar))
      var folded = folded(text, [.caseInsensitive, .diacriticInsensitive])
      // A mark by itself stays; after a letter it is a diacritic, which is removed.
      if scalar.properties.generalCategory == .nonspacingMark,
        Queries.folded("a" + text, [.diacriticInsensitive]) == "a"
      {
        folded = ""
      }
      if !folded.unicodeScalars.elementsEqual(text.unicodeScalars) { members[text] = .string(folded) }
    }
    return quoteText(JSON.object(members).text)
  }()
}
