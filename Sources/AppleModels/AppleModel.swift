internal import Compression
public import Modeling

/// A model that Apple's tools wrote, with notes on the parts that could not be converted.
///
/// ```swift
/// try AppleModel(path: "Shop.xcdatamodeld").model
/// try AppleModel(path: "Shop.momd", version: "Shop 2").notes     // ["Book.cover: the default, of the class Cover, is left out"]
/// ```
///
/// Every source format gives the same model; see `ModelAssembly` for the order and the form of its parts.
public struct AppleModel: Sendable {
  /// The model.
  public var model: Model
  /// What a person should know: things of the file that mean nothing here, or could not be read.
  public var notes: [String]

  /// The largest model that is unpacked, in bytes; the largest known has some 60,000.
  private static let largestModel = 64 << 20

  /// A model with the notes on it.
  init(model: Model, notes: [String]) {
    self.model = model
    self.notes = notes
  }

  /// Reads the copy of its model that a store keeps in Z_MODELCACHE.
  public init(modelCache: [UInt8]) throws(AppleModelError) {
    guard let archive = InflateStream.unpack(modelCache, limit: Self.largestModel) else {
      throw AppleModelError(.damaged("it cannot be unpacked"))
    }
    self = try ModelArchiveReader.model(archive)
  }

  /// Reads a compiled model, the bytes of a `.mom`.
  public init(compiled bytes: [UInt8]) throws(AppleModelError) {
    self = try ModelArchiveReader.model(bytes)
  }

  /// Reads the XML of a `.xcdatamodel`, the bytes of its file `contents`.
  public init(document bytes: [UInt8]) throws(AppleModelError) {
    self = try ModelDocumentReader.model(bytes)
  }
}
