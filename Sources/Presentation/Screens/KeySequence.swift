/// A control sequence of a key: `ESC [ 1 ; 5 C` is Ctrl and the right arrow.
struct KeySequence {
  var final: UInt8
  var numbers: [Int]

  /// Whether what follows was pasted.
  var beginsPaste: Bool { final == UInt8(ascii: "~") && numbers.first == 200 }

  /// The key, or `.unknown`.
  var key: Key {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): isByWords ? .wordRight : .right
    case UInt8(ascii: "D"): isByWords ? .wordLeft : .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "P"): .function(1)
    case UInt8(ascii: "Q"): .function(2)
    case UInt8(ascii: "R"): .function(3)
    case UInt8(ascii: "S"): .function(4)
    case UInt8(ascii: "Z"): .backTab
    case UInt8(ascii: "~"): numbered
    default: .unknown
    }
  }

  /// Whether Alt or Ctrl was held, by the modifiers that xterm adds.
  private var isByWords: Bool {
    guard numbers.count > 1, numbers[1] > 1 else { return false }
    return (numbers[1] - 1) & 0b110 != 0
  }

  private var numbered: Key {
    switch numbers.first ?? 0 {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case let number where (11...15).contains(number): .function(number - 10)
    case let number where (17...21).contains(number): .function(number - 11)
    case let number where (23...26).contains(number): .function(number - 12)
    case 28, 29: .function((numbers.first ?? 0) - 13)
    case let number where (31...34).contains(number): .function(number - 14)
    default: .unknown
    }
  }
}
