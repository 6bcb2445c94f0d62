internal import AppleModels
internal import Foundation
public import Modeling
internal import SwiftParsing
internal import SwiftReading

// Models in other forms than Lua declarations.
/// Loads models from files and texts of Apple's tools and from Swift; parts that cannot be converted become warnings.
public struct ModelLoader {
  let engine: Engine

  /// Makes a loader that warns the user of an engine.
  public init(_ engine: Engine) { self.engine = engine }

  /// Loads a model from a file or folder of Apple's tools, or from the `@Model` classes of a Swift file; parts that
  /// cannot be converted become warnings. `version` names one of several, a schema in a Swift file.
  ///
  /// - Throws: AppleModelError, SwiftReadingError.
  public func load(_ path: String, version: String? = nil) throws -> Model {
    if path.hasSuffix(".swift") {
      guard let source = FileManager.default.contents(atPath: path) else {
        throw AppleModelError(.notFound, path: path)
      }
      do {
        return try model(declaredBy: String(decoding: source, as: UTF8.self), schema: version, path: path)
      } catch var error as SwiftReadingError {
        error.path = path
        throw error
      }
    }
    let loaded = try AppleModel(path: path, version: version)
    for note in loaded.notes { engine.host.onWarning?("\(path): \(note)") }
    return loaded.model
  }

  /// Whether a Swift file declares a version of a schema by this name.
  public static func hasSchema(_ name: String, inModel path: String) -> Bool {
    guard path.hasSuffix(".swift"), let source = FileManager.default.contents(atPath: path) else { return false }
    return SwiftDataModel.schemas(in: String(decoding: source, as: UTF8.self)).contains(name)
  }

  /// Parses a model from Swift with `@Model` classes, or from the XML of a `.xcdatamodel`.
  ///
  /// Parts that cannot be converted become warnings, with the `path` of the text's file.
  func model(declaredBy text: String, schema: String? = nil, path: String? = nil) throws -> Model {
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if start.first == "<" {
      let read = try AppleModel(document: Array(start.utf8))
      for note in read.notes { engine.warn(path.map { "\($0): \(note)" } ?? note) }
      return read.model
    }
    let read = try SwiftDataModel(swift: text, schema: schema, path: path)
    read.notes.forEach(engine.warn)
    return read.model
  }
}
