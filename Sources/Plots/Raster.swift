private import CRsvg
internal import Modeling

/// A picture as pixels.
///
///     let raster = try Raster(svg: SVGPlot().text(plot), columns: 640, rows: 380)
///     let file = try raster.png()
public struct Raster: Equatable, Sendable {
  /// Why there is no picture.
  public enum Failure: Error, Equatable {
    /// librsvg, which draws them, is not installed.
    case noLibrary
    /// It would have more than `Raster.mostPixels`.
    case tooLarge(pixels: Int)
    /// librsvg does not draw the document.
    case refused
    case noMemory
  }

  /// The most pixels that a picture may have: 256 MB of memory.
  public static let mostPixels = 1 << 26

  /// How wide the picture is.
  public let columns: Int
  /// How high it is.
  public let rows: Int
  /// The pixels by rows, from the top: 0x00RRGGBB.
  public private(set) var pixels: [UInt32]

  /// Whether librsvg is installed.
  public static var isAvailable: Bool { perilune_rsvg_is_available() }

  /// A picture of these pixels.
  ///
  /// - Precondition: There are `columns * rows` of them.
  public init(columns: Int, rows: Int, pixels: [UInt32]) {
    precondition(pixels.count == columns * rows)
    (self.columns, self.rows, self.pixels) = (columns, rows, pixels)
  }

  /// Draws an SVG document, as large as it says, times `scale`.
  ///
  /// - Throws: Failure.
  public init(_ picture: SVGPicture, scale: Double = 1) throws {
    let (columns, rows) = (
      max(Int(saturating: picture.width * scale), 1), max(Int(saturating: picture.height * scale), 1)
    )
    guard columns <= Self.mostPixels, rows <= Self.mostPixels / columns else {
      throw Failure.tooLarge(pixels: columns.multipliedReportingOverflow(by: rows).partialValue)
    }
    (self.columns, self.rows) = (columns, rows)
    pixels = [UInt32](repeating: 0, count: columns * rows)
    var text = picture.text
    let result = text.withUTF8 { document in
      document.withMemoryRebound(to: CChar.self) { bytes in
        perilune_rsvg_draw(bytes.baseAddress, bytes.count, Int32(columns), Int32(rows), &pixels)
      }
    }
    try Self.check(result)
  }

  /// The picture as a PNG file.
  ///
  /// - Throws: Failure.
  public func png() throws -> [UInt8] {
    var (file, pixels) = ([UInt8](), pixels)
    let result = withUnsafeMutablePointer(to: &file) { file in
      perilune_rsvg_png(
        &pixels, Int32(columns), Int32(rows),
        { context, bytes, count in
          guard let context, let bytes else { return 1 }
          context.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeBufferPointer(start: bytes, count: Int(count))
          return 0
        }, file)
    }
    try Self.check(result)
    return file
  }

  private static func check(_ result: perilune_rsvg_result) throws {
    switch result {
    case PERILUNE_RSVG_DONE: return
    case PERILUNE_RSVG_NO_LIBRARY: throw Failure.noLibrary
    case PERILUNE_RSVG_NO_MEMORY: throw Failure.noMemory
    default: throw Failure.refused
    }
  }
}
