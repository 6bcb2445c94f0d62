/// An SVG document and how large it is.
public struct SVGPicture: Equatable, Sendable {
  /// The document.
  public var text: String
  /// The width in pixels.
  public var width: Double
  /// The height in pixels.
  public var height: Double
}
