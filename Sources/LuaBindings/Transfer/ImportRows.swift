internal import Modeling
internal import Queries
internal import Stores
internal import Transfer

/// The rows of a file with computed fields: a key for each to-one relationship that several columns identify, and the
/// unescaped text of tab-separated values.
final class ImportRows: ImportSource {
  /// The source of the fields.
  enum Base {
    case delimited(DelimitedReader, isEscaped: Bool)
    case other(any ImportSource)
  }

  private let base: Base
  private let rows: any ImportSource
  private let fieldCount: Int
  private var finders: [Finder]
  private var unescaped: [UInt8] = []

  /// Finds the destinations of one to-one relationship.
  private struct Finder {
    var composite: ImportMapping.Composite
    var parsers: [AttributeTextParser]
    var keys: [[Value]: Int64]
  }

  /// A key that no row has.
  private static let noKey = Int64.min

  init(_ base: Base, _ mapping: ImportMapping, _ store: any OpenedStore) throws {
    self.base = base
    rows =
      switch base {
      case .delimited(let reader, _): reader
      case .other(let source): source
      }
    fieldCount = mapping.names.count
    finders = try mapping.composites.map { composite in
      let parsers = composite.parts.compactMap { part in
        composite.destination.properties[part.attribute].attribute.map(AttributeTextParser.init)
      }
      for parser in parsers { parser.nullTexts = composite.nullTexts }
      return Finder(composite: composite, parsers: parsers, keys: try Self.keys(composite, store))
    }
  }

  /// The keys of all objects by their identifying values.
  private static func keys(_ composite: ImportMapping.Composite, _ store: any OpenedStore) throws -> [[Value]: Int64] {
    let cursor = try store.cursor(Queries.FetchRequest(composite.destination))
    defer { cursor.close() }
    var keys: [[Value]: Int64] = [:]
    while try cursor.step() {
      let layout = store.layout(of: cursor.entity)
      let values = composite.parts.map { part -> Value in
        guard case .column(let column) = layout.properties[part.attribute] else { return .null }
        return decode(cursor, column, as: layout.columns[column].type)
      }
      keys[values] = cursor.key
    }
    return keys
  }

  private static func decode(_ cursor: RowCursor, _ column: Int, as type: AttributeType) -> Value {
    let storage = cursor.storageClass(column)
    let hasBytes = storage == .text || storage == .blob
    return ValueCoding.decode(
      storage, integer: storage == .integer ? cursor.integer(column) : 0,
      real: storage == .real ? cursor.real(column) : 0,
      bytes: hasBytes ? cursor.bytes(column) : UnsafeRawBufferPointer(start: nil, count: 0), as: type)
  }

  func next() throws -> Bool { try rows.next() }

  func read(_ field: Int, _ parser: AttributeTextParser) throws -> TypedField {
    if field >= fieldCount { return try key(finders[field - fieldCount]) }
    guard case .delimited(let reader, true) = base else { return try rows.read(field, parser) }
    // In tab-separated values nil is `\N`, so that an empty field is an empty text, as a quoted one is in CSV.
    let bytes = reader.field(field)
    if parser.isNull(bytes) { return .null }
    guard bytes.contains(UInt8(ascii: "\\")) else { return try parser.parse(bytes, wasQuoted: bytes.isEmpty) }
    unescape(bytes)
    let parsed = try unescaped.withUnsafeBytes { bytes throws(ValueError) in try parser.parse(bytes, wasQuoted: true) }
    // The text is in a buffer that the next escaped field overwrites: copy it.
    return if case .text = parsed { .value(parsed.value) } else { parsed }
  }

  private func unescape(_ bytes: UnsafeRawBufferPointer) {
    unescaped.removeAll(keepingCapacity: true)
    var isEscape = false
    for byte in bytes {
      guard isEscape else {
        isEscape = byte == UInt8(ascii: "\\")
        if !isEscape { unescaped.append(byte) }
        continue
      }
      isEscape = false
      switch byte {
      case UInt8(ascii: "t"): unescaped.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "n"): unescaped.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "r"): unescaped.append(UInt8(ascii: "\r"))
      default: unescaped.append(byte)
      }
    }
  }

  /// The key of the object that the fields of the row identify.
  private func key(_ finder: Finder) throws -> TypedField {
    var values: [Value] = []
    for (part, parser) in zip(finder.composite.parts, finder.parsers) {
      let value = try read(part.field, parser).value
      if value.isNull { return .null }
      values.append(value)
    }
    if let key = finder.keys[values] { return .int(key) }
    guard finder.composite.refuses else { return .int(Self.noKey) }
    let names = finder.composite.parts.map { finder.composite.destination.properties[$0.attribute].name }
    throw ImportError(
      fact: .noSuchObject(
        entity: finder.composite.destination.name, property: names.joined(separator: ", "),
        value: values.map(\.displayText).joined(separator: ", ")),
      place: place(ofField: finder.composite.field), field: finder.composite.parts[0].field)
  }

  func place(ofField field: Int) -> TextPlace {
    rows.place(ofField: field >= fieldCount ? finders[field - fieldCount].composite.parts[0].field : field)
  }

  var size: Int? { rows.size }
  var offset: Int { rows.offset }
}
