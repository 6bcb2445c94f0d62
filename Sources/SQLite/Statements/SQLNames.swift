import CSQLite

/// A name as statements write it, which people read: bare where SQLite would read it so, else in double quotes.
///
/// Schemas quote every name instead, with `quoteIdentifier`: their text stays in the file and is compared.
package func quotedName(_ name: String) -> String {
  let isPlain = name.utf8.enumerated().allSatisfy { index, byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
    default: false
    }
  }
  if isPlain, !name.isEmpty, sqlite3_keyword_check(name, Int32(clamping: name.utf8.count)) == 0 { return name }
  return quoteIdentifier(name)
}

/// A name as SQL text: in double quotes, whatever is in it.
package func quoteIdentifier(_ name: String) -> String {
  "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}

/// Text as an SQL literal, for schemas and for display: values of requests are always bound.
package func quoteText(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
}
