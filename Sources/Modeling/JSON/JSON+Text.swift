extension JSON {
  /// The value as compact JSON text with sorted keys: `{"a":[1,2.5,null]}`.
  ///
  /// Doubles are printed with the fewest digits that read back the same, integral ones with `.0`; NaN and the
  /// infinities, which JSON lacks, as `null`.
  public var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with a line for each element, indented by two spaces, and sorted keys.
  public var indentedText: String {
    var bytes: [UInt8] = []
    writeIndented(to: &bytes, depth: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func writeIndented(to output: inout [UInt8], depth: Int) {
    func line(_ depth: Int) { output += "\n".utf8 + [UInt8](repeating: UInt8(ascii: " "), count: depth * 2) }
    switch self {
    case .array(let elements) where !elements.isEmpty:
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        line(depth + 1)
        element.writeIndented(to: &output, depth: depth + 1)
      }
      line(depth)
      output.append(UInt8(ascii: "]"))
    case .object(let members) where !members.isEmpty:
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        line(depth + 1)
        Self.write(member.key, to: &output)
        output += ": ".utf8
        member.value.writeIndented(to: &output, depth: depth + 1)
      }
      line(depth)
      output.append(UInt8(ascii: "}"))
    default: write(to: &output)
    }
  }

  /// The compact text for readers outside of a store, such as a terminal: the characters that a terminal obeys are escaped.
  public var outputText: String {
    let text = text
    guard text.unicodeScalars.contains(where: \.actsOnTerminals) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if scalar.actsOnTerminals {
        shown += "\\u" + String(0x10000 + scalar.value, radix: 16).suffix(4)
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// Appends the compact text to `output`.
  public func write(to output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .int(let value): output.append(contentsOf: String(value).utf8)
    case .double(let value): output.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
    case .string(let value): Self.write(value, to: &output)
    case .array(let elements): Self.write(elements, to: &output)
    case .object(let members): Self.write(members, to: &output)
    }
  }

  /// Appends `string` in quotes and escaped to `output`.
  public static func write(_ string: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        output.append(byte)
      } else {
        output.append(contentsOf: escape(byte).utf8)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func write(_ elements: [JSON], to output: inout [UInt8]) {
    output.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      element.write(to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private static func write(_ members: [String: JSON], to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      write(member.key, to: &output)
      output.append(UInt8(ascii: ":"))
      member.value.write(to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  private static func escape(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    case 0x08: "\\b"
    case 0x09: "\\t"
    case 0x0A: "\\n"
    case 0x0C: "\\f"
    case 0x0D: "\\r"
    default: "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
