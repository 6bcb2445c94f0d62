internal import Foundation
public import LuaBindings
internal import Modeling

// Codable types are tables. Dates within them are texts, as in JSON: "2026-11-27T12:00:00Z".
extension ConsoleValue where Self: Codable {
  /// The name of the type.
  public static var consoleNoun: String { "\(Self.self)" }

  /// Decodes a table.
  public static func consoleValue(_ value: HostValue) throws -> Self {
    guard let json = value.json else { throw ConsoleMismatch.of(value, self) }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    do { return try decoder.decode(Self.self, from: Data(json.text.utf8)) } catch let error as DecodingError {
      throw ConsoleMismatch(error, decoding: value, Self.self)
    }
  }

  /// Encodes the value as a table.
  public func hostValue() throws -> HostValue {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return HostValue(try JSON.parse(Array(try encoder.encode(self))))
  }
}

extension HostValue {
  init(_ json: JSON) {
    switch json {
    case .null: self = .value(.null)
    case .bool(let flag): self = .value(.bool(flag))
    case .int(let number): self = .value(.int(number))
    case .double(let number): self = .value(.double(number))
    case .string(let text): self = .value(.string(text))
    case .array(let elements): self = .list(elements.map(HostValue.init))
    case .object(let members): self = .record(members.mapValues(HostValue.init))
    }
  }

  /// The value as JSON; nil for objects.
  var json: JSON? {
    switch self {
    case .value(.date(let instant)): return .string(Timestamp(instant.seconds.rounded(.down)).iso8601)
    case .value(let value): return JSON(value)
    case .list(let elements):
      let read = elements.map(\.json)
      return read.contains(nil) ? nil : .array(read.compactMap(\.self))
    case .record(let fields):
      let read = fields.mapValues(\.json)
      return read.values.contains(nil) ? nil : .object(read.compactMapValues(\.self))
    case .object, .instance: return nil
    }
  }
}

extension ConsoleMismatch {
  /// What a decoder says of a value.
  fileprivate init(_ error: DecodingError, decoding value: HostValue, _ type: Any.Type) {
    let noun = "a \(type)"
    switch error {
    case .keyNotFound(let key, let context):
      self.init(place: Self.place(context), expected: noun, found: "a table without '\(key.stringValue)'")
    case .typeMismatch(let wanted, let context):
      self.init(place: Self.place(context), expected: "a \(wanted)", found: "another type")
    case .valueNotFound(let wanted, let context):
      self.init(place: Self.place(context), expected: "a \(wanted)", found: "no value")
    case .dataCorrupted(let context):
      self.init(place: Self.place(context), expected: noun, found: value.kindName)
    @unknown default:
      self.init(expected: noun, found: value.kindName)
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    context.codingPath.map { $0.intValue.map { "[\($0 + 1)]" } ?? ".\($0.stringValue)" }.joined()
  }
}
