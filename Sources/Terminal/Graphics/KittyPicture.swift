internal import Presentation

/// A PNG file as the sequences by which kitty, Ghostty, Konsole and WezTerm draw it at the cursor.
package struct KittyPicture {
  /// The most characters of a piece.
  private static let pieceSize = 4_096

  /// The bytes of the file.
  package var png: [UInt8]
  /// How many columns of text the picture takes.
  package var columns: Int

  package init(png: [UInt8], columns: Int) {
    (self.png, self.columns) = (png, columns)
  }

  package var text: String {
    let sink = OutputSink.inMemory()
    png.withUnsafeBufferPointer { sink.write(base64: $0) }
    let data = sink.contents
    var (text, start) = ("", 0)
    repeat {
      let end = min(start + Self.pieceSize, data.count)
      // The first piece says what the picture is: drawn at once, without an answer.
      let keys = start == 0 ? "a=T,f=100,q=2,c=\(columns)," : ""
      text +=
        "\u{1B}_G\(keys)m=\(end < data.count ? 1 : 0);\(String(decoding: data[start..<end], as: UTF8.self))\u{1B}\\"
      start = end
    } while start < data.count
    return text
  }
}
