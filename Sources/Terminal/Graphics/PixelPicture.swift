/// A picture that terminals with graphics draw between lines of text.
package struct PixelPicture {
  package var columns: Int
  package var rows: Int
  /// The pixels by rows, from the top: 0x00RRGGBB.
  package var pixels: [UInt32]

  package init(columns: Int, rows: Int, pixels: [UInt32]) {
    (self.columns, self.rows, self.pixels) = (columns, rows, pixels)
  }
}
