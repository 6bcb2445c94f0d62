import CSQLite
internal import Modeling

/// A name as it is written in statements that people read: bare if SQLite reads it correctly, otherwise in double
/// quotes.
///
/// Schemas quote every name with `quoteIdentifier` instead: their text stays in the file and is compared.
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
