internal import Foundation

/// The content of a preference file: values by name, in scopes.
struct PreferenceTable: Codable, Equatable {
  private var app: [String: PreferenceValue] = [:]
  private var scenes: [String: [String: PreferenceValue]] = [:]

  subscript(key: PreferenceKeyPath) -> PreferenceValue? {
    get { key.scene.map { scenes[$0]?[key.name] } ?? app[key.name] }
    set {
      guard let scene = key.scene else { return app[key.name] = newValue }
      scenes[scene, default: [:]][key.name] = newValue
      if scenes[scene]?.isEmpty == true { scenes[scene] = nil }
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    app = try container.decodeIfPresent([String: PreferenceValue].self, forKey: .app) ?? [:]
    scenes = try container.decodeIfPresent([String: [String: PreferenceValue]].self, forKey: .scenes) ?? [:]
  }

  /// Decodes a file's bytes; returns nil if they are invalid.
  init?(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let table = try? decoder.decode(PreferenceTable.self, from: Data(bytes)) else { return nil }
    self = table
  }

  /// Creates an empty table.
  init() {}

  /// Encodes the table for a file.
  func bytes() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}

/// The location of a value in a preference file.
struct PreferenceKeyPath: Hashable {
  /// The scene of the value; nil for a value of the program.
  var scene: String?
  var name: String
}
