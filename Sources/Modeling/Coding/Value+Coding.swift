internal import struct Foundation.Data
internal import struct Foundation.Decimal
internal import struct Foundation.UUID

extension Value {
  /// The value as JSON that reads back exactly: plain if JSON has the kind, otherwise an object with the kind's name.
  ///
  /// `{"date":0.1}`, `{"decimal":"1.1"}`. An object ID belongs to a store and is encoded as null.
  package var coded: JSON {
    switch self {
    case .null, .object: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .double(let number): number.isFinite ? .double(number) : .object(["double": .string("\(number)")])
    case .string(let text): .string(text)
    case .decimal(let number): .object(["decimal": .string(number.canonicalText)])
    case .date(let instant): .object(["date": Value.double(instant.seconds).coded])
    case .uuid(let uuid): .object(["uuid": .string(uuid.canonicalText)])
    case .url(let text): .object(["url": .string(text)])
    case .data(let bytes): .object(["data": .string(Data(bytes).base64EncodedString())])
    case .json(let json): .object(["json": json])
    case .list(let values): .object(["list": .array(values.map(\.coded))])
    }
  }

  /// Decodes what `coded` returned; nil for anything else.
  package init?(coded json: JSON) {
    guard case .object(let fields) = json else {
      guard case .array = json else {
        self = json.plainValue
        return
      }
      return nil
    }
    guard fields.count == 1, let (kind, content) = fields.first else { return nil }
    switch (kind, content) {
    case ("double", .string(let text)): self = .double(Double(text) ?? .nan)
    case ("date", _):
      guard case .double(let seconds)? = Value(coded: content) else { return nil }
      self = .date(Timestamp(seconds))
    case ("decimal", .string(let text)):
      guard let number = Decimal(exactly: text) else { return nil }
      self = .decimal(number)
    case ("uuid", .string(let text)):
      guard let uuid = UUID(lenient: text) else { return nil }
      self = .uuid(uuid)
    case ("url", .string(let text)): self = .url(text)
    case ("data", .string(let text)):
      guard let data = Data(base64Encoded: text) else { return nil }
      self = .data(Array(data))
    case ("json", _): self = .json(content)
    case ("list", .array(let elements)):
      let values = elements.compactMap { Value(coded: $0) }
      guard values.count == elements.count else { return nil }
      self = .list(values)
    default: return nil
    }
  }
}
