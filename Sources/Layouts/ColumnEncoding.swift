import Foundation
public import Modeling

/// How a column encodes the values of its attribute.
public enum ColumnEncoding: Hashable, Sendable {
  /// As `ValueCoding` writes the type.
  case plain
  /// A date as seconds since 2001-01-01T00:00:00Z.
  case referenceDate
  /// A date as a text of ISO 8601. Other values are kept as they are, and read as texts.
  case dateText(DateForm)
  /// A UUID as its 16 bytes.
  case uuidBytes
  /// A decimal number as a REAL.
  case real
  /// Data after a byte that says whether the data follows or is in an external file.
  case externalData
  /// The archive that a value transformer made of a value.
  case archive
  /// The output of an app's own value transformer, which only the app can make.
  case transformed
  /// No column of its own: one column for each element of a composite attribute.
  indirect case elements([ElementColumn])

  /// Whether a value is decoded when a script reads it, not when its row is read.
  public var isSealed: Bool {
    switch self {
    case .externalData, .archive, .transformed: true
    case .plain, .referenceDate, .dateText, .uuidBytes, .real, .elements: false
    }
  }

  /// Whether it is a text of ISO 8601.
  package var isDateText: Bool { if case .dateText = self { true } else { false } }

  /// An element of a composite, and where it is kept.
  public struct ElementColumn: Hashable, Sendable {
    /// The element's name.
    public var name: String
    /// The element's column; for an element that is itself composite, a layout with `elements`.
    public var column: ColumnLayout

    package init(name: String, column: ColumnLayout) {
      self.name = name
      self.column = column
    }
  }
}

/// The seconds between 1970 and 2001, from which Apple's dates count.
package let secondsToReferenceDate = 978_307_200.0

extension ColumnLayout {
  /// Whether the column holds archives or the output of a value transformer.
  package var isArchive: Bool { encoding == .archive || encoding == .transformed }

  /// The names of the table's columns that hold the value.
  public var storedNames: [String] {
    guard case .elements(let elements) = encoding else { return [name] }
    return elements.flatMap(\.column.storedNames)
  }

  /// The stored values of these columns, in their order.
  public func storedValues(_ value: Value) -> [Value] {
    guard case .elements(let elements) = encoding else { return [stored(value)] }
    var fields: [String: JSON] = [:]
    if case .json(.object(let members)) = value { fields = members }
    return elements.flatMap { element in
      element.column.storedValues(fields[element.name].map { element.value(of: $0) } ?? .null)
    }
  }

  /// The value that a stored one stands for.
  package func value(stored: Value) -> Value {
    switch (encoding, stored) {
    case (.referenceDate, .double(let seconds)): .date(Timestamp(seconds + secondsToReferenceDate))
    case (.referenceDate, .int(let seconds)): .date(Timestamp(Double(seconds) + secondsToReferenceDate))
    case (.dateText, .int(let number)): .string("\(number)")
    case (.dateText, .double(let number)): .string("\(number)")
    default: ValueCoding.decode(stored, as: type)
    }
  }

  /// A value in the form that a column of its own keeps it in.
  package func stored(_ value: Value) -> Value {
    switch (encoding, value) {
    case (.referenceDate, .date(let date)): .double(date.seconds - secondsToReferenceDate)
    case (.dateText(let form), .date(let date)): form.text(of: date).map(Value.string) ?? ValueCoding.stored(value)
    case (.uuidBytes, .uuid(let uuid)): .data(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case (.real, .decimal(let number)): .double((number as NSDecimalNumber).doubleValue)
    default: ValueCoding.stored(value)
    }
  }
}

extension ColumnEncoding.ElementColumn {
  /// Decodes the value of an element from a composite's JSON.
  fileprivate func value(of json: JSON) -> Value {
    if case .elements = column.encoding { return .json(json) }
    return Attribute(name, column.type).elementValue(json)
  }
}

extension [ColumnEncoding.ElementColumn] {
  /// The column of the element that names lead to.
  package func column(at names: some Collection<String>) -> ColumnLayout? {
    guard let first = names.first, let element = self.first(where: { $0.name == first }) else { return nil }
    let rest = names.dropFirst()
    if rest.isEmpty { return element.column }
    guard case .elements(let inner) = element.column.encoding else { return nil }
    return inner.column(at: rest)
  }
}
