/// The letters and digits of which one may stand for another: those of a case in ASCII, and beyond it those of a category
/// in a block of the code.
struct ScalarAlphabets {
  /// An alphabet.
  enum Range: Hashable {
    case firstDigit, digits, lowercase, uppercase
    /// The scalars of a category in a block.
    case block(UInt32, Unicode.GeneralCategory)

    var isDigits: Bool { self == .digits }
  }

  private var blocks: [Range: [Unicode.Scalar]] = [:]

  /// The alphabet of a scalar; nil for one that is neither a letter nor a digit.
  mutating func range(of scalar: Unicode.Scalar) -> Range? {
    switch scalar.value {
    case 48...57: return .digits
    case 65...90: return .uppercase
    case 97...122: return .lowercase
    case ..<128: return nil
    default: break
    }
    let category = scalar.properties.generalCategory
    switch category {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber:
      break
    default: return nil
    }
    let size = Self.size(scalar.value)
    let range = Range.block(scalar.value / size * size, category)
    if blocks[range] == nil { blocks[range] = Self.scalars(range) }
    return range
  }

  /// Ideographs and syllables are in large blocks.
  private static func size(_ value: UInt32) -> UInt32 { value < 0x3400 ? 128 : 4096 }

  private static func scalars(_ range: Range) -> [Unicode.Scalar] {
    guard case .block(let start, let category) = range else { return [] }
    return (start..<start + size(start)).compactMap(Unicode.Scalar.init).filter {
      $0.value >= 128 && $0.properties.generalCategory == category
    }
  }

  func count(_ range: Range) -> Int {
    switch range {
    case .firstDigit: 9
    case .digits: 10
    case .lowercase, .uppercase: 26
    case .block: blocks[range]?.count ?? 1
    }
  }

  func index(of scalar: Unicode.Scalar, in range: Range) -> Int {
    switch range {
    case .firstDigit: return Int(scalar.value) - 49
    case .digits: return Int(scalar.value) - 48
    case .uppercase: return Int(scalar.value) - 65
    case .lowercase: return Int(scalar.value) - 97
    case .block:
      // They ascend.
      let scalars = blocks[range] ?? []
      var (low, high) = (0, scalars.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if scalars[middle] < scalar { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  func scalar(_ index: Int, in range: Range) -> Unicode.Scalar {
    func ascii(_ first: UInt8) -> Unicode.Scalar { Unicode.Scalar(first + UInt8(index)) }
    switch range {
    case .firstDigit: return ascii(49)
    case .digits: return ascii(48)
    case .uppercase: return ascii(65)
    case .lowercase: return ascii(97)
    case .block: return blocks[range]?[index] ?? "?"
    }
  }
}
