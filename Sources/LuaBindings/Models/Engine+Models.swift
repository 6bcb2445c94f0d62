internal import AppleModels
internal import Foundation
public import Modeling
internal import SwiftInterchange

// Models that are not declared in Lua.
extension Engine {
  /// Loads a model that Apple's tools wrote to a file or folder, or that classes with `@Model` declare in a Swift file;
  /// parts that cannot be converted become warnings.
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

  /// The model that a text declares: Swift with `@Model` classes, or the XML of a `.xcdatamodel`.
  ///
  /// What the model cannot hold of it becomes warnings.
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
