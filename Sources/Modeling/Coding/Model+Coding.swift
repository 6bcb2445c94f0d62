extension Model {
  /// The version of the text that `encoded` returns. Raise it if an older reader would misunderstand the text; new
  /// fields that it may ignore do not require it.
  static let codingVersion: Int64 = 1

  /// The declarations as JSON, always the same text for the same declarations: sorted keys, and only fields that differ
  /// from their defaults.
  ///
  /// ```json
  /// {"entities":[{"name":"Quake","properties":[{"name":"magnitude","type":"Double"}]}],"version":1}
  /// ```
  public func encoded() -> String {
    let entities = JSON.array(descriptions.map { $0.json(.everything) })
    var fields: [String: JSON] = ["version": .int(Self.codingVersion), "entities": entities]
    let templates = fetchRequestTemplates.sorted { $0.key < $1.key }
    if !templates.isEmpty { fields["templates"] = .array(templates.map { .object($1.json(named: $0)) }) }
    let configurations = configurations.mapValues { JSON.array($0.map(JSON.string)) }
    if !configurations.isEmpty { fields["configurations"] = .object(configurations) }
    if !cloudKitConfigurations.isEmpty {
      fields["cloudKit"] = .array(cloudKitConfigurations.sorted().map(JSON.string))
    }
    fields["modelVersion"] = version.map { .string($0.text) }
    return JSON.object(fields).text
  }

  /// Decodes a model from `encoded` text; ignores unknown fields.
  ///
  /// - Throws: `ModelCodingError` for a text that is not an encoded model, `ModelError` for a contradictory model.
  public convenience init(encoded text: String) throws {
    let fields = try Self.fields(encoded: text)
    let descriptions = try fields.objects("entities").map { fields throws(ModelCodingError) in
      try EntityDescription(fields)
    }
    var templates: [String: FetchRequestTemplate] = [:]
    for template in try fields.objects("templates") {
      templates[try template.string("name")] = try FetchRequestTemplate(template)
    }
    try self.init(
      descriptions, version: fields.optionalString("modelVersion").map(ModelVersion.init),
      fetchRequestTemplates: templates, configurations: fields.listsByName("configurations"),
      cloudKitConfigurations: Set(fields.strings("cloudKit")))
  }

  private static func fields(encoded text: String) throws(ModelCodingError) -> JSONFields {
    let json: JSON
    do { json = try JSON.parse(text) } catch { throw .notJSON(error) }
    let fields = try JSONFields(json, path: "")
    guard let version = try fields.optionalInt("version") else {
      throw .invalidField(path: "version", expected: "a number")
    }
    guard version <= codingVersion else { throw .unknownVersion(version, newest: codingVersion) }
    return fields
  }

  /// A hash of everything on which a store's tables depend, in 16 hexadecimal digits.
  ///
  /// It is equal in every run and on every machine for models whose objects are stored alike: names, types,
  /// optionality, uniqueness, indexes, derivations, hierarchy and relationships count; defaults, bounds, lengths,
  /// patterns, user infos and renaming identifiers do not. It is the 64-bit FNV-1a hash of the JSON of those fields.
  public var fingerprint: String {
    let text = JSON.array(descriptions.map { $0.json(.schema) }).text
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The fields of a declaration to write.
enum CodingScope {
  case everything
  /// The fields on which tables depend.
  case schema
}
