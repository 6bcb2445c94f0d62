internal import Foundation

/// Everything that a preference file has: values by name, in scopes.
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

  /// The table that a file's bytes say; nil if they say none.
  init?(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let table = try? decoder.decode(PreferenceTable.self, from: Data(bytes)) else { return nil }
    self = table
  }

  /// A table without values.
  init() {}

  /// The table as a file has it.
  func bytes() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}

/// Where a preference file has a value.
struct PreferenceKeyPath: Hashable {
  /// What the value belongs to; nil for the program.
  var scene: String?
  var name: String
}
