internal import struct Foundation.Decimal
internal import struct Foundation.UUID

extension Attribute {
  /// Returns the value in the attribute's stored form, or throws the reason why there is none.
  ///
  /// ```swift
  /// try Attribute("n", .integer16).coerce(.double(5))     // .int(5)
  /// try Attribute("n", .integer16).coerce(.string("5"))   // throws wrongType
  /// ```
  ///
  /// Numbers are converted to the type's kind of number if at most a Double's last digits are lost; a double without a
  /// fraction may become an integer. Text is not converted, except if Lua has no other form of the type: UUID and URL
  /// are texts there, Data and String are both bytes. Nil stays nil; `violations(of:)` decides whether nil is allowed.
  /// Float keeps the digits of a Double and rejects only numbers out of a Float's range.
  public func coerce(_ value: Value) throws(ValueError) -> Value {
    switch (type, value) {
    case (_, .null), (.boolean, .bool), (.string, .string), (.url, .url), (.uuid, .uuid), (.data, .data): return value
    case (.integer64, .int): return value
    case (.integer16, _), (.integer32, _), (.integer64, _): return .int(try integer(value))
    case (.double, _), (.float, _): return .double(try double(value))
    case (.decimal, _): return .decimal(try decimal(value))
    case (.date, .date(let instant)):
      guard instant.seconds.isFinite else { throw notANumber(value) }
      return value
    case (.string, .data(let bytes)):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw error(.invalidUTF8(value: value.shortText))
      }
      return .string(text)
    case (.uuid, .string(let text)):
      guard let uuid = UUID(lenient: text) else { throw invalidText(value) }
      return .uuid(uuid)
    case (.url, .string(let text)):
      guard Self.isURL(text) else { throw invalidText(value) }
      return .url(text)
    case (.data, .string(let text)): return .data(Array(text.utf8))
    case (.transformable, _): return try transformable(value)
    case (.composite, .json(.object(let members))): return .json(try composite(members))
    case (.any, _): return try anything(value)
    default: throw wrongType(value)
    }
  }

  private func integer(_ value: Value) throws(ValueError) -> Int64 {
    let whole: Int64?
    switch value {
    case .int(let number): whole = number
    case .double(let number):
      guard !number.isNaN else { throw notANumber(value) }
      guard number.isInfinite || number == number.rounded() else { throw notWhole(value) }
      whole = Int64(exactly: number)
    case .decimal(let number):
      guard !number.isNaN else { throw notANumber(value) }
      guard number.exponent >= 0 || number.isZero else { throw notWhole(value) }
      whole = Int64(number.canonicalText)
    default: throw wrongType(value)
    }
    guard let whole, type.integerRange?.contains(whole) == true else { throw outOfRange(value) }
    return whole
  }

  private func double(_ value: Value) throws(ValueError) -> Double {
    let number: Double
    switch value {
    case .double(let double): number = double
    case .int(let integer): number = Double(integer)
    case .decimal(let decimal): number = Double(decimal.canonicalText) ?? .nan
    default: throw wrongType(value)
    }
    guard !number.isNaN else { throw notANumber(value) }
    if type == .float, number.isFinite, !Float(number).isFinite { throw outOfRange(value) }
    return number
  }

  private func decimal(_ value: Value) throws(ValueError) -> Decimal {
    switch value {
    case .decimal(let number):
      guard !number.isNaN else { throw notANumber(value) }
      return number
    case .int(let number): return Decimal(number)
    case .double(let number):
      guard !number.isNaN else { throw notANumber(value) }
      guard let decimal = Decimal(shortest: number) else { throw outOfRange(value) }
      return decimal
    default: throw wrongType(value)
    }
  }

  private func transformable(_ value: Value) throws(ValueError) -> Value {
    guard let json = JSON(value), json.isFinite else { throw error(.notJSON(value: value.shortText)) }
    return json == .null ? .null : .json(json)
  }

  /// Checks each element by its own attribute; a missing or null element stays so.
  private func composite(_ members: [String: JSON]) throws(ValueError) -> JSON {
    var kept: [String: JSON] = [:]
    for (name, member) in members.sorted(by: { $0.key < $1.key }) where member != .null {
      guard var element = elements.first(where: { $0.name == name }) else {
        throw error(.unknownElement(name, nearest: nearestName(to: name, in: elements.map(\.name))))
      }
      element.name = "\(self.name).\(name)"
      let value = try element.value(from: member)
      guard let json = element.elementJSON(of: value) else { throw element.error(.notJSON(value: value.shortText)) }
      if json != .null { kept[name] = json }
    }
    return .object(kept)
  }

  /// A value for an SQLite column without a type.
  private func anything(_ value: Value) throws(ValueError) -> Value {
    switch value {
    case .null, .int, .string, .data: return value
    case .double(let number):
      guard !number.isNaN else { throw notANumber(value) }
      return value
    case .bool(let flag): return .int(flag ? 1 : 0)
    case .decimal, .date, .uuid, .url, .json: return .string(value.displayText)
    case .object, .list: throw wrongType(value)
    }
  }

  /// Whether the text can be an RFC 3986 URL: not empty, without spaces and control characters.
  private static func isURL(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}

extension Attribute {
  /// Creates an error in a value of the attribute.
  public func error(_ fact: ValueError.Fact) -> ValueError { ValueError(property: name, fact) }

  func wrongType(_ value: Value) -> ValueError {
    error(.wrongType(expected: type, found: value.kindName, value: value.shortText))
  }

  func notWhole(_ value: Value) -> ValueError { error(.notWhole(expected: type, value: value.shortText)) }

  func outOfRange(_ value: Value) -> ValueError { error(.outOfRange(expected: type, value: value.shortText)) }

  func notANumber(_ value: Value) -> ValueError { error(.notANumber(expected: type, value: value.shortText)) }

  func invalidText(_ value: Value) -> ValueError { error(.invalidText(expected: type, value: value.shortText)) }
}
