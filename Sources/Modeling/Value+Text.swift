extension Value {
  /// The value for people, as `tostring` shows it: text unchanged, dates in ISO 8601, data by its size.
  public var displayText: String {
    switch self {
    case .null: "nil"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .double(let value): "\(value)"
    case .decimal(let value): value.canonicalText
    case .string(let value), .url(let value): value
    case .date(let value): value.iso8601
    case .uuid(let value): value.canonicalText
    case .data(let bytes): bytes.count == 1 ? "<1 byte>" : "<\(bytes.count) bytes>"
    case .json(let json): json.text
    case .object(let id): id.description
    case .list(let values): "{" + values.map(\.debugText).joined(separator: ", ") + "}"
    }
  }

  /// The value in Lua's notation: text in quotes, others by their constructor, `Date "2024-01-22T16:26:12Z"`.
  public var debugText: String {
    switch self {
    case .string(let value): value.quotedForLua
    case .date(let value) where value.components == nil: value.iso8601
    case .date(let value): "Date \"\(value.iso8601)\""
    case .decimal(let value): "Decimal \"\(value.canonicalText)\""
    case .uuid(let value): "UUID \"\(value.canonicalText)\""
    case .url(let value): "URL " + value.quotedForLua
    case .data(let bytes): "Data " + Self.quotedForLua(bytes)
    default: displayText
    }
  }

  /// Bytes as a Lua string; bytes that are not UTF-8 as `\xXX`.
  private static func quotedForLua(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text.quotedForLua }
    let escaped = bytes.map { byte in
      byte < 0x80 ? String(UnicodeScalar(byte)).escapedForLua : "\\x" + String(byte, radix: 16)
    }
    return "\"" + escaped.joined() + "\""
  }
}

extension String {
  /// The text as a Lua string in double quotes.
  public var quotedForLua: String { "\"\(escapedForLua)\"" }

  /// The text with quotes, backslashes and control characters escaped.
  fileprivate var escapedForLua: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        result += (scalar.value < 16 ? "\\x0" : "\\x") + String(scalar.value, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
