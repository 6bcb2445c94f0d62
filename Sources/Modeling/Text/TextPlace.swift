/// A line and a column of a text, both counted from 1; columns count Unicode scalars.
struct TextPlace: Hashable {
  var line = 1
  var column = 1

  /// Finds the place of byte `offset`; a line ends at LF, CR or both.
  init(of offset: Int, in text: UnsafeRawBufferPointer) {
    for index in 0..<min(offset, text.count) {
      let byte = text[index]
      if byte == 0x0A || (byte == 0x0D && !(index + 1 < text.count && text[index + 1] == 0x0A)) {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80, byte != 0x0D {
        column += 1
      }
    }
  }
}
