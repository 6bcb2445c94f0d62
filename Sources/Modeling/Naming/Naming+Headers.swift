internal import Foundation

extension Naming {
  /// The property name for a column of a data file, which is a Lua identifier.
  ///
  ///     Naming.property(header: "Unit Price", number: 3)    // unitPrice
  ///     Naming.property(header: "dep_delay", number: 4)     // dep_delay
  ///     Naming.property(header: "", number: 5)              // column5
  ///
  /// A header that is an identifier and begins with a lower-case letter stays. Other scripts than Latin are
  /// transliterated. If no name results, it is `column` and the number.
  public static func property(header: String, number: Int) -> String {
    let text = header.trimmingCharacters(in: .whitespacesAndNewlines)
    if isLuaIdentifier(text), text.first?.isUppercase == false { return text }
    let latin = latinized(text)
    guard latin.contains(where: \.isLetter) || latin.contains(where: \.isNumber) else { return "column\(number)" }
    let name = lowerCamelCase(latin)
    return luaReservedWords.contains(name) ? name + "_" : name
  }

  /// The entity name for a data file: the singular of the file's name in UpperCamelCase.
  ///
  ///     Naming.entity(file: "data/order-items.csv")    // OrderItem
  public static func entity(file path: String) -> String {
    let stem = latinized(FilePath.stem(of: path))
    guard stem.contains(where: \.isLetter) else { return "Row" }
    // A number after the words, such as a year, is ignored, so that the last word is found.
    let end = stem.lastIndex(where: \.isLetter).map { stem.index(after: $0) } ?? stem.endIndex
    return upperCamelCase(singular(shouts(stem) ? stem[..<end].lowercased() : String(stem[..<end])) + stem[end...])
  }

  private static func shouts(_ text: String) -> Bool { !text.contains(where: \.isLowercase) }

  /// The text in ASCII letters and digits; other characters are spaces.
  private static func latinized(_ text: String) -> String {
    var latin = text
    if !text.utf8.allSatisfy({ $0 < 0x80 }) {
      latin = text.replacingOccurrences(of: "ß", with: "ss")
      latin = latin.applyingTransform(.toLatin, reverse: false) ?? latin
      latin = latin.applyingTransform(.stripDiacritics, reverse: false) ?? latin
    }
    return String(latin.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" ? $0 : " " })
  }
}
