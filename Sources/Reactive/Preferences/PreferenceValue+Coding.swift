internal import Foundation

extension PreferenceValue: Codable {
  private enum Kind: String, CodingKey {
    case bool, int, double, string, data, date, list, dictionary
  }

  /// Writes an object with one member, the type.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    switch self {
    case .bool(let flag): try container.encode(flag, forKey: .bool)
    case .int(let number): try container.encode(number, forKey: .int)
    case .double(let number): try container.encode(number, forKey: .double)
    case .string(let text): try container.encode(text, forKey: .string)
    case .data(let bytes): try container.encode(Data(bytes), forKey: .data)
    case .date(let seconds): try container.encode(seconds, forKey: .date)
    case .list(let values): try container.encode(values, forKey: .list)
    case .dictionary(let values): try container.encode(values, forKey: .dictionary)
    }
  }

  /// Reads an object with one member, the type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    switch container.allKeys.first {
    case .bool: self = .bool(try container.decode(Bool.self, forKey: .bool))
    case .int: self = .int(try container.decode(Int64.self, forKey: .int))
    case .double: self = .double(try container.decode(Double.self, forKey: .double))
    case .string: self = .string(try container.decode(String.self, forKey: .string))
    case .data: self = .data(Array(try container.decode(Data.self, forKey: .data)))
    case .date: self = .date(try container.decode(Double.self, forKey: .date))
    case .list: self = .list(try container.decode([PreferenceValue].self, forKey: .list))
    case .dictionary: self = .dictionary(try container.decode([String: PreferenceValue].self, forKey: .dictionary))
    case nil:
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no known type"))
    }
  }
}
