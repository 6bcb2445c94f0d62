import Modeling
import Stores

/// Binds the fields of rows to the parameters of an INSERT, and of an UPDATE if rows may exist already.
///
/// Text is bound without a copy, in the source's memory: the store reads it before the source moves to the next row.
final class RowImporter {
  /// A field with its parameter.
  final class Field {
    /// The index of the field in a row.
    let index: Int
    let target: ImportColumn.Target
    let parser: AttributeTextParser
    let rule: ImportRule
    /// The reference of a to-one relationship's field; nil for attributes.
    let reference: ImportReference?
    /// The first parameter; a reference of several columns has several.
    let parameter: Int

    init(
      _ column: ImportColumn, _ parser: AttributeTextParser, _ rule: ImportRule, _ reference: ImportReference?,
      parameter: Int
    ) {
      index = column.field
      target = column.target
      self.parser = parser
      self.rule = rule
      self.reference = reference
      self.parameter = parameter
    }
  }

  let store: any OpenedStore
  let entity: Entity
  let source: any ImportSource
  let fields: [Field]
  /// What writes the rows; nil if the store writes them one by one, as all other objects are.
  private let insert: RowStatement?
  private let update: RowStatement?
  /// The field that identifies an existing row, and the UPDATE's parameter for it.
  let known: (field: Field, parameter: Int)?
  /// The field whose values other rows of the same file refer to, with the reference.
  let referred: (field: Field, reference: ImportReference)?
  var report = ImportReport()
  /// Where rows come from that the store may still refuse: their place, and their number.
  var recent = RecentRows<(place: TextPlace, row: Int)>()
  /// How many rows have been written or refused.
  var rowCount = 0

  init(
    _ store: any OpenedStore, _ entity: Entity, _ source: any ImportSource, _ columns: [ImportColumn], upsert: Int?
  ) throws {
    self.store = store
    self.entity = entity
    self.source = source
    let plan = try ImportPlan(store, entity, columns, upsert: upsert)
    insert = try store.insertStatement(entity, columns: plan.written + plan.defaults.map(\.column))
    update = try plan.known.flatMap { try store.updateStatement(entity, columns: plan.written, where: $0) }
    let fields = try columns.enumerated().map { index, column in
      let parser = AttributeTextParser(plan.attributes[index])
      parser.nullTexts = column.nullTexts
      parser.notation = column.notation
      let reference = try plan.references[index].map { try ImportReference(store, entity, $0) }
      return Field(
        column, parser, ImportRule(plan.attributes[index], entity.name), reference, parameter: plan.parameters[index])
    }
    self.fields = fields
    let toItself = fields.compactMap(\.reference).first(where: \.isToItself)
    referred = toItself.flatMap { reference in
      plan.field(ofReferred: reference).map { (fields[$0], reference) }
    }
    let finding = fields.first { field in upsert.map { field.target == .attribute($0) } ?? false }
    known = finding.map { ($0, plan.written.count + 1) }
    for (number, (_, value)) in plan.defaults.enumerated() {
      try insert?.bind(.value(value), plan.written.count + number + 1)
    }
  }

  /// Writes the source's current row.
  func write() throws {
    defer { rowCount += 1 }
    guard let insert else { return try writeThroughStore() }
    if let update, let known {
      let missing = report.missingReferences
      for field in fields { _ = try bind(field, to: update, at: field.parameter) }
      if try !bind(known.field, to: update, at: known.parameter) {
        if try run(update) {
          report.updated += 1
          return
        }
      }
      report.missingReferences = missing
    }
    for field in fields { _ = try bind(field, to: insert, at: field.parameter) }
    _ = try run(insert)
    report.inserted += 1
    if let referred { try remember(referred.field, for: referred.reference, key: insert.lastKey()) }
  }

  private func run(_ statement: RowStatement) throws -> Bool {
    do {
      return try statement.run(value(ofColumn:))
    } catch let error as StoreError {
      if case .interrupted = error.fact { throw error }
      throw ImportError(fact: .store(error), place: source.place(ofField: 0))
    }
  }

  /// The current row's value for a column of the layout.
  private func value(ofColumn column: Int) -> Value? {
    let layout = store.layout(of: entity)
    let field = fields.first {
      guard case .attribute(let index) = $0.target else { return false }
      return layout.properties[index] == .column(column)
    }
    return field.flatMap { try? source.read($0.index, $0.parser).value }
  }

  // MARK: Fields

  /// Reads, checks and binds a field; returns whether it is nil.
  private func bind(_ field: Field, to statement: RowStatement, at parameter: Int) throws -> Bool {
    let typed: TypedField
    do {
      typed = try source.read(field.index, field.parser)
    } catch let error as ValueError {
      throw failure(.value(error.of(entity)), field)
    }
    if let violation = field.rule.violation(typed) { throw failure(.violation(violation), field) }
    if let reference = field.reference { return try bind(reference, field, typed, to: statement, at: parameter) }
    do {
      try statement.bind(typed, parameter)
    } catch let error as StoreError {
      throw failure(.store(error), field)
    }
    return typed.isNull
  }

  private func bind(
    _ reference: ImportReference, _ field: Field, _ typed: TypedField, to statement: RowStatement, at parameter: Int
  ) throws -> Bool {
    guard let key = try reference.key(for: typed) else {
      try checkMissing(reference, field, typed)
      for place in 0..<reference.width { try statement.bind(.null, parameter + place) }
      return true
    }
    let values = reference.holdsKey ? [.int(key)] : try reference.values(to: key)
    for (place, value) in values.enumerated() { try statement.bind(.value(value), parameter + place) }
    return false
  }

  /// Counts or rejects a value that no destination has.
  func checkMissing(_ reference: ImportReference, _ field: Field, _ typed: TypedField) throws {
    if case .null = typed { return }
    guard case .reference(_, _, .null) = field.target else {
      let (entity, property) = (reference.destination.name, reference.propertyName)
      throw failure(.noSuchObject(entity: entity, property: property, value: typed.value.displayText), field)
    }
    report.missingReferences += 1
  }

  func failure(_ fact: ImportError.Fact, _ field: Field) -> ImportError {
    ImportError(fact: fact, place: source.place(ofField: field.index), field: field.index)
  }

  /// Makes the row just written available to references of later rows.
  func remember(_ field: Field, for reference: ImportReference, key: Int64) throws {
    reference.remember(try source.read(field.index, field.parser), key: key)
  }
}
