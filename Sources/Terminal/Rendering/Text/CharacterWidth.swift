import CUTF8Proc

extension Character {
  /// How many columns of a terminal this character takes: 0, 1 or 2.
  ///
  /// A grapheme cluster is as wide as the widest of its scalars, because the rest is drawn over or into it: "é" of two
  /// scalars is 1, an astronaut of three is 2. VARIATION SELECTOR-16 asks for the emoji form, and flags are pairs.
  package var terminalWidth: Int {
    var widest = 0
    var regionalIndicators = 0
    for scalar in unicodeScalars {
      if scalar == "\u{FE0F}" { return 2 }
      if (0x1F1E6...0x1F1FF).contains(scalar.value) { regionalIndicators += 1 }
      widest = max(widest, Int(utf8proc_charwidth(Int32(scalar.value))))
    }
    return regionalIndicators == 2 ? 2 : widest
  }
}

extension StringProtocol {
  /// How many columns of a terminal this text takes. Control characters count nothing.
  package var terminalWidth: Int {
    var width = 0
    var isPlain = true
    for byte in utf8 {
      guard byte >= 0x20, byte < 0x7F else {
        isPlain = false
        break
      }
      width += 1
    }
    return isPlain ? width : reduce(0) { $0 + $1.terminalWidth }
  }
}
