internal import LuaRuntime
internal import Modeling
internal import Stores
internal import Transfer

/// The destinations of a file's columns.
struct ImportMapping {
  let names: [String]
  private(set) var columns: [ImportColumn] = []
  /// To-one relationships whose destination several columns identify together.
  private(set) var composites: [Composite] = []

  /// A to-one relationship whose destination several columns identify, by attributes that are unique together.
  ///
  /// The rows get an additional field for it, after those of the file.
  struct Composite {
    var relationship: Int
    var destination: Entity
    /// The fields of the file, and the destination's attributes with the same values.
    var parts: [(field: Int, attribute: Int)]
    var field: Int
    var refuses: Bool
    var nullTexts: [String]
  }

  /// The destinations in `map`, by column; none for `false`.
  struct Places {
    private(set) var names: [String] = []
    private var places: [String: [String]] = [:]

    init(_ call: Call, _ options: Options) throws {
      let given = try options.with("map") { index -> [(String, [String])] in
        guard call.stack.type(at: index) == .table else {
          throw options.expected("a table of places by column", "map", index)
        }
        var list: [(String, [String])] = []
        try call.stack.forEachPair(at: index) { stack in
          guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else {
            throw call.fail("map: expected the names of columns, got a key of type \(stack.typeName(at: -2))")
          }
          list.append((name, try Self.places(of: name, at: stack.count, call)))
        }
        return list
      }
      for (name, list) in (given ?? []).sorted(by: { $0.0 < $1.0 }) {
        names.append(name)
        places[name] = list
      }
    }

    private static func places(of name: String, at index: Int32, _ call: Call) throws -> [String] {
      let stack = call.stack
      if let place = stack.string(at: index) { return [place] }
      if stack.type(at: index) == .boolean, !stack.bool(at: index) { return [] }
      let list = try stack.elements(at: index) { stack.string(at: $0) }
      guard let list, !list.contains(where: { $0 == nil }) else {
        throw call.fail(
          "map.\(name): expected a property, a list of properties, or false, got \(stack.typeName(at: index))")
      }
      return list.compactMap(\.self)
    }

    subscript(_ name: String) -> [String]? { places[name] }
  }

  private let entity: Entity
  private let store: any OpenedStore
  private let nullTexts: [String]
  private let missing: ImportColumn.MissingReference
  private var notation = TextNotation()
  private var file = ""
  private var placeOfField: ((Int) -> TextPlace)?

  /// Maps the columns of a file to the entity that was made for it.
  init(_ shape: RowsShape, _ rows: DataFile.Rows, of entity: Entity, in store: any OpenedStore) {
    names = shape.columns.map(\.header)
    self.entity = entity
    self.store = store
    nullTexts = []
    missing = .refuse
    var marks: [String] = []
    if case .delimited(_, true) = rows { marks = ["\\N"] }
    for (field, column) in shape.columns.enumerated() where !column.isLeftOut {
      guard let index = entity.index(of: column.attribute.name) else { continue }
      columns.append(
        ImportColumn(field: field, .attribute(index), nullTexts: column.nullTexts + marks, notation: column.notation))
    }
  }

  init(
    _ names: [String], of entity: Entity, in store: any OpenedStore, _ call: Call, _ places: Places,
    nullTexts: [String],
    missing: ImportColumn.MissingReference, _ rows: DataFile.Rows, file: DataFile
  ) throws {
    self.names = names
    self.entity = entity
    self.store = store
    self.nullTexts = nullTexts
    self.missing = missing
    var allowsMissingColumns = false
    switch rows {
    case .json: allowsMissingColumns = file.columns == nil
    case .delimited(let reader, _):
      notation.hasDecimalComma = reader.format.delimiter == UInt8(ascii: ";")
      placeOfField = { reader.place(ofField: $0) }
    }
    self.file = file.label
    if !allowsMissingColumns, let name = places.names.first(where: { !names.contains($0) }) {
      throw call.fail("map: the file has no column '\(name)'\(ErrorReport.hint(nearest(name, names)))")
    }
    var parts: [Int: [(field: Int, attribute: Int)]] = [:]
    for (field, name) in names.enumerated() {
      for place in places[name] ?? [name] {
        if places[name] == nil, allowsMissingColumns, !isImportable(place) { continue }
        let steps = place.split(separator: ".", maxSplits: 1).map(String.init)
        if steps.count == 2 {
          let (relationship, attribute) = try part(steps[0], steps[1], call)
          parts[relationship, default: []].append((field, attribute))
        } else {
          columns.append(try column(place, field, isMapped: places[name] != nil, call))
        }
      }
    }
    for (relationship, list) in parts.sorted(by: { $0.key < $1.key }) { add(relationship, list) }
  }

