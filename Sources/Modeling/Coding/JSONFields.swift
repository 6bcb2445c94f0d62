/// The fields of a JSON object that is being decoded, and its path from the root.
struct JSONFields {
  private let members: [String: JSON]
  private let path: String

  init(_ json: JSON, path: String) throws(ModelCodingError) {
    guard case .object(let members) = json else { throw .invalidField(path: path, expected: "an object") }
    self.members = members
    self.path = path
  }

  func string(_ key: String) throws(ModelCodingError) -> String {
    guard let value = try optionalString(key) else { throw invalid(key, "a string") }
    return value
  }

  func optionalString(_ key: String) throws(ModelCodingError) -> String? {
    switch members[key] {
    case nil, .null?: return nil
    case .string(let value)?: return value
    default: throw invalid(key, "a string")
    }
  }

  /// Returns the flag, or `standard` if the field is absent.
  func flag(_ key: String, default standard: Bool) throws(ModelCodingError) -> Bool {
    switch members[key] {
    case nil, .null?: return standard
    case .bool(let value)?: return value
    default: throw invalid(key, "a boolean")
    }
  }

  func optionalInt(_ key: String) throws(ModelCodingError) -> Int64? {
    switch members[key] {
    case nil, .null?: return nil
    case .int(let value)?: return value
    default: throw invalid(key, "a number")
    }
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String) throws(ModelCodingError) -> Choice? {
    guard let text = try optionalString(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw invalid(key, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  func objects(_ key: String) throws(ModelCodingError) -> [JSONFields] {
    var fields: [JSONFields] = []
    for (index, element) in try array(key).enumerated() {
      fields.append(try JSONFields(element, path: "\(name(of: key))[\(index)]"))
    }
    return fields
  }

  func strings(_ key: String) throws(ModelCodingError) -> [String] {
    try array(key).map { element throws(ModelCodingError) in
      guard case .string(let text) = element else { throw invalid(key, "a list of strings") }
      return text
    }
  }

  /// The elements of a list of mixed kinds.
  func items(_ key: String) throws(ModelCodingError) -> [JSONItem] {
    try array(key).enumerated().map { JSONItem(json: $1, path: "\(name(of: key))[\($0)]") }
  }

  func lists(_ key: String) throws(ModelCodingError) -> [[String]] {
    try array(key).map { list throws(ModelCodingError) in
      guard case .array(let elements) = list else { throw invalid(key, "lists of strings") }
      return try elements.map { element throws(ModelCodingError) in
        guard case .string(let text) = element else { throw invalid(key, "lists of strings") }
        return text
      }
    }
  }

  func texts(_ key: String) throws(ModelCodingError) -> [String: String] {
    guard let json = members[key] else { return [:] }
    guard case .object(let fields) = json else { throw invalid(key, "an object of strings") }
    var texts: [String: String] = [:]
    for (name, field) in fields {
      guard case .string(let text) = field else { throw invalid(key, "an object of strings") }
      texts[name] = text
    }
    return texts
  }

  func listsByName(_ key: String) throws(ModelCodingError) -> [String: [String]] {
    guard let json = members[key] else { return [:] }
    let fields = try JSONFields(json, path: name(of: key))
    var lists: [String: [String]] = [:]
    for name in fields.members.keys { lists[name] = try fields.strings(name) }
    return lists
  }

  func value(_ key: String) throws(ModelCodingError) -> Value {
    guard let json = members[key] else { return .null }
    guard let value = Value(coded: json) else { throw invalid(key, "a value") }
    return value
  }

  private func array(_ key: String) throws(ModelCodingError) -> [JSON] {
    switch members[key] {
    case nil, .null?: return []
    case .array(let elements)?: return elements
    default: throw invalid(key, "a list")
    }
  }

  private func name(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  func invalid(_ key: String, _ expected: String) -> ModelCodingError {
    .invalidField(path: name(of: key), expected: expected)
  }
}

/// A value that is being decoded, and its path from the root.
struct JSONItem {
  let json: JSON
  let path: String

  func strings() throws(ModelCodingError) -> [String] {
    guard case .array(let elements) = json else { throw .invalidField(path: path, expected: "a list of strings") }
    return try elements.map { element throws(ModelCodingError) in
      guard case .string(let text) = element else {
        throw .invalidField(path: path, expected: "a list of strings")
      }
      return text
    }
  }
}
