/// A line and a column of a text, both from 1; columns count Unicode scalars.
public struct TextPlace: Hashable, Sendable {
  /// The line, from 1.
  public var line = 1
  /// The column, from 1.
  public var column = 1

  /// Creates the place at the beginning of a text.
  public init() {}

  /// The place of byte `offset` of `text`, which begins at `start`.
  init(of offset: Int, in text: UnsafeRawBufferPointer, from start: TextPlace = TextPlace()) {
    self = start
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
