import CUTF8Proc

extension Character {
  /// How many columns of a terminal this character takes.
  ///
  ///     ("é".terminalWidth, "कि".terminalWidth, "👨‍👩‍👧".terminalWidth)      // (1, 2, 2)
  ///
  /// Terminals draw marks without a width into the letter before them, and give each other scalar of a cluster its columns:
  /// a vowel sign of Devanagari stands beside its consonant. Emoji are the exception: a sequence that is joined, has a skin
  /// tone, asks for the emoji form (VARIATION SELECTOR-16) or is a flag is one picture of two columns.
  package var terminalWidth: Int {
    var width = 0
    var isPicture = false
    var regionalIndicators = 0
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0xFE0F: return 2
      case 0x1F3FB...0x1F3FF where isPicture, 0x200D where isPicture: return 2
      case 0x1F1E6...0x1F1FF: regionalIndicators += 1
      default: break
      }
      if width == 0 { isPicture = scalar.properties.isEmojiPresentation || scalar.properties.isEmojiModifierBase }
      width += scalar.terminalWidth
    }
    return regionalIndicators == 2 ? 2 : width
  }

  /// Whether terminals differ in how many columns they give this character.
  ///
  /// They agree on single scalars and on letters with marks above or below. Of anything longer some know the cluster, and
  /// others add up the scalars.
  package var hasDisputedWidth: Bool {
    unicodeScalars.dropFirst().contains { scalar in
      (0xFE00...0xFE0F).contains(scalar.value) || utf8proc_category(Int32(scalar.value)) != UTF8PROC_CATEGORY_MN
    }
  }
}

extension Unicode.Scalar {
  /// How many columns of a terminal this scalar takes by itself.
  fileprivate var terminalWidth: Int {
    // The vowels and final consonants of Hangul are drawn into the first consonant.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    let isSpacingMark = utf8proc_category(Int32(value)) == UTF8PROC_CATEGORY_MC
    return isSpacingMark ? 1 : Int(utf8proc_charwidth(Int32(value)))
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
