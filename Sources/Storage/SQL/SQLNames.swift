import CSQLite

/// A name as SQL writes it: bare where SQLite would read it so, else in double quotes.
func quotedName(_ name: String) -> String {
  let isPlain = name.utf8.enumerated().allSatisfy { index, byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
    default: false
    }
  }
  if isPlain, !name.isEmpty, sqlite3_keyword_check(name, Int32(name.utf8.count)) == 0 { return name }
  return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