  /// Whether a field may set the property: JSON rows need not have all keys, and the file's own names are unknown.
  private func isImportable(_ name: String) -> Bool {
    guard let property = entity.property(named: name) else { return false }
    return property.isWritable && property.relationship?.isToMany != true && !property.isTransient
  }

  private func column(_ name: String, _ field: Int, isMapped: Bool, _ call: Call) throws -> ImportColumn {
    // A column's destination is the property that was named after it.
    let made = isMapped ? nil : entity.index(of: Naming.property(header: name, number: field + 1))
    guard let index = entity.index(of: name) ?? made else {
      let near = nearest(name, entity.properties.map(\.name))
      if isMapped { throw call.fail("map: \(entity.name) has no property '\(name)'\(ErrorReport.hint(near))") }
      let fact = ImportError.Fact.noSuchProperty(entity: entity.name, nearest: near)
      let error = ImportError(fact: fact, place: placeOfField?(field), field: field)
      throw ImportFailure(path: file, error: error, names: names)
    }
    guard entity.properties[index].relationship != nil else {
      return ImportColumn(field: field, .attribute(index), nullTexts: nullTexts, notation: notation)
    }
    return ImportColumn(
      field: field, .reference(index, by: referredAttribute(index), missing: missing), nullTexts: nullTexts)
  }

  /// The destination's attribute whose value the column of a to-one relationship contains; nil if it contains the key.
  private func referredAttribute(_ index: Int) -> Int? {
    guard case .reference(_, .columns(let names)) = store.layout(of: entity).properties[index], names.count == 1 else {
      return nil
    }
    let destination = entity.destination(at: index)
    let layout = store.layout(of: destination)
    return layout.properties.firstIndex { property in
      if case .column(let column) = property { layout.columns[column].name == names[0] } else { false }
    }
  }

  /// The to-one relationship and the destination's attribute in a path such as `airline.code`.
  private func part(_ name: String, _ attribute: String, _ call: Call) throws -> (relationship: Int, attribute: Int) {
    guard let index = entity.index(of: name), entity.properties[index].relationship?.isToMany == false else {
      let toOnes = entity.relationships.filter { !$0.isToMany }.map(\.name)
      throw call.fail("map: '\(name)' is not a to-one of \(entity.name)\(ErrorReport.hint(nearest(name, toOnes)))")
    }
    let destination = entity.destination(at: index)
    guard let place = destination.index(of: attribute), destination.properties[place].attribute != nil else {
      let hint = ErrorReport.hint(nearest(attribute, destination.attributes.map(\.name)))
      throw call.fail("map: \(destination.name) has no attribute '\(attribute)'\(hint)")
    }
    return (index, place)
  }

  private mutating func add(_ relationship: Int, _ parts: [(field: Int, attribute: Int)]) {
    guard parts.count > 1 else {
      columns.append(
        ImportColumn(
          field: parts[0].field, .reference(relationship, by: parts[0].attribute, missing: missing),
          nullTexts: nullTexts))
      return
    }
    let field = names.count + composites.count
    composites.append(
      Composite(
        relationship: relationship, destination: entity.destination(at: relationship), parts: parts, field: field,
        refuses: missing == .refuse, nullTexts: nullTexts))
    columns.append(ImportColumn(field: field, .reference(relationship, by: nil, missing: missing)))
  }
}
