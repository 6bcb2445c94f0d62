internal import AppleModels
internal import Foundation
public import Modeling
internal import SwiftInterchange

// Models in other forms than Lua declarations.
extension Engine {
  /// Loads a model from a file or folder of Apple's tools, or from the `@Model` classes of a Swift file; parts that
  /// cannot be converted become warnings.
  ///
  /// - Throws: AppleModelError, SwiftReadingError.
  public func loadAppleModel(_ path: String, version: String? = nil) throws -> Model {
    if path.hasSuffix(".swift") {
      guard let source = FileManager.default.contents(atPath: path) else {
        throw AppleModelError(.notFound, path: path)
      }
      return try model(declaredBy: String(decoding: source, as: UTF8.self))
    }
    let loaded = try AppleModel(path: path, version: version)
    for note in loaded.notes { onWarning?(note) }
    return loaded.model
  }

  /// Parses a model from Swift with `@Model` classes, or from the XML of a `.xcdatamodel`.
  ///
  /// Parts that cannot be converted become warnings.
  func model(declaredBy text: String) throws -> Model {
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if start.first == "<" {
      let read = try AppleModel(document: Array(start.utf8))
      read.notes.forEach(warn)
      return read.model
    }
    let read = try SwiftDataModel(swift: text)
    read.notes.forEach(warn)
    return read.model
  }
}
